// For the processes that make others for their parent: the fork server (fork_server.h), and a zygote (zygote.h).

#ifndef SERVING_H
#define SERVING_H

#include <stddef.h>
#include <sys/types.h>

/// Sends a message with open files, at most two.
///
/// Returns 0, or an error number of the system.
int serving_send(int connection, const void *bytes, size_t size, const int *files, int count);

/// Waits for a message.
///
/// - files: gets the files that came with it. They are closed on exec.
/// - count: gets their number.
///
/// Returns the size of the message; 0 if there are no more.
ssize_t serving_receive(int connection, void *bytes, size_t size, int files[2], int *count);

/// Makes a copy of this process, as fork(2) does, but as a child of its parent. The C library runs nothing of its own meanwhile, so this
/// process must have one thread.
///
/// - flags: further flags of clone(2).
/// - handle: gets a handle (pidfd), which stands for the copy alone, also after its number was given to another process; -1 if the
///   system gives none, as kernels before 5.2.
///
/// Returns the number of the copy; 0 in the copy; or -1.
pid_t serving_copy(int flags, int *handle);

/// Closes all files but the standard streams.
void serving_close_others(void);

#endif
