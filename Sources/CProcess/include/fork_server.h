// A small process that starts the helper programs of this one, so that this one can give up the right to start programs
// (sandbox.h). It is a copy of this process, made before there is anything of strangers in it. It can start programs of a list that
// is complete before, have them copied, end those that it has started, and nothing else. It ends when this process does.

#ifndef FORK_SERVER_H
#define FORK_SERVER_H

#include "helper.h"

#include <stdbool.h>

/// Adds a program to the list of those that can be started.
///
/// - path: its path. There need not be a program yet.
/// - environment: its whole environment.
///
/// Returns 0, or an error number of the system.
int fork_server_add(const char *path, char *const environment[]);

/// Makes the process. From now on, `helper_start` starts only programs of the list, and fails if no process could be made.
///
/// To be called once, before there are other threads.
void fork_server_begin(void);

/// Whether `fork_server_begin` was called, so that another process starts the programs.
bool fork_server_has_begun(void);

/// The connection to that process; -1 if there is none.
int fork_server_connection(void);

/// Has a program of the list started, as a child of this process.
///
/// - ends: its standard input and output.
/// - started: gets the process and its handle.
///
/// Returns 0, or an error number of the system.
int fork_server_start(const char *path, char *const environment[], const int ends[2], helper *started);

/// Has a program of the list started as a zygote (zygote.h): with the argument `zygote`, and a socket as its standard input, whose
/// other end the fork server keeps. Its standard output is /dev/null. All else is as in `helper_start`.
///
/// Returns 0, or an error number of the system, as if there is no fork server.
int fork_server_start_zygote(const char *path, char *const environment[], helper *started);

/// Has such a zygote make a copy of itself, with the given standard input and output.
///
/// Returns 0, ETIMEDOUT if there was no answer in time, or another error number of the system.
int fork_server_copy(pid_t zygote, int milliseconds, const int ends[2], helper *made);

/// Has a process killed that was started or copied so.
void fork_server_end(pid_t process);

#endif
