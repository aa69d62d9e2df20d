// Runs a program in a process of its own. In Swift, this would need many unsafe pointers.

#ifndef HELPER_H
#define HELPER_H

#include <sys/types.h>

/// A running process, and this program's ends of its pipes.
typedef struct helper {
    pid_t process;
    /// Its standard input. Writing to it never blocks.
    int input;
    /// Its standard output.
    int output;
} helper;

/// Starts a program.
///
/// Its standard input and output are pipes, its standard error is /dev/null, and it has no other open file and no terminal. No signal
/// is blocked in it. Signals that this program ignores get their default action in it, except those that a terminal
/// sends to end programs (SIGINT, SIGTERM, SIGHUP, SIGQUIT): those stay ignored.
///
/// Returns 0, or an error number of the system.
int helper_start(const char *path, char *const environment[], helper *started);

#endif
