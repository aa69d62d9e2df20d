#ifndef SANITIZER_H
#define SANITIZER_H

#include <stdbool.h>

/// Whether this was built with a sanitizer that keeps notes about all memory there could be (`make test SANITIZE=…`). It
/// reserves terabytes of addresses for them, so no limit on memory can be set.
bool has_shadow_memory(void);

#endif
