// QR codes by zxing-cpp. ZXing's headers define a macro that breaks zbar.h, so each decoder has a file of its own.

#define ZX_USE_UTF8 1

#include "codes.hpp"

#include <ZXing/ReadBarcode.h>

#include <algorithm>

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

found_code code_at(const ZXing::Position &position) {
    found_code code = {};
    for (int index = 0; index < 4; index++) {
        code.corners[2 * index] = position[index].x;
        code.corners[2 * index + 1] = position[index].y;
    }
    return code;
}

/// - Parameter isSymbol: whether it is one symbol, of which lint knows more than the text.
void add(std::vector<found_code> &found, found_code code, const ZXing::Result &result, bool isSymbol) {
    if (result.isValid()) {
        // The bytes, not the text: the text depends on a guess at the encoding.
        const auto &bytes = result.bytes();
        code.text = copied(bytes.data(), bytes.size());
        code.text_size = bytes.size();
        const std::string level = result.ecLevel();
        code.level = isSymbol && level.size() == 1 ? level[0] : 0;
        const auto &codewords = codewords_of(result, 0);
        if (isSymbol) {
            code.codewords = copied(codewords.data(), codewords.size());
            code.codewords_size = codewords.size();
        }
    }
    found.push_back(code);
}

/// Adds the symbols of structured append (ISO/IEC 18004 §8) as one code with all of the text, whose corners are around them all, as ZBar
/// gives it. A symbol without the others was only seen.
void add_joined(std::vector<found_code> &found, const ZXing::Results &results) {
    const auto wholes = ZXing::MergeStructuredAppendSequences(results);
    const auto belongs = [](const ZXing::Result &part, const ZXing::Result &whole) {
        return part.isPartOfSequence() && part.sequenceId() == whole.sequenceId();
    };
    for (const auto &whole : wholes) {
        found_code code = {};
        bool isFirst = true;
        for (const auto &part : results) {
            if (!belongs(part, whole)) continue;
            for (int index = 0; index < 4; index++) {
                const auto point = part.position()[index];
                const double px = point.x, py = point.y;
                for (int corner = 0; corner < 4; corner++) {
                    auto &x = code.corners[2 * corner], &y = code.corners[2 * corner + 1];
                    if (isFirst) x = px, y = py;
                    x = corner == 1 || corner == 2 ? std::max<double>(x, px) : std::min<double>(x, px);
                    y = corner >= 2 ? std::max<double>(y, py) : std::min<double>(y, py);
                }
                isFirst = false;
            }
        }
        add(found, code, whole, false);
    }
    for (const auto &part : results) {
        const auto isIn = [&](const ZXing::Result &whole) { return belongs(part, whole); };
        if (part.isPartOfSequence() && std::none_of(wholes.begin(), wholes.end(), isIn))
            found.push_back(code_at(part.position()));
    }
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
        const auto results = ZXing::ReadBarcodes(view, hints);
        for (const auto &result : results)
            if (!result.isPartOfSequence()) add(found, code_at(result.position()), result, true);
        add_joined(found, results);
    });
}
