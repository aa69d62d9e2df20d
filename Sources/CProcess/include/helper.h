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

/// A process that makes a copy of itself for each run of a helper. A copy is made in less than a millisecond, whereas a program with
/// many libraries takes ten or more to start.
typedef struct helper_template {
    pid_t process;
    /// This program's end of a socket; -1 if the starter has it (starter.h). The template ends when it is closed.
    int control;
} helper_template;

/// Starts a program as a template: with the argument `template`, and the socket as its standard input. Its standard output is
/// /dev/null. All else is as in `helper_start`. The thread that calls this must live until the copies have ended.
///
/// Returns 0, or an error number of the system.
int helper_start_template(const char *path, char *const environment[], helper_template *started);

/// Has a template make a copy of itself, whose standard input and output are new pipes. The copy is a child of this process, not of
/// the template, so it is waited for and killed like a helper that was started.
///
/// Returns 0, ETIMEDOUT if there was no answer within so many milliseconds, or another error number of the system.
int helper_copy(const helper_template *source, int milliseconds, helper *started);

/// Kills a process that `helper_start` or `helper_copy` has made, and that nobody has waited for yet.
void helper_end(pid_t process);

/// Ends a template that nobody has waited for yet. The copies go on.
void helper_end_template(const helper_template *source);

#endif
