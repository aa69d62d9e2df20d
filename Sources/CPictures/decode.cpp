// Chooses the decoder by the first bytes of a file, and decodes the formats for which there is no library.

#include "decode.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>

picture_result make_white(const Source &source, int64_t width, int64_t height, grey_picture &picture) {
    if (width < 1 || height < 1) return picture_damaged;
    if (width > 1 << 30 || height > 1 << 30 || width * height > source.most_pixels) return picture_too_large;
    const size_t count = static_cast<size_t>(width) * static_cast<size_t>(height);
    auto *pixels = static_cast<uint8_t *>(malloc(count));
    if (pixels == nullptr) return picture_too_large;
    memset(pixels, 255, count);
    picture = {pixels, static_cast<int32_t>(width), static_cast<int32_t>(height)};
    return picture_decoded;
}

picture_result picture_decode(
    const uint8_t *bytes, size_t size, int32_t page, int64_t most_pixels, decoded_picture *decoded) {
    const Source source = {bytes, size, most_pixels};
    *decoded = {{nullptr, 0, 0}, 1, 1, false};
    picture_result result = picture_unsupported;
    const bool has_pages = source.begins("II*\0", 4) || source.begins("MM\0*", 4) || source.begins("P5", 2)
        || source.begins("II+\0", 4) || source.begins("MM\0+", 4);
    if (page > 0 && !has_pages) return picture_no_page;
    if (source.begins("\x89PNG", 4)) {
        result = decode_png(source, *decoded);
    } else if (source.begins("\xFF\xD8\xFF", 3)) {
        result = decode_jpeg(source, *decoded);
    } else if (source.begins("RIFF", 4) && source.begins("WEBP", 4, 8)) {
        result = decode_webp(source, *decoded);
    } else if (source.begins("GIF8", 4)) {
        result = decode_gif(source, *decoded);
    } else if (source.begins("P5", 2)) {
        result = decode_pgm(source, page, *decoded);
    } else if (has_pages) {
        result = decode_tiff(source, page, *decoded);
    } else if (source.begins("BM", 2)) {
        result = decode_bmp(source, *decoded);
    } else if (source.begins("ftyp", 4, 4)) {
        result = decode_heif(source, *decoded);
    }
    if (result != picture_decoded) grey_release(&decoded->picture);
    return result;
}

// MARK: Frames

picture_result Frames::begin(int64_t width, int64_t height) {
    if (width < 1 || height < 1) return picture_damaged;
    if (width > 1 << 30 || height > 1 << 30 || width * height > source_.most_pixels) return picture_too_large;
    width_ = width;
    height_ = height;
    pixels_.assign(static_cast<size_t>(width * height), 255);
    return picture_decoded;
}

void Frames::clear(int64_t x, int64_t y, int64_t width, int64_t height) {
    const int64_t left = std::max<int64_t>(x, 0), right = std::min(x + width, width_);
    if (left >= right) return;
    for (int64_t line = std::max<int64_t>(y, 0); line < std::min(y + height, height_); line++)
        std::fill(pixels_.begin() + line * width_ + left, pixels_.begin() + line * width_ + right, 255);
}

bool Frames::show(int32_t number) {
    if (pixels_ == shown_) return true;
    skip();
    decoded_picture frame = {{nullptr, 0, 0}, 1, 1, false};
    if (make_white(source_, width_, height_, frame.picture) != picture_decoded) throw std::bad_alloc();
    memcpy(frame.picture.pixels, pixels_.data(), pixels_.size());
    return give(number, frame);
}

picture_result picture_frames(
    const uint8_t *bytes, size_t size, int64_t most_pixels,
    bool (*use)(void *context, int32_t number, decoded_picture frame), void *context, bool *is_damaged) {
    const Source source = {bytes, size, most_pixels};
    Frames frames(source, use, context);
    picture_result result = picture_no_page;
    try {
        if (source.begins("\x89PNG", 4))
            result = frames_of_png(source, frames);
        else if (source.begins("RIFF", 4) && source.begins("WEBP", 4, 8))
            result = frames_of_webp(source, frames);
        else if (source.begins("GIF8", 4))
            result = frames_of_gif(source, frames);
        else if (source.begins("ftyp", 4, 4))
            result = frames_of_heif(source, frames);
    } catch (const std::exception &) {
        result = picture_too_large;
    }
    *is_damaged = frames.is_damaged;
    return result;
}

// MARK: PGM, which pdftoppm writes

picture_result decode_pgm(const Source &source, int32_t page, decoded_picture &decoded) {
    size_t at = 0;
    // Each page is "P5", the width, the height and 255, each after white space, then one byte of white space, then the pixels.
    const auto number = [&](int64_t &value) {
        while (at < source.size && (source.bytes[at] == ' ' || source.bytes[at] == '\n')) at++;
        value = 0;
        const size_t first = at;
        for (; at < source.size && source.bytes[at] >= '0' && source.bytes[at] <= '9' && at - first < 9; at++)
            value = 10 * value + (source.bytes[at] - '0');
        return at > first;
    };
    for (int32_t index = 0;; index++) {
        if (at == source.size) return picture_no_page;
        int64_t width, height, most;
        if (!source.begins("P5", 2, at)) return picture_damaged;
        at += 2;
        if (!number(width) || !number(height) || !number(most) || most != 255 || at >= source.size) return picture_damaged;
        at++;
        if (index < page) {
            if (static_cast<uint64_t>(width * height) > source.size - at) return picture_no_page;
            at += static_cast<size_t>(width * height);
            continue;
        }
        const picture_result made = make_white(source, width, height, decoded.picture);
        if (made != picture_decoded) return made;
        const size_t wanted = static_cast<size_t>(width * height), given = std::min(wanted, source.size - at);
        memcpy(decoded.picture.pixels, source.bytes + at, given);
        decoded.is_damaged = given < wanted;
        return picture_decoded;
    }
}

// MARK: BMP

namespace {

/// Reads numbers in little-endian order. Past the end of the file, they are 0.
struct Reader {
    const Source &source;

    uint32_t byte(uint64_t at) const { return at < source.size ? source.bytes[at] : 0; }
    uint32_t u16(uint64_t at) const { return byte(at) | byte(at + 1) << 8; }
    uint32_t u32(uint64_t at) const { return u16(at) | u16(at + 2) << 16; }
};

/// The value of a colour in a bit field, as a number up to 255.
unsigned field(uint32_t pixel, uint32_t mask) {
    if (mask == 0) return 0;
    const uint32_t most = mask >> __builtin_ctz(mask), value = (pixel & mask) >> __builtin_ctz(mask);
    return static_cast<unsigned>(static_cast<uint64_t>(value) * 255 / most);
}

/// Decodes a run-length encoded bitmap of 4 or 8 bits. Pixels that the data leaves out stay white.
void decode_runs(const Source &source, uint64_t at, unsigned bits, const uint8_t *palette, grey_picture &picture) {
    const Reader read = {source};
    int64_t x = 0, y = 0;
    const auto put = [&](unsigned index) {
        if (x < picture.width && y < picture.height)
            picture.pixels[(picture.height - 1 - y) * picture.width + x] = palette[index];
        x++;
    };
    while (at + 1 < source.size && y < picture.height) {
        const unsigned count = read.byte(at), value = read.byte(at + 1);
        at += 2;
        if (count > 0) {
            for (unsigned index = 0; index < count; index++)
                put(bits == 8 ? value : index % 2 == 0 ? value >> 4 : value & 15);
        } else if (value == 0) {
            x = 0;
            y++;
        } else if (value == 1) {
            return;
        } else if (value == 2) {
            x += read.byte(at);
            y += read.byte(at + 1);
            at += 2;
        } else {
            for (unsigned index = 0; index < value; index++) {
                const unsigned byte = read.byte(at + (bits == 8 ? index : index / 2));
                put(bits == 8 ? byte : index % 2 == 0 ? byte >> 4 : byte & 15);
            }
            const unsigned size = bits == 8 ? value : (value + 1) / 2;
            at += size + size % 2;
        }
    }
}

}  // namespace

picture_result decode_bmp(const Source &source, decoded_picture &decoded) {
    const Reader read = {source};
    const uint64_t pixels = read.u32(10), header = read.u32(14);
    const bool is_old = header == 12;
    if (!is_old && (header < 40 || header > 256)) return picture_unsupported;
    const int64_t width = is_old ? read.u16(18) : static_cast<int32_t>(read.u32(18));
    const int64_t signed_height = is_old ? read.u16(20) : static_cast<int32_t>(read.u32(22));
    const int64_t height = signed_height < 0 ? -signed_height : signed_height;
    const unsigned bits = is_old ? read.u16(24) : read.u16(28), compression = is_old ? 0 : read.u32(30);
    const bool has_runs = (compression == 1 && bits == 8) || (compression == 2 && bits == 4);
    const bool has_masks = (compression == 3 || compression == 6) && (bits == 16 || bits == 32);
    if (compression != 0 && !has_runs && !has_masks) return picture_unsupported;
    if (bits != 1 && bits != 4 && bits != 8 && bits != 16 && bits != 24 && bits != 32) return picture_unsupported;
    if (pixels >= source.size) return picture_damaged;
    const picture_result made = make_white(source, width, height, decoded.picture);
    if (made != picture_decoded) return made;

    uint8_t palette[256] = {0};
    if (bits <= 8) {
        const uint32_t listed = is_old ? 0 : read.u32(46);
        const uint32_t count = listed == 0 || listed > 1u << bits ? 1u << bits : listed;
        const uint64_t first = 14 + header, entry = is_old ? 3 : 4;
        for (uint32_t index = 0; index < count; index++) {
            const uint64_t at = first + index * entry;
            palette[index] = grey_of(read.byte(at + 2), read.byte(at + 1), read.byte(at));
        }
    }
    uint32_t red = bits == 16 ? 0x7C00 : 0xFF0000, green = bits == 16 ? 0x3E0 : 0xFF00, blue = bits == 16 ? 0x1F : 0xFF;
    if (has_masks) {
        red = read.u32(54);
        green = read.u32(58);
        blue = read.u32(62);
    }
    if (has_runs) {
        decode_runs(source, pixels, bits, palette, decoded.picture);
        return picture_decoded;
    }
    const uint64_t stride = (static_cast<uint64_t>(width) * bits + 31) / 32 * 4;
    for (int64_t y = 0; y < height; y++) {
        const uint64_t line = pixels + static_cast<uint64_t>(signed_height < 0 ? y : height - 1 - y) * stride;
        if (line >= source.size) {
            decoded.is_damaged = true;
            continue;
        }
        uint8_t *result = decoded.picture.pixels + y * width;
        for (int64_t x = 0; x < width; x++) {
            if (bits <= 8) {
                const uint64_t bit = static_cast<uint64_t>(x) * bits;
                const unsigned byte = read.byte(line + bit / 8);
                result[x] = palette[byte >> (8 - bits - bit % 8) & ((1u << bits) - 1)];
            } else if (bits == 24) {
                const uint64_t at = line + 3 * static_cast<uint64_t>(x);
                result[x] = grey_of(read.byte(at + 2), read.byte(at + 1), read.byte(at));
            } else {
                const uint32_t pixel = bits == 16 ? read.u16(line + 2 * x) : read.u32(line + 4 * x);
                result[x] = grey_of(field(pixel, red), field(pixel, green), field(pixel, blue));
            }
        }
    }
    return picture_decoded;
}
