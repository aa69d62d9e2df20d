// The time that the libraries need to decode pictures as shcverify-scan does, and nothing else: a picture at a time, in one process.
//
//     decoder FILE…
//
// Prints the seconds within libpng (or the library of another format), zxing-cpp and ZBar, and the number of codes that zxing-cpp read.

#include "pictures.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

double seconds = 0;

template <typename Body> auto timed(Body body) {
    const auto start = std::chrono::steady_clock::now();
    auto result = body();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace

int main(int count, char **arguments) {
    size_t codes = 0;
    for (int index = 1; index < count; index++) {
        std::ifstream file(arguments[index], std::ios::binary);
        const std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(file)), {});
        decoded_picture decoded;
        if (timed([&] { return picture_decode(bytes.data(), bytes.size(), 0, 50'000'000, &decoded); }) != picture_decoded) return 1;
        found_codes found = timed([&] { return codes_by_zxing(&decoded.picture, true, false, false, 64); });
        codes += found.count;
        codes_release(&found);
        // ZBar gets a smaller copy of a large picture. Making it is not the work of a decoder.
        const double part = std::sqrt(1'500'000.0 / decoded.picture.width / decoded.picture.height);
        grey_picture small = decoded.picture;
        if (part < 1)
            small = grey_resized(
                &decoded.picture, static_cast<int32_t>(std::lround(decoded.picture.width * part)),
                static_cast<int32_t>(std::lround(decoded.picture.height * part)));
        found = timed([&] { return codes_by_zbar(&small, 64); });
        codes_release(&found);
        if (part < 1) grey_release(&small);
        grey_release(&decoded.picture);
    }
    printf("%f %zu\n", seconds, codes);
}
