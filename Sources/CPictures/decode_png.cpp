// PNG by libpng.

#include "decode.hpp"

#include <csetjmp>
#include <png.h>

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

}  // namespace

picture_result decode_png(const Source &source, decoded_picture &decoded) {
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
        result = make_white(source, png_get_image_width(png, info), png_get_image_height(png, info), decoded.picture);
        if (result == picture_decoded) {
            png_set_expand(png);
            png_set_scale_16(png);
            if (png_get_color_type(png, info) & PNG_COLOR_MASK_COLOR) png_set_rgb_to_gray(png, 1, -1, -1);
            png_color_16 white = {};
            white.red = white.green = white.blue = white.gray = 255;
            png_set_background(png, &white, PNG_BACKGROUND_GAMMA_SCREEN, 0, 1.0);
            png_set_strip_alpha(png);
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
