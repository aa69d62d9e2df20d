// TIFF by libtiff.

#include "decode.hpp"

#include <algorithm>
#include <cstdlib>
#include <tiffio.h>

namespace {

struct Input {
    const Source &source;
    uint64_t at;
};

tmsize_t read_bytes(thandle_t handle, void *bytes, tmsize_t count) {
    auto *input = static_cast<Input *>(handle);
    if (count <= 0 || input->at >= input->source.size) return 0;
    const size_t given = std::min(static_cast<size_t>(count), input->source.size - static_cast<size_t>(input->at));
    memcpy(bytes, input->source.bytes + input->at, given);
    input->at += given;
    return static_cast<tmsize_t>(given);
}

tmsize_t write_nothing(thandle_t, void *, tmsize_t) { return 0; }

toff_t seek(thandle_t handle, toff_t offset, int from) {
    auto *input = static_cast<Input *>(handle);
    input->at = from == SEEK_SET ? offset : from == SEEK_CUR ? input->at + offset : input->source.size + offset;
    return input->at;
}

int close_nothing(thandle_t) { return 0; }
toff_t size_of(thandle_t handle) { return static_cast<Input *>(handle)->source.size; }

/// Hands out the file itself, so that libtiff copies nothing.
int map_file(thandle_t handle, void **base, toff_t *size) {
    auto *input = static_cast<Input *>(handle);
    *base = const_cast<uint8_t *>(input->source.bytes);
    *size = input->source.size;
    return 1;
}

void unmap_nothing(thandle_t, void *, toff_t) {}

}  // namespace

picture_result decode_tiff(const Source &source, int32_t page, decoded_picture &decoded) {
    TIFFSetWarningHandler(nullptr);
    TIFFSetErrorHandler(nullptr);
    Input input = {source, 0};
    TIFF *tiff = TIFFClientOpen(
        "picture", "rm", &input, read_bytes, write_nothing, seek, close_nothing, size_of, map_file, unmap_nothing);
    if (tiff == nullptr) return picture_damaged;
    picture_result result = picture_no_page;
    // Page by page: libtiff notices pages that refer to each other in a circle.
    for (int32_t index = 0; index < page; index++) {
        if (TIFFReadDirectory(tiff)) continue;
        TIFFClose(tiff);
        return picture_no_page;
    }
    uint32_t width = 0, height = 0;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    result = make_white(source, width, height, decoded.picture);
    if (result == picture_decoded) {
        char why[1024];
        const size_t count = static_cast<size_t>(width) * height;
        const bool is_supported = TIFFRGBAImageOK(tiff, why);
        auto *colours = is_supported ? static_cast<uint32_t *>(calloc(count, 4)) : nullptr;
        if (colours == nullptr) {
            result = is_supported ? picture_too_large : picture_unsupported;
        } else {
            // An error in the middle leaves the rest transparent, so it becomes white.
            if (!TIFFReadRGBAImageOriented(tiff, width, height, colours, ORIENTATION_TOPLEFT, 0)) decoded.is_damaged = true;
            for (size_t at = 0; at < count; at++) {
                const uint32_t pixel = colours[at];
                const unsigned alpha = TIFFGetA(pixel);
                // The colours are multiplied by alpha already.
                const unsigned grey = grey_of(TIFFGetR(pixel), TIFFGetG(pixel), TIFFGetB(pixel));
                decoded.picture.pixels[at] = static_cast<uint8_t>(std::min(255u, grey + 255 - alpha));
            }
            free(colours);
        }
    }
    TIFFClose(tiff);
    return result;
}
