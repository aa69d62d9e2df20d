// GIF by giflib: the first frame.

#include "decode.hpp"

#include <algorithm>
#include <cstdlib>
#include <gif_lib.h>

namespace {

struct Input {
    const Source &source;
    size_t at;
};

int read_bytes(GifFileType *gif, GifByteType *bytes, int count) {
    auto *input = static_cast<Input *>(gif->UserData);
    const size_t given = std::min(static_cast<size_t>(std::max(count, 0)), input->source.size - input->at);
    memcpy(bytes, input->source.bytes + input->at, given);
    input->at += given;
    return static_cast<int>(given);
}

/// Skips an extension. Returns the index of the transparent colour if the extension has one, otherwise -1.
int transparent_colour(GifFileType *gif) {
    int code, found = -1;
    GifByteType *block;
    if (DGifGetExtension(gif, &code, &block) == GIF_ERROR) return -1;
    while (block != nullptr) {
        GraphicsControlBlock control;
        if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
            found = control.TransparentColor;
        if (DGifGetExtensionNext(gif, &block) == GIF_ERROR) break;
    }
    return found;
}

picture_result decode_frame(const Source &source, GifFileType *gif, int transparent, decoded_picture &decoded) {
    if (DGifGetImageDesc(gif) == GIF_ERROR) return picture_damaged;
    const GifImageDesc &frame = gif->Image;
    const ColorMapObject *colours = frame.ColorMap != nullptr ? frame.ColorMap : gif->SColorMap;
    if (colours == nullptr) return picture_damaged;
    const picture_result made = make_white(source, frame.Width, frame.Height, decoded.picture);
    if (made != picture_decoded) return made;
    uint8_t greys[256];
    std::fill(greys, greys + 256, 255);
    for (int index = 0; index < std::min(colours->ColorCount, 256); index++)
        if (index != transparent)
            greys[index] = grey_of(colours->Colors[index].Red, colours->Colors[index].Green, colours->Colors[index].Blue);
    const int firsts[4] = {0, 4, 2, 1}, steps[4] = {8, 8, 4, 2};
    for (int pass = 0; pass < (frame.Interlace ? 4 : 1); pass++) {
        const int step = frame.Interlace ? steps[pass] : 1;
        for (int y = frame.Interlace ? firsts[pass] : 0; y < frame.Height; y += step) {
            uint8_t *pixels = decoded.picture.pixels + static_cast<size_t>(y) * frame.Width;
            if (DGifGetLine(gif, pixels, frame.Width) == GIF_ERROR) {
                std::fill(pixels, pixels + frame.Width, 255);
                decoded.is_damaged = true;
                return picture_decoded;
            }
            for (int x = 0; x < frame.Width; x++) pixels[x] = greys[pixels[x]];
        }
    }
    return picture_decoded;
}

}  // namespace

picture_result decode_gif(const Source &source, decoded_picture &decoded) {
    Input input = {source, 0};
    int error;
    GifFileType *gif = DGifOpen(&input, read_bytes, &error);
    if (gif == nullptr) return picture_damaged;
    picture_result result = picture_damaged;
    int transparent = -1;
    GifRecordType type;
    while (DGifGetRecordType(gif, &type) == GIF_OK && type != TERMINATE_RECORD_TYPE) {
        if (type == EXTENSION_RECORD_TYPE) {
            transparent = transparent_colour(gif);
        } else if (type == IMAGE_DESC_RECORD_TYPE) {
            result = decode_frame(source, gif, transparent, decoded);
            break;
        }
    }
    DGifCloseFile(gif, &error);
    return result;
}
