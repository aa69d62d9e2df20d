// QR codes by ZBar.

#include "codes.hpp"

#include <algorithm>
#include <zbar.h>

using namespace zbar;

namespace {

/// The corners of the code from the points that ZBar gives. They are the code's own corners, anticlockwise from the top left.
void place(found_code &code, const zbar_symbol_t *symbol) {
    const unsigned count = zbar_symbol_get_loc_size(symbol);
    if (count != 4) return;
    const unsigned order[4] = {0, 3, 2, 1};
    for (unsigned index = 0; index < 4; index++) {
        code.corners[2 * index] = zbar_symbol_get_loc_x(symbol, order[index]);
        code.corners[2 * index + 1] = zbar_symbol_get_loc_y(symbol, order[index]);
    }
}

}  // namespace

found_codes codes_by_zbar(const grey_picture *picture, int32_t most) {
    return collected([&](std::vector<found_code> &found) {
        zbar_image_scanner_t *scanner = zbar_image_scanner_create();
        if (scanner == nullptr) return;
        zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0);
        zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1);
        // The bytes as they are, without a guess at the encoding.
        zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1);
        zbar_image_t *image = zbar_image_create();
        if (image != nullptr) {
            zbar_image_set_format(image, zbar_fourcc('Y', '8', '0', '0'));
            zbar_image_set_size(image, picture->width, picture->height);
            const auto size = static_cast<unsigned long>(picture->width) * picture->height;
            zbar_image_set_data(image, picture->pixels, size, nullptr);
            zbar_scan_image(scanner, image);
            const zbar_symbol_t *symbol = zbar_image_first_symbol(image);
            for (; symbol != nullptr && found.size() < static_cast<size_t>(most); symbol = zbar_symbol_next(symbol)) {
                if (zbar_symbol_get_type(symbol) != ZBAR_QRCODE) continue;
                found_code code = {};
                code.text_size = zbar_symbol_get_data_length(symbol);
                code.text = copied(zbar_symbol_get_data(symbol), code.text_size);
                place(code, symbol);
                found.push_back(code);
            }
            zbar_image_destroy(image);
        }
        zbar_image_scanner_destroy(scanner);
    });
}

void codes_release(found_codes *codes) {
    for (size_t index = 0; index < codes->count; index++) {
        free(codes->codes[index].text);
        free(codes->codes[index].codewords);
    }
    free(codes->codes);
    *codes = {nullptr, 0};
}
