#ifndef SANITIZER_H
#define SANITIZER_H

#include <stdbool.h>

/// Whether this was built with a sanitizer that uses shadow memory (`make test SANITIZE=…`). Shadow memory reserves
/// terabytes of addresses, so no limit on memory can be set.
bool has_shadow_memory(void);

#endif
