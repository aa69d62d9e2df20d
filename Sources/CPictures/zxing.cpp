// QR codes by zxing-cpp. ZXing's headers define a macro that breaks zbar.h, so each decoder has a file of its own.

#define ZX_USE_UTF8 1

#include "codes.hpp"

#include <ZXing/ReadBarcode.h>

namespace {

// ZXing 2.2 gave the options another name.
#if __has_include(<ZXing/ReaderOptions.h>)
using Options = ZXing::ReaderOptions;
#else
using Options = ZXing::DecodeHints;
#endif

// The data codewords. ZXing 2 does not give them any more.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
template <typename Result>
auto codewords_of(const Result &result, int) -> decltype(result.rawBytes()) {
    return result.rawBytes();
}
#pragma GCC diagnostic pop

template <typename Result>
ZXing::ByteArray codewords_of(const Result &, ...) {
    return {};
}

void add(std::vector<found_code> &found, const ZXing::Result &result) {
    found_code code = {};
    const auto &position = result.position();
    for (int index = 0; index < 4; index++) {
        code.corners[2 * index] = position[index].x;
        code.corners[2 * index + 1] = position[index].y;
    }
    if (result.isValid()) {
        // The bytes, not the text: the text depends on a guess at the encoding.
        const auto &bytes = result.bytes();
        code.text = copied(bytes.data(), bytes.size());
        code.text_size = bytes.size();
        const std::string level = result.ecLevel();
        code.level = level.size() == 1 ? level[0] : 0;
        const auto &codewords = codewords_of(result, 0);
        code.codewords = copied(codewords.data(), codewords.size());
        code.codewords_size = codewords.size();
    }
    found.push_back(code);
}

}  // namespace

found_codes codes_by_zxing(
    const grey_picture *picture, bool tries_harder, bool uses_global_threshold, bool is_pure, int32_t most) {
    return collected([&](std::vector<found_code> &found) {
        Options hints;
        hints.setFormats(ZXing::BarcodeFormat::QRCode);
        hints.setTryHarder(tries_harder);
        hints.setTryRotate(tries_harder);
        hints.setIsPure(is_pure);
        hints.setReturnErrors(true);
        hints.setMaxNumberOfSymbols(static_cast<uint8_t>(most > 255 ? 255 : most));
        hints.setBinarizer(
            uses_global_threshold ? ZXing::Binarizer::GlobalHistogram : ZXing::Binarizer::LocalAverage);
        const ZXing::ImageView view(picture->pixels, picture->width, picture->height, ZXing::ImageFormat::Lum);
        for (const auto &result : ZXing::ReadBarcodes(view, hints)) add(found, result);
    });
}
