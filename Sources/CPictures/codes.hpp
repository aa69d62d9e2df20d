// Shared by the decoders of QR codes.

#ifndef CODES_HPP
#define CODES_HPP

#include "pictures.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <vector>

/// A copy that `codes_release` can free; null if there is nothing to copy or no memory.
inline uint8_t *copied(const void *bytes, size_t size) {
    if (size == 0) return nullptr;
    auto *copy = static_cast<uint8_t *>(malloc(size));
    if (copy != nullptr) memcpy(copy, bytes, size);
    return copy;
}

/// Runs a decoder. If it throws, the codes that it found before count.
template <typename Body> found_codes collected(Body body) noexcept {
    found_codes result = {nullptr, 0};
    try {
        std::vector<found_code> found;
        try {
            body(found);
        } catch (const std::exception &) {
        }
        if (found.empty()) return result;
        result.codes = static_cast<found_code *>(malloc(found.size() * sizeof(found_code)));
        if (result.codes == nullptr) return result;
        memcpy(result.codes, found.data(), found.size() * sizeof(found_code));
        result.count = found.size();
    } catch (const std::exception &) {
    }
    return result;
}

#endif
