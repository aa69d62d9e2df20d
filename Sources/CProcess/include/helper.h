// A program run as a process of its own, and threads: what takes pages of pointers to say in Swift.

#ifndef HELPER_H
#define HELPER_H

#include <sys/types.h>

/// A process that runs, and this program's ends of its pipes.
typedef struct helper {
    pid_t process;
    /// Its standard input; to write to it never waits.
    int input;
    /// Its standard output.
    int output;
} helper;

/// Starts a program.
///
/// Its standard input and output are pipes, its standard error is /dev/null, and it has no other open file. No signal is
/// blocked in it, and those that this program ignores have their default action; but what ends programs from a terminal
/// (SIGINT, SIGTERM, SIGHUP, SIGQUIT) is ignored if it is here.
///
/// Returns 0, or an error number of the system.
int helper_start(const char *path, char *const environment[], helper *started);

#endif
