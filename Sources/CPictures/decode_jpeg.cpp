// JPEG by libjpeg-turbo.

#include "decode.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <jpeglib.h>

namespace {

struct Failure {
    jpeg_error_mgr manager;
    jmp_buf back;
};

[[noreturn]] void fail(j_common_ptr jpeg) { longjmp(reinterpret_cast<Failure *>(jpeg->err)->back, 1); }

/// Counts warnings. More than a few thousand mean that the rest is rubbish.
void note(j_common_ptr jpeg, int level) {
    if (level < 0 && ++jpeg->err->num_warnings > 5000) fail(jpeg);
}

/// Ends the decoding of a picture with very many scans, each of which takes as long as a whole picture. Encoders make some ten.
void limit_scans(j_common_ptr jpeg) {
    if (reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number > 200) fail(jpeg);
}

void say_nothing(j_common_ptr) {}

/// The EXIF orientation (EXIF 2.3 §4.6.4, tag 274), 1 if there is none.
int orientation(const jpeg_decompress_struct &jpeg) {
    for (jpeg_saved_marker_ptr marker = jpeg.marker_list; marker != nullptr; marker = marker->next) {
        if (marker->data_length < 14 || memcmp(marker->data, "Exif\0\0", 6) != 0) continue;
        const uint8_t *tiff = marker->data + 6;
        const size_t size = marker->data_length - 6;
        const bool is_little = tiff[0] == 'I';
        const auto number = [&](size_t at, int count) {
            uint32_t value = 0;
            for (int index = 0; index < count; index++) {
                const size_t place = at + (is_little ? count - 1 - index : index);
                value = value << 8 | (place < size ? tiff[place] : 0);
            }
            return value;
        };
        const size_t directory = number(4, 4);
        const uint32_t entries = directory < size ? number(directory, 2) : 0;
        for (uint32_t index = 0; index < std::min(entries, 200u); index++) {
            const size_t entry = directory + 2 + 12 * static_cast<size_t>(index);
            if (number(entry, 2) != 274) continue;
            const uint32_t value = number(entry + 8, 2);
            return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
        }
    }
    return 1;
}

}  // namespace

picture_result decode_jpeg(const Source &source, decoded_picture &decoded) {
    jpeg_decompress_struct jpeg;
    Failure failure;
    jpeg_progress_mgr progress = {};
    progress.progress_monitor = limit_scans;
    jpeg.err = jpeg_std_error(&failure.manager);
    failure.manager.error_exit = fail;
    failure.manager.emit_message = note;
    failure.manager.output_message = say_nothing;
    volatile bool has_pixels = false;
    volatile picture_result result = picture_damaged;
    uint8_t *volatile row = nullptr;
    if (setjmp(failure.back) == 0) {
        jpeg_create_decompress(&jpeg);
        jpeg.progress = &progress;
        jpeg_mem_src(&jpeg, source.bytes, source.size);
        jpeg_save_markers(&jpeg, JPEG_APP0 + 1, 0xFFFF);
        jpeg_read_header(&jpeg, TRUE);
        decoded.orientation = orientation(jpeg);
        const bool is_cmyk = jpeg.num_components == 4;
        jpeg.out_color_space = is_cmyk ? JCS_CMYK : JCS_GRAYSCALE;
        jpeg.scale_denom = 8;
        for (jpeg.scale_num = 8;; jpeg.scale_num /= 2) {
            jpeg_calc_output_dimensions(&jpeg);
            if (static_cast<int64_t>(jpeg.output_width) * jpeg.output_height <= source.most_pixels || jpeg.scale_num == 1)
                break;
        }
        decoded.reduction = static_cast<int32_t>(8 / jpeg.scale_num);
        // A progressive picture is kept as coefficients. A limit on those is a limit on memory.
        jpeg.mem->max_memory_to_use = 200 << 20;
        if (jpeg.progressive_mode && static_cast<int64_t>(jpeg.image_width) * jpeg.image_height > source.most_pixels)
            result = picture_too_large;
        else
            result = make_white(source, jpeg.output_width, jpeg.output_height, decoded.picture);
        if (result == picture_decoded) {
            jpeg_start_decompress(&jpeg);
            if (is_cmyk) row = static_cast<uint8_t *>(malloc(static_cast<size_t>(jpeg.output_width) * 4));
            if (is_cmyk && row == nullptr) fail(reinterpret_cast<j_common_ptr>(&jpeg));
            while (jpeg.output_scanline < jpeg.output_height) {
                uint8_t *pixels = decoded.picture.pixels + static_cast<size_t>(jpeg.output_scanline) * decoded.picture.width;
                JSAMPROW lines[1] = {is_cmyk ? row : pixels};
                if (jpeg_read_scanlines(&jpeg, lines, 1) != 1) break;
                has_pixels = true;
                if (!is_cmyk) continue;
                // Adobe's programs write the colours inverted, and say so with their marker.
                const uint8_t flip = jpeg.saw_Adobe_marker ? 0 : 255;
                for (int32_t x = 0; x < decoded.picture.width; x++) {
                    const uint8_t *inks = row + 4 * static_cast<size_t>(x);
                    const unsigned black = inks[3] ^ flip;
                    pixels[x] = grey_of((inks[0] ^ flip) * black / 255, (inks[1] ^ flip) * black / 255,
                                        (inks[2] ^ flip) * black / 255);
                }
            }
            decoded.is_damaged = jpeg.err->num_warnings > 0;
        }
    } else if (has_pixels) {
        decoded.is_damaged = true;
        result = picture_decoded;
    } else {
        result = picture_damaged;
    }
    free(row);
    jpeg_destroy_decompress(&jpeg);
    return result;
}
