#include "data.h"

// #embed is of C23. SwiftPM compiles C in an older edition, in which clang has it too.
#pragma clang diagnostic ignored "-Wc23-extensions"

// The function that returns the bytes of an array.
#define RETURNS(name)                               \
    const uint8_t *data_##name(size_t *size) {      \
        *size = sizeof(name);                       \
        return name;                                \
    }

static const uint8_t guide_codes[] = {
#embed "data/guide-codes.txt"
};
RETURNS(guide_codes)
