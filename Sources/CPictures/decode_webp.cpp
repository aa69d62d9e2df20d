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

picture_result frames_of_webp(const Source &source, Frames &frames) {
    const WebPData data = {source.bytes, source.size};
    WebPDemuxState state;
    WebPDemuxer *demuxer = WebPDemuxPartial(&data, &state);
    if (demuxer == nullptr) return picture_no_page;
    const auto wanted = [&](WebPFormatFeature feature) { return static_cast<int64_t>(WebPDemuxGetI(demuxer, feature)); };
    picture_result result = picture_no_page;
    if (wanted(WEBP_FF_FORMAT_FLAGS) & ANIMATION_FLAG) {
        frames.is_damaged = state != WEBP_DEMUX_DONE;
        if (wanted(WEBP_FF_FRAME_COUNT) > 1) result = picture_decoded;
    }
    WebPIterator frame = {};
    uint8_t *colours = nullptr;
    try {
        if (result == picture_decoded) result = frames.begin(wanted(WEBP_FF_CANVAS_WIDTH), wanted(WEBP_FF_CANVAS_HEIGHT));
        bool goes_on = result == picture_decoded && WebPDemuxGetFrame(demuxer, 1, &frame);
        while (goes_on) {
            int width, height;
            colours = frame.complete ? WebPDecodeRGBA(frame.fragment.bytes, frame.fragment.size, &width, &height) : nullptr;
            if (colours == nullptr || width != frame.width || height != frame.height) {
                // Of a file that was cut, the last frame is not there.
                if (frame.complete)
                    result = picture_damaged;
                else
                    frames.is_damaged = true;
                break;
            }
            if (frame.blend_method == WEBP_MUX_NO_BLEND) frames.clear(frame.x_offset, frame.y_offset, width, height);
            const uint8_t *pixel = colours;
            for (int y = 0; y < height; y++)
                for (int x = 0; x < width; x++, pixel += 4)
                    frames.put(frame.x_offset + x, frame.y_offset + y, grey_of(pixel[0], pixel[1], pixel[2]), pixel[3]);
            WebPFree(colours);
            colours = nullptr;
            if (frame.frame_num == 1)
                frames.skip();
            else if (!frames.show(frame.frame_num - 1))
                break;
            if (frame.dispose_method == WEBP_MUX_DISPOSE_BACKGROUND)
                frames.clear(frame.x_offset, frame.y_offset, width, height);
            goes_on = WebPDemuxNextFrame(&frame);
        }
    } catch (...) {
        WebPFree(colours);
        WebPDemuxReleaseIterator(&frame);
        WebPDemuxDelete(demuxer);
        throw;
    }
    WebPFree(colours);
    WebPDemuxReleaseIterator(&frame);
    WebPDemuxDelete(demuxer);
    return result;
}
