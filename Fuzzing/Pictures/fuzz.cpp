// Fuzzes the code around the decoders of pictures (Sources/CPictures), with the libraries in place. The first byte of the input
// chooses the task, the rest is the file. Pictures of other formats than ours mostly test the libraries, so most inputs are
// decoded and searched by our own code.

#include "attachments.h"
#include "pictures.h"

#include <cstdint>
#include <cstdlib>

static void ignore(void *, const uint8_t *, size_t) {}

static bool count(void *context, int32_t, decoded_picture frame) {
    grey_release(&frame.picture);
    return --*static_cast<int *>(context) > 0;
}

static void search(grey_picture picture) {
    found_codes codes = codes_by_grid(&picture, 64);
    codes_release(&codes);
    codes = codes_by_zxing(&picture, true, false, false, 64);
    codes_release(&codes);
    codes = codes_by_zbar(&picture, 64);
    codes_release(&codes);
}

static void change(const grey_picture &picture) {
    const double corners[8] = {0, 0, double(picture.width), -3, 1e9, double(picture.height), -5, double(picture.height)};
    grey_picture changed[] = {
        grey_inverted(&picture), grey_mirrored(&picture), grey_median(&picture), grey_blurred(&picture, 0.8),
        grey_sharpened(&picture, 2, 2), grey_thresholded(&picture, 31, 2), grey_equalized(&picture, 48),
        grey_resized(&picture, picture.width * 2, picture.height * 2), grey_resized(&picture, picture.width / 3 + 1, 1),
        grey_deconvolved(&picture, 5, 0, true, 2), grey_deconvolved(&picture, 9, 1, false, 2),
        grey_rectified(&picture, corners, 50),
    };
    for (grey_picture &each : changed) grey_release(&each);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < 1) return 0;
    const uint8_t task = bytes[0];
    if (task == 1) {
        attachments_left_out left_out;
        attachments_each(bytes + 1, size - 1, 16, 1 << 20, ignore, nullptr, &left_out);
        return 0;
    }
    decoded_picture decoded;
    if (task == 2 && size > 3) {
        // The pixels themselves, for the search for codes.
        const int32_t width = bytes[1] + 1;
        const int32_t height = static_cast<int32_t>((size - 2) / width);
        if (height < 1) return 0;
        grey_picture picture = {const_cast<uint8_t *>(bytes + 2), width, height};
        search(picture);
        change(picture);
        return 0;
    }
    for (int32_t page = 0; page < 2; page++) {
        if (picture_decode(bytes + 1, size - 1, page, 1 << 20, &decoded) != picture_decoded) break;
        if (int64_t(decoded.picture.width) * decoded.picture.height < 1 << 18) {
            search(decoded.picture);
            change(decoded.picture);
        }
        grey_release(&decoded.picture);
    }
    int most = 50;
    bool is_damaged;
    picture_frames(bytes + 1, size - 1, 1 << 20, count, &most, &is_damaged);
    return 0;
}
