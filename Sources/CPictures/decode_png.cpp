// PNG by libpng. It does not know animations, so each frame is made a PNG of its own.

#include "decode.hpp"

#include <algorithm>
#include <csetjmp>
#include <png.h>
#include <vector>

namespace {

struct Input {
    const Source &source;
    size_t at;
};

void read_bytes(png_structp png, png_bytep bytes, size_t count) {
    auto *input = static_cast<Input *>(png_get_io_ptr(png));
    if (input->source.size - input->at < count) png_error(png, "the file ends early");
    memcpy(bytes, input->source.bytes + input->at, count);
    input->at += count;
}

void ignore_warning(png_structp, png_const_charp) {}

/// Decodes a PNG, on white. With `has_alpha`, each pixel is two bytes instead, the grey and the alpha, and the picture is twice as
/// wide.
picture_result decode(const Source &source, bool has_alpha, decoded_picture &decoded) {
    Input input = {source, 0};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, ignore_warning);
    if (png == nullptr) return picture_too_large;
    png_infop info = png_create_info_struct(png);
    if (info == nullptr) {
        png_destroy_read_struct(&png, nullptr, nullptr);
        return picture_too_large;
    }
    // Volatile, since an error jumps back to here. C++ objects with destructors must not be in this function.
    volatile bool has_pixels = false;
    volatile picture_result result = picture_damaged;
    if (setjmp(png_jmpbuf(png)) == 0) {
        png_set_read_fn(png, &input, read_bytes);
        png_set_user_limits(png, 0x7FFFFFFF, 0x7FFFFFFF);
        // Text and colour profiles are of no use here, and can inflate to any size.
        png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
        png_set_chunk_malloc_max(png, 1 << 20);
        png_set_chunk_cache_max(png, 100);
        png_set_option(png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
        // A wrong checksum does not matter: QR codes have their own.
        png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
        png_read_info(png, info);
        const int64_t width = png_get_image_width(png, info);
        result = make_white(source, has_alpha ? 2 * width : width, png_get_image_height(png, info), decoded.picture);
        if (result == picture_decoded) {
            png_set_expand(png);
            png_set_scale_16(png);
            if (png_get_color_type(png, info) & PNG_COLOR_MASK_COLOR) png_set_rgb_to_gray(png, 1, -1, -1);
            if (has_alpha) {
                if (!(png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) && !png_get_valid(png, info, PNG_INFO_tRNS))
                    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
            } else {
                png_color_16 white = {};
                white.red = white.green = white.blue = white.gray = 255;
                png_set_background(png, &white, PNG_BACKGROUND_GAMMA_SCREEN, 0, 1.0);
                png_set_strip_alpha(png);
            }
            const int passes = png_set_interlace_handling(png);
            png_read_update_info(png, info);
            if (png_get_rowbytes(png, info) != static_cast<size_t>(decoded.picture.width)) png_error(png, "not grey");
            for (int pass = 0; pass < passes; pass++)
                for (int32_t y = 0; y < decoded.picture.height; y++) {
                    png_read_row(png, decoded.picture.pixels + static_cast<size_t>(y) * decoded.picture.width, nullptr);
                    has_pixels = true;
                }
        }
    } else if (has_pixels) {
        decoded.is_damaged = true;
        result = picture_decoded;
    } else {
        result = picture_damaged;
    }
    png_destroy_read_struct(&png, &info, nullptr);
    return result;
}

}  // namespace

picture_result decode_png(const Source &source, decoded_picture &decoded) { return decode(source, false, decoded); }

// MARK: Animations (PNG, third edition, 11.3.2.1)

namespace {

uint32_t number(const uint8_t *bytes) {
    return static_cast<uint32_t>(bytes[0]) << 24 | static_cast<uint32_t>(bytes[1]) << 16
        | static_cast<uint32_t>(bytes[2]) << 8 | bytes[3];
}

/// A part of the file.
struct Part {
    const uint8_t *bytes;
    size_t size;
};

/// A frame of an animation: its control chunk, and its compressed pixels.
struct Frame {
    Part control = {nullptr, 0};
    std::vector<Part> data;
};

void append_chunk(std::vector<uint8_t> &png, const char *type, Part part) {
    for (int shift = 24; shift >= 0; shift -= 8) png.push_back(static_cast<uint8_t>(part.size >> shift));
    png.insert(png.end(), type, type + 4);
    png.insert(png.end(), part.bytes, part.bytes + part.size);
    // The checksum is not looked at.
    png.insert(png.end(), 4, 0);
}

/// Draws the frames of an animation one after the other.
class Animation {
public:
    Animation(const Source &source, Frames &frames) : source_(source), frames_(frames) {}

    Part header = {nullptr, 0}, palette = {nullptr, 0}, transparency = {nullptr, 0};
    /// The number of the next frame. It is 0 if that is the picture which a program without animations shows.
    int32_t next = 1;
    picture_result result = picture_no_page;

    /// Draws a frame. Returns whether more are wanted.
    bool draw(const Frame &frame) {
        if (frame.control.bytes == nullptr) return true;
        if (frame.data.empty() || header.size != 13) {
            frames_.is_damaged = true;
            return true;
        }
        if (result == picture_no_page) result = frames_.begin(number(header.bytes), number(header.bytes + 4));
        if (result != picture_decoded) return false;
        const uint8_t *control = frame.control.bytes;
        const int64_t width = number(control + 4), height = number(control + 8), x = number(control + 12),
                      y = number(control + 16);
        const uint8_t disposal = control[24], blend = control[25];
        std::vector<uint8_t> png = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
        std::vector<uint8_t> own_header(header.bytes, header.bytes + header.size);
        std::copy(control + 4, control + 12, own_header.begin());
        append_chunk(png, "IHDR", {own_header.data(), own_header.size()});
        if (palette.bytes != nullptr) append_chunk(png, "PLTE", palette);
        if (transparency.bytes != nullptr) append_chunk(png, "tRNS", transparency);
        for (const Part &part : frame.data) append_chunk(png, "IDAT", part);
        append_chunk(png, "IEND", {control, 0});
        decoded_picture decoded = {{nullptr, 0, 0}, 1, 1, false};
        result = decode({png.data(), png.size(), 2 * source_.most_pixels}, true, decoded);
        if (result != picture_decoded) {
            grey_release(&decoded.picture);
            return false;
        }
        frames_.is_damaged |= decoded.is_damaged;
        if (disposal == 2) frames_.save();
        if (blend == 0) frames_.clear(x, y, width, height);
        const uint8_t *pixel = decoded.picture.pixels;
        for (int64_t line = 0; line < height; line++)
            for (int64_t column = 0; column < width; column++, pixel += 2)
                frames_.put(x + column, y + line, pixel[0], pixel[1]);
        grey_release(&decoded.picture);
        bool goes_on = true;
        if (next == 0)
            frames_.skip();
        else
            goes_on = frames_.show(next);
        next++;
        if (disposal == 1) frames_.clear(x, y, width, height);
        if (disposal == 2) frames_.restore();
        return goes_on;
    }

private:
    const Source &source_;
    Frames &frames_;
};

}  // namespace

picture_result frames_of_png(const Source &source, Frames &frames) {
    Animation animation(source, frames);
    Frame frame;
    bool has_pixels = false, has_control = false, goes_on = true;
    for (size_t at = 8; goes_on;) {
        if (source.size - at < 12 || number(source.bytes + at) > source.size - at - 12) {
            // The picture itself is read elsewhere.
            if (has_control) frames.is_damaged = true;
            break;
        }
        const Part part = {source.bytes + at + 8, number(source.bytes + at)};
        const auto is = [&](const char *type) { return source.begins(type, 4, at + 4); };
        if (is("IEND")) break;
        if (is("IHDR") && animation.header.bytes == nullptr) animation.header = part;
        if (is("PLTE") && animation.palette.bytes == nullptr) animation.palette = part;
        if (is("tRNS") && animation.transparency.bytes == nullptr) animation.transparency = part;
        if (is("IDAT")) {
            if (!has_pixels && frame.control.bytes != nullptr) animation.next = 0;
            has_pixels = true;
            // Without a control chunk before them, these pixels are no frame of the animation.
            if (animation.next == 0) frame.data.push_back(part);
        } else if (is("fcTL") && part.size == 26) {
            goes_on = animation.draw(frame);
            frame = {part, {}};
            has_control = true;
        } else if (is("fdAT") && part.size >= 4) {
            frame.data.push_back({part.bytes + 4, part.size - 4});
        }
        at += 12 + part.size;
    }
    if (goes_on) animation.draw(frame);
    return animation.result;
}
