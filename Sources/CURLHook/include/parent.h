#ifndef PARENT_H
#define PARENT_H

#include <stdbool.h>

/// Asks the kernel to kill this process when the thread that started it ends (prctl(2), PR_SET_PDEATHSIG). Swift cannot
/// call prctl, because it takes a variable number of arguments.
bool die_with_parent(void);

#endif
