#ifndef THREADS_H
#define THREADS_H

#include <stdbool.h>

/// Runs `body` in a thread of its own, in which all signals are blocked: those for the process go to other threads, and
/// to write to a pipe that nobody reads is only an error.
///
/// Returns 0, or an error number of the system.
int thread_start(void (*body)(void *context), void *context);

/// For how many more threads there is room, `most` or fewer: they are made, all at once, and end.
int threads_room(int most);

/// Has threads take less of the address space from now on: 2 MiB for a stack, where 8 MiB are usual.
///
/// If `share_memory`, all threads get their memory from one place; otherwise the C library sets 64 MiB aside for each.
void threads_take_less(bool share_memory);

#endif
