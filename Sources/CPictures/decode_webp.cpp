// WebP by libwebp.

#include "decode.hpp"

#include <cstdlib>
#include <webp/decode.h>
#include <webp/demux.h>

namespace {

picture_result decode_still(const Source &source, const uint8_t *bytes, size_t size, decoded_picture &decoded) {
    WebPBitstreamFeatures features;
    const VP8StatusCode status = WebPGetFeatures(bytes, size, &features);
    if (status != VP8_STATUS_OK) return picture_damaged;
    const picture_result made = make_white(source, features.width, features.height, decoded.picture);
    if (made != picture_decoded) return made;
    const size_t count = static_cast<size_t>(features.width) * features.height;
    if (!features.has_alpha) {
        // The brightness alone takes a third of the memory of the colours.
        uint8_t *u, *v;
        int width, height, stride, uv_stride;
        uint8_t *y = WebPDecodeYUV(bytes, size, &width, &height, &u, &v, &stride, &uv_stride);
        if (y == nullptr) return picture_damaged;
        if (width != features.width || height != features.height) {
            WebPFree(y);
            return picture_damaged;
        }
        for (int line = 0; line < height; line++)
            memcpy(decoded.picture.pixels + static_cast<size_t>(line) * width, y + static_cast<size_t>(line) * stride, width);
        WebPFree(y);
        return picture_decoded;
    }
    int width, height;
    uint8_t *colours = WebPDecodeRGBA(bytes, size, &width, &height);
    if (colours == nullptr) return picture_damaged;
    if (width != features.width || height != features.height) {
        WebPFree(colours);
        return picture_damaged;
    }
    for (size_t index = 0; index < count; index++) {
        const uint8_t *pixel = colours + 4 * index;
        decoded.picture.pixels[index] = grey_on_white(grey_of(pixel[0], pixel[1], pixel[2]), pixel[3]);
    }
    WebPFree(colours);
    return picture_decoded;
}

}  // namespace

picture_result decode_webp(const Source &source, decoded_picture &decoded) {
    // The first frame of an animation is a picture of its own.
    const WebPData data = {source.bytes, source.size};
    WebPDemuxState state;
    WebPDemuxer *demuxer = WebPDemuxPartial(&data, &state);
    if (demuxer == nullptr) return picture_damaged;
    WebPIterator frame;
    picture_result result = picture_damaged;
    if (WebPDemuxGetFrame(demuxer, 1, &frame)) {
        result = decode_still(source, frame.fragment.bytes, frame.fragment.size, decoded);
        WebPDemuxReleaseIterator(&frame);
    }
    WebPDemuxDelete(demuxer);
    return result;
}
