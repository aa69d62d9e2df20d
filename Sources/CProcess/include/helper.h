// Runs a program in a process of its own. In Swift, this would need many unsafe pointers.
//
// The processes of a program start through another one (fork_server.h), and those of a library by themselves.

#ifndef HELPER_H
#define HELPER_H

#include <sys/types.h>

/// A running process, and this program's ends of its pipes.
typedef struct helper {
    pid_t process;
    /// A handle (pidfd), which can be read when the process has ended; -1 if the system gives none, as kernels before 5.3.
    int handle;
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

/// Has a zygote (fork_server.h) make a copy of itself, whose standard input and output are new pipes. The copy is a child of this process,
/// not of the zygote, so it is waited for and killed like a helper that was started.
///
/// Returns 0, ETIMEDOUT if there was no answer within so many milliseconds, or another error number of the system.
int helper_copy(pid_t zygote, int milliseconds, helper *made);

/// Kills a process that nobody has waited for yet.
void helper_end(pid_t process);

#endif
