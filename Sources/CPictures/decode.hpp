// Shared by the decoders of picture formats.

#ifndef DECODE_HPP
#define DECODE_HPP

#include "pictures.h"

#include <cstdint>
#include <cstring>

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

#endif
