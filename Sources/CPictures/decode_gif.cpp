// GIF by giflib.

#include "decode.hpp"

#include <algorithm>
#include <cstdlib>
#include <gif_lib.h>
#include <vector>

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

/// How the next frame is shown.
struct Control {
    /// The index of the transparent colour; -1 if there is none.
    int transparent = -1;
    /// What becomes of the frame's place before the one after it is drawn.
    int disposal = DISPOSAL_UNSPECIFIED;
};

/// Reads an extension, which may change how the next frame is shown.
void read_extension(GifFileType *gif, Control &control) {
    int code;
    GifByteType *block;
    if (DGifGetExtension(gif, &code, &block) == GIF_ERROR) return;
    while (block != nullptr) {
        GraphicsControlBlock read;
        if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(block[0], block + 1, &read) == GIF_OK)
            control = {read.TransparentColor, read.DisposalMode};
        if (DGifGetExtensionNext(gif, &block) == GIF_ERROR) return;
    }
}

/// The colours of the frame that was begun, as brightness. Returns false if there are none.
bool read_colours(const GifFileType *gif, uint8_t greys[256]) {
    const ColorMapObject *colours = gif->Image.ColorMap != nullptr ? gif->Image.ColorMap : gif->SColorMap;
    if (colours == nullptr) return false;
    std::fill(greys, greys + 256, 255);
    for (int index = 0; index < std::min(colours->ColorCount, 256); index++)
        greys[index] = grey_of(colours->Colors[index].Red, colours->Colors[index].Green, colours->Colors[index].Blue);
    return true;
}

/// Skips the pixels of the frame that was begun. Returns false if they end early.
bool skip_pixels(GifFileType *gif) {
    int size;
    GifByteType *block;
    if (DGifGetCode(gif, &size, &block) == GIF_ERROR) return false;
    while (block != nullptr)
        if (DGifGetCodeNext(gif, &block) == GIF_ERROR) return false;
    return true;
}

/// Reads the lines of a frame in the order in which they are stored. Returns false if they end early.
template <typename Draw>
bool read_lines(GifFileType *gif, Draw draw) {
    const GifImageDesc &frame = gif->Image;
    if (frame.Width < 1 || frame.Height < 1) return skip_pixels(gif);
    std::vector<GifByteType> line(static_cast<size_t>(frame.Width));
    const int firsts[4] = {0, 4, 2, 1}, steps[4] = {8, 8, 4, 2};
    for (int pass = 0; pass < (frame.Interlace ? 4 : 1); pass++)
        for (int y = frame.Interlace ? firsts[pass] : 0; y < frame.Height; y += frame.Interlace ? steps[pass] : 1) {
            if (DGifGetLine(gif, line.data(), frame.Width) == GIF_ERROR) return false;
            draw(y, line.data());
        }
    return true;
}

picture_result decode_frame(const Source &source, GifFileType *gif, int transparent, decoded_picture &decoded) {
    if (DGifGetImageDesc(gif) == GIF_ERROR) return picture_damaged;
    const int width = gif->Image.Width;
    uint8_t greys[256];
    if (!read_colours(gif, greys)) return picture_damaged;
    const picture_result made = make_white(source, width, gif->Image.Height, decoded.picture);
    if (made != picture_decoded) return made;
    if (transparent >= 0 && transparent < 256) greys[transparent] = 255;
    decoded.is_damaged = !read_lines(gif, [&](int y, const GifByteType *line) {
        uint8_t *pixels = decoded.picture.pixels + static_cast<size_t>(y) * width;
        for (int x = 0; x < width; x++) pixels[x] = greys[line[x]];
    });
    return picture_decoded;
}

/// Calls a function for each frame, after its description was read, until it returns false. Returns whether the file was read to
/// its end, or as far as the function wanted.
template <typename Use>
bool each_frame(const Source &source, Use use) {
    Input input = {source, 0};
    int error;
    GifFileType *gif = DGifOpen(&input, read_bytes, &error);
    if (gif == nullptr) return false;
    Control control;
    GifRecordType type = UNDEFINED_RECORD_TYPE;
    bool goes_on = true, is_whole = true;
    try {
        while (goes_on && is_whole && type != TERMINATE_RECORD_TYPE) {
            // Many files end without the mark of an end.
            const bool is_at_end = input.at == source.size;
            if (DGifGetRecordType(gif, &type) == GIF_ERROR) {
                is_whole = is_at_end;
                break;
            }
            if (type == EXTENSION_RECORD_TYPE) {
                read_extension(gif, control);
            } else if (type == IMAGE_DESC_RECORD_TYPE) {
                is_whole = DGifGetImageDesc(gif) == GIF_OK;
                if (is_whole) goes_on = use(gif, control);
                control = Control();
            }
        }
    } catch (...) {
        DGifCloseFile(gif, &error);
        throw;
    }
    DGifCloseFile(gif, &error);
    return is_whole;
}

}  // namespace

picture_result decode_gif(const Source &source, decoded_picture &decoded) {
    Input input = {source, 0};
    int error;
    GifFileType *gif = DGifOpen(&input, read_bytes, &error);
    if (gif == nullptr) return picture_damaged;
    picture_result result = picture_damaged;
    Control control;
    GifRecordType type;
    while (DGifGetRecordType(gif, &type) == GIF_OK && type != TERMINATE_RECORD_TYPE) {
        if (type == EXTENSION_RECORD_TYPE) {
            read_extension(gif, control);
        } else if (type == IMAGE_DESC_RECORD_TYPE) {
            result = decode_frame(source, gif, control.transparent, decoded);
            break;
        }
    }
    DGifCloseFile(gif, &error);
    return result;
}

picture_result frames_of_gif(const Source &source, Frames &frames) {
    // Some frames lie outside of the screen that the file declares, so the canvas is as large as all of them together.
    int64_t count = 0, left = 0, top = 0, right = 0, bottom = 0;
    const bool is_whole = each_frame(source, [&](GifFileType *gif, const Control &) {
        const GifImageDesc &frame = gif->Image;
        left = count == 0 ? frame.Left : std::min<int64_t>(left, frame.Left);
        top = count == 0 ? frame.Top : std::min<int64_t>(top, frame.Top);
        right = std::max<int64_t>(right, static_cast<int64_t>(frame.Left) + frame.Width);
        bottom = std::max<int64_t>(bottom, static_cast<int64_t>(frame.Top) + frame.Height);
        count++;
        if (!skip_pixels(gif)) frames.is_damaged = true;
        return !frames.is_damaged;
    });
    if (!is_whole) frames.is_damaged = true;
    if (count < 2) return picture_no_page;
    const picture_result begun = frames.begin(right - left, bottom - top);
    if (begun != picture_decoded) return begun;

    int32_t number = 0;
    int disposal = DISPOSAL_UNSPECIFIED;
    GifImageDesc before = {};
    picture_result result = picture_decoded;
    const bool is_drawn = each_frame(source, [&](GifFileType *gif, const Control &control) {
        const GifImageDesc frame = gif->Image;
        if (disposal == DISPOSE_BACKGROUND) frames.clear(before.Left - left, before.Top - top, before.Width, before.Height);
        if (disposal == DISPOSE_PREVIOUS) frames.restore();
        if (control.disposal == DISPOSE_PREVIOUS) frames.save();
        disposal = control.disposal;
        before = frame;
        uint8_t greys[256];
        if (!read_colours(gif, greys)) {
            result = picture_damaged;
            return false;
        }
        const bool is_read = read_lines(gif, [&](int y, const GifByteType *line) {
            for (int x = 0; x < frame.Width; x++)
                if (line[x] != control.transparent) frames.put(frame.Left - left + x, frame.Top - top + y, greys[line[x]]);
        });
        if (!is_read) frames.is_damaged = true;
        if (number == 0)
            frames.skip();
        else if (!frames.show(number))
            return false;
        number++;
        return is_read;
    });
    if (!is_drawn) frames.is_damaged = true;
    return result;
}
