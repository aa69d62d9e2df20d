// HEIC, and AVIF if libheif has a decoder for it, by libheif.

#include "decode.hpp"

#include <algorithm>
#include <libheif/heif.h>

namespace {

picture_result copy_plane(const Source &source, const heif_image *image, heif_channel channel, decoded_picture &decoded) {
    int stride = 0;
    const uint8_t *plane = heif_image_get_plane_readonly(image, channel, &stride);
    const int width = heif_image_get_width(image, channel), height = heif_image_get_height(image, channel);
    if (plane == nullptr || stride < 0) return picture_damaged;
    const picture_result made = make_white(source, width, height, decoded.picture);
    if (made != picture_decoded) return made;
    const bool is_interleaved = channel == heif_channel_interleaved;
    if (heif_image_get_bits_per_pixel_range(image, channel) != 8 || stride < (is_interleaved ? 3 : 1) * width)
        return picture_unsupported;
    for (int y = 0; y < height; y++) {
        const uint8_t *from = plane + static_cast<size_t>(y) * stride;
        uint8_t *to = decoded.picture.pixels + static_cast<size_t>(y) * width;
        if (!is_interleaved)
            memcpy(to, from, width);
        else
            for (int x = 0; x < width; x++) to[x] = grey_of(from[3 * x], from[3 * x + 1], from[3 * x + 2]);
    }
    return picture_decoded;
}

/// Decodes an image, and releases the handle.
picture_result decode_image(const Source &source, heif_image_handle *handle, decoded_picture &decoded) {
    const int64_t width = heif_image_handle_get_width(handle), height = heif_image_handle_get_height(handle);
    picture_result result = picture_damaged;
    heif_decoding_options *options = heif_decoding_options_alloc();
    if (width < 1 || height < 1 || options == nullptr) {
        result = picture_damaged;
    } else if (width * height > source.most_pixels) {
        result = picture_too_large;
    } else {
        options->convert_hdr_to_8bit = 1;
        heif_image *image = nullptr;
        heif_error error = heif_decode_image(handle, &image, heif_colorspace_YCbCr, heif_chroma_420, options);
        if (error.code == heif_error_Ok) {
            result = copy_plane(source, image, heif_channel_Y, decoded);
        } else {
            error = heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGB, options);
            if (error.code == heif_error_Ok)
                result = copy_plane(source, image, heif_channel_interleaved, decoded);
            else if (error.code == heif_error_Unsupported_filetype || error.code == heif_error_Unsupported_feature)
                result = picture_unsupported;
        }
        heif_image_release(image);
    }
    heif_decoding_options_free(options);
    heif_image_handle_release(handle);
    return result;
}

/// Reads the structure of a file. The context must be released in any case.
picture_result open(const Source &source, heif_context *&context) {
    context = heif_context_alloc();
    if (context == nullptr) return picture_too_large;
    // Fewer threads take less memory. libde265 starts one all the same.
    heif_context_set_max_decoding_threads(context, 0);
    heif_context_set_maximum_image_size_limit(context, 16384);
    const heif_error error = heif_context_read_from_memory_without_copy(context, source.bytes, source.size, nullptr);
    if (error.code == heif_error_Ok) return picture_decoded;
    const bool is_unsupported =
        error.code == heif_error_Unsupported_filetype || error.code == heif_error_Unsupported_feature;
    return is_unsupported ? picture_unsupported : picture_damaged;
}

/// Whether there is a film beside the pictures (a box "moov", ISO/IEC 14496-12).
bool has_film(const Source &source) {
    const auto number = [&](uint64_t at, int count) {
        uint64_t value = 0;
        for (int index = 0; index < count; index++) value = value << 8 | source.bytes[at + index];
        return value;
    };
    for (uint64_t at = 0; source.size - at >= 16;) {
        if (source.begins("moov", 4, at + 4)) return true;
        uint64_t length = number(at, 4);
        if (length == 1) length = number(at + 8, 8);
        if (length < 8 || length > source.size - at) return false;
        at += length;
    }
    return false;
}

/// The number of pictures in a file that are asked for.
constexpr int most_images = 64;

}  // namespace

void picture_prepare_heif(void) {
    // Older versions have no such function, and their decoders are parts of the library.
#if LIBHEIF_NUMERIC_VERSION >= 0x010D0000
    heif_init(nullptr);
#endif
}

picture_result decode_heif(const Source &source, decoded_picture &decoded) {
    heif_context *context = nullptr;
    picture_result result = open(source, context);
    if (result == picture_decoded) {
        heif_image_handle *handle = nullptr;
        result = heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok
            ? decode_image(source, handle, decoded)
            : picture_damaged;
    }
    heif_context_free(context);
    return result;
}

picture_result frames_of_heif(const Source &source, Frames &frames) {
    heif_context *context = nullptr;
    picture_result result = picture_no_page;
    heif_item_id primary = 0, images[most_images] = {};
    if (open(source, context) == picture_decoded
        && heif_context_get_primary_image_ID(context, &primary).code == heif_error_Ok) {
        const int count = heif_context_get_list_of_top_level_image_IDs(context, images, most_images);
        frames.is_damaged = has_film(source) || heif_context_get_number_of_top_level_images(context) > most_images;
        int32_t number = 0;
        for (int index = 0; index < std::min(count, most_images); index++) {
            if (images[index] == primary) continue;
            decoded_picture decoded = {{nullptr, 0, 0}, 1, 1, false};
            heif_image_handle *handle = nullptr;
            result = heif_context_get_image_handle(context, images[index], &handle).code == heif_error_Ok
                ? decode_image(source, handle, decoded)
                : picture_damaged;
            if (result != picture_decoded) grey_release(&decoded.picture);
            if (result != picture_decoded || !frames.give(++number, decoded)) break;
        }
    }
    heif_context_free(context);
    return result;
}
