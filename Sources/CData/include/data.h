#ifndef DATA_H
#define DATA_H

#include <stddef.h>
#include <stdint.h>

// Files of data that are part of the program. Each function returns the bytes of one, which are never freed, and sets their number.
//
// To add a file, put it in data/ (or name another file of the repository), embed it in data.c, and declare its function here. Swift reads it
// through `EmbeddedFile` in `Bytes`.

#pragma clang assume_nonnull begin

const uint8_t *data_guide_codes(size_t *size);

#pragma clang assume_nonnull end

#endif
