// Rights that a process gives up before it sees bytes of strangers. The kernel does not give them back, also not to root. The tests
// of the sandbox (SandboxProbe) try each of them.

#ifndef SANDBOX_H
#define SANDBOX_H

#include <stdbool.h>

/// The version of Landlock, which limits what files can be used; 0 if the kernel has none.
int sandbox_landlock(void);

/// Whether the kernel can filter system calls (seccomp).
bool sandbox_filters(void);

/// Adds a folder in which files can be made, changed and removed after `sandbox_enter_worker`. If there is no such folder, nothing is added.
///
/// Returns 0, or an error number of the system.
int sandbox_add_folder(const char *path);

/// Adds a folder below which empty folders can be removed after `sandbox_enter_worker`.
///
/// Returns 0, or an error number of the system.
int sandbox_add_tidied(const char *path);

/// Gives up what a process does not need that verifies: the network; starting programs, but by the fork server (fork_server.h); signals to other
/// processes, and looking into them; making and changing files, but in the folders that were added. Open files and the right to read stay.
///
/// What the kernel cannot take away stays. To be called before there are other threads.
///
/// Returns null, or what could not be given up.
const char *sandbox_enter_worker(void);

/// Gives up what a process does not need that makes one request: opening files, but those by which the system finds addresses, libraries
/// and authorities; making and changing files; starting programs; waiting for connections; signals to other processes, and looking into them.
///
/// What the kernel cannot take away stays. To be called before there are other threads.
///
/// Returns null, or what could not be given up.
const char *sandbox_enter_fetcher(void);

#endif
