// Counts the allocations of a process. It is loaded before the C library (LD_PRELOAD). At the end of the process it writes the
// number of allocations and their bytes to the file that ALLOCATIONS_FILE names. Swift's objects and arrays come from malloc and
// posix_memalign.

#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static _Atomic unsigned long count, bytes;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static void note(size_t size) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

void *malloc(size_t size) {
    note(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    note(size);
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note(size);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    note(size);
    *result = __libc_memalign(alignment, size);
    return *result == NULL ? ENOMEM : 0;
}

// The file is opened first, because a run gives up the right to make files.
static int result = -1;

__attribute__((constructor)) static void open_result(void) {
    const char *path = getenv("ALLOCATIONS_FILE");
    if (path != NULL) result = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

__attribute__((destructor)) static void report(void) {
    unsigned long allocations = count, total = bytes;
    if (result >= 0) dprintf(result, "%lu %lu\n", allocations, total);
}
