#ifndef THREADS_H
#define THREADS_H

#include <stdbool.h>

/// Runs `body` in a new thread in which all signals are blocked. So signals for the process go to other threads, and
/// writing to a pipe without a reader only gives an error.
///
/// Returns 0, or an error number of the system.
int thread_start(void (*body)(void *context), void *context);

/// Returns how many more threads can be created, at most `most`. It finds out by creating them all at once, and ends
/// them.
int threads_room(int most);

/// Makes new threads take less of the address space: 2 MiB for a stack instead of the usual 8 MiB.
///
/// If `share_memory`, all threads allocate from one arena; otherwise the C library reserves 64 MiB for each.
void use_small_stacks(bool share_memory);

#endif
