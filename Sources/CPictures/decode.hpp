// Shared by the decoders of picture formats.

#ifndef DECODE_HPP
#define DECODE_HPP

#include "pictures.h"

#include <cstdint>
#include <cstring>
#include <vector>

/// The bytes of a file, and the limit on its pixels.
struct Source {
    const uint8_t *bytes;
    size_t size;
    int64_t most_pixels;

    bool begins(const char *magic, size_t length, size_t at = 0) const {
        return size >= at + length && memcmp(bytes + at, magic, length) == 0;
    }
};

/// Gets the pixels for a picture of this size, all white.
///
/// Returns `picture_damaged` if the size is not a size, and `picture_too_large` if it is past the limit or there is not enough
/// memory.
picture_result make_white(const Source &source, int64_t width, int64_t height, grey_picture &picture);

/// The brightness of a colour (ITU-R BT.601).
inline uint8_t grey_of(unsigned red, unsigned green, unsigned blue) {
    return static_cast<uint8_t>((red * 19595 + green * 38470 + blue * 7471 + 32768) >> 16);
}

/// The brightness of a colour on white paper.
inline uint8_t grey_on_white(unsigned grey, unsigned alpha) {
    return static_cast<uint8_t>((grey * alpha + 255 * (255 - alpha) + 127) / 255);
}

picture_result decode_png(const Source &source, decoded_picture &decoded);
picture_result decode_jpeg(const Source &source, decoded_picture &decoded);
picture_result decode_webp(const Source &source, decoded_picture &decoded);
picture_result decode_gif(const Source &source, decoded_picture &decoded);
picture_result decode_tiff(const Source &source, int32_t page, decoded_picture &decoded);
picture_result decode_bmp(const Source &source, decoded_picture &decoded);
picture_result decode_heif(const Source &source, decoded_picture &decoded);
picture_result decode_pgm(const Source &source, int32_t page, decoded_picture &decoded);

// MARK: Frames

/// Passes on the frames of a picture. Each frame of an animation is drawn on a canvas, on what is left of those before it.
///
/// Its functions throw `std::bad_alloc` if there is not enough memory.
class Frames {
public:
    using Use = bool (*)(void *context, int32_t number, decoded_picture frame);

    Frames(const Source &source, Use use, void *context) : source_(source), use_(use), context_(context) {}

    /// Makes the canvas white, and gives it this size.
    picture_result begin(int64_t width, int64_t height);

    /// Draws a pixel. What is outside of the canvas is left out.
    void put(int64_t x, int64_t y, unsigned grey, unsigned alpha = 255) {
        if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
        uint8_t &pixel = pixels_[static_cast<size_t>(y * width_ + x)];
        pixel = alpha == 255 ? static_cast<uint8_t>(grey)
                             : static_cast<uint8_t>((grey * alpha + pixel * (255 - alpha) + 127) / 255);
    }

    /// Makes a part of the canvas white.
    void clear(int64_t x, int64_t y, int64_t width, int64_t height);

    /// Keeps the canvas as it is, to go back to it.
    void save() { saved_ = pixels_; }
    void restore() {
        if (!saved_.empty()) pixels_ = saved_;
    }

    /// Takes the canvas as what was looked at already.
    void skip() { shown_ = pixels_; }

    /// Passes on the canvas, unless it looks as it did before. Returns whether more frames are wanted.
    bool show(int32_t number);

    /// Passes on a picture and its pixels. Returns whether more are wanted.
    bool give(int32_t number, decoded_picture frame) { return use_(context_, number, frame); }

    /// Whether the file ends early or is damaged, so that there may be more frames.
    bool is_damaged = false;

private:
    const Source &source_;
    Use use_;
    void *context_;
    int64_t width_ = 0, height_ = 0;
    std::vector<uint8_t> pixels_, saved_, shown_;
};

// Each passes on what comes after the first page. The result is that of `picture_frames`.
picture_result frames_of_png(const Source &source, Frames &frames);
picture_result frames_of_webp(const Source &source, Frames &frames);
picture_result frames_of_gif(const Source &source, Frames &frames);
picture_result frames_of_heif(const Source &source, Frames &frames);

#endif
