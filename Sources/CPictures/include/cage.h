// The limits within which pictures and documents are read.

#ifndef CAGE_H
#define CAGE_H

#include <stdbool.h>
#include <stddef.h>

/// Which system calls a process needs.
typedef enum cage_kind {
    /// To decode a picture with one thread: memory, time, and reading and writing open files.
    cage_decoder,
    /// To decode a picture with several threads, as the decoders of HEIC and AVIF do.
    cage_threaded_decoder,
    /// To run a program that draws a document. It may read the system's libraries, fonts and settings, and nothing else. It
    /// may not write files, start other programs, or use the network.
    cage_program,
} cage_kind;

/// Sets the limits that hold for all tasks: memory, processor time, wall time, open files, no core dump, and the end with the
/// parent's end. Closes all files but the standard streams.
///
/// Returns null, or what could not be limited.
const char *cage_limit(void);

/// Forbids to write files, and all system calls but those of the kind. This cannot be undone.
///
/// Returns null, or what could not be done.
const char *cage_close(cage_kind kind);

/// Replaces standard input by a file in memory with these bytes.
///
/// Returns false if there is no memory for it.
bool cage_set_input(const void *bytes, size_t size);

/// Replaces the process by a program, with an empty environment. Returns only if that fails.
void cage_run(const char *path, const char *const arguments[]);

/// The processor time of the process so far, in milliseconds.
long cage_milliseconds_used(void);

/// The wall time since `cage_limit`, in milliseconds.
long cage_milliseconds_passed(void);

#endif
