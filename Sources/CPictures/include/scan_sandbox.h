// The limits within which pictures and documents are read.

#ifndef SCAN_SANDBOX_H
#define SCAN_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/// Which system calls a process needs.
typedef enum scan_sandbox_kind {
    /// To decode a picture with one thread: memory, time, and reading and writing open files.
    scan_sandbox_decoder,
    /// To decode a picture with several threads, as the decoders of HEIC and AVIF do.
    scan_sandbox_threaded_decoder,
    /// To run a program that draws a document. It may read the system's libraries, fonts and settings, and nothing else. It
    /// may not write files, start other programs, or use the network.
    scan_sandbox_program,
} scan_sandbox_kind;

/// Sets the limits that hold for all tasks: memory, processor time, wall time, open files, no core dump, and the end with the
/// parent's end. Closes all files but the standard streams.
///
/// Returns null, or what could not be limited.
const char *scan_sandbox_limit(void);

/// Forbids to write files, and all system calls but those of the kind. This cannot be undone.
///
/// Returns null, or what could not be done.
const char *scan_sandbox_enter(scan_sandbox_kind kind);

/// Replaces standard input by a file in memory with these bytes.
///
/// Returns false if there is no memory for it.
bool scan_sandbox_set_input(const void *bytes, size_t size);

/// Replaces the process by a program, with an empty environment. Returns only if that fails.
void scan_sandbox_run(const char *path, const char *const arguments[]);

/// The processor time of the process so far, in milliseconds.
long scan_sandbox_milliseconds_used(void);

/// The wall time since `scan_sandbox_limit`, in milliseconds.
long scan_sandbox_milliseconds_passed(void);

#endif
