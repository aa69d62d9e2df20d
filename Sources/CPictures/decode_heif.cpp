// HEIC, and AVIF if libheif has a decoder for it, by libheif.

#include "decode.hpp"

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

picture_result decode_primary(const Source &source, heif_context *context, decoded_picture &decoded) {
    heif_image_handle *handle = nullptr;
    if (heif_context_get_primary_image_handle(context, &handle).code != heif_error_Ok) return picture_damaged;
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

}  // namespace

void picture_prepare_heif(void) {
    // Older versions have no such function, and their decoders are parts of the library.
#if LIBHEIF_NUMERIC_VERSION >= 0x010D0000
    heif_init(nullptr);
#endif
}

picture_result decode_heif(const Source &source, decoded_picture &decoded) {
    heif_context *context = heif_context_alloc();
    if (context == nullptr) return picture_too_large;
    // Fewer threads take less memory. libde265 starts one all the same.
    heif_context_set_max_decoding_threads(context, 0);
    heif_context_set_maximum_image_size_limit(context, 16384);
    picture_result result = picture_damaged;
    const heif_error error = heif_context_read_from_memory_without_copy(context, source.bytes, source.size, nullptr);
    if (error.code == heif_error_Ok)
        result = decode_primary(source, context, decoded);
    else if (error.code == heif_error_Unsupported_filetype || error.code == heif_error_Unsupported_feature)
        result = picture_unsupported;
    heif_context_free(context);
    return result;
}
