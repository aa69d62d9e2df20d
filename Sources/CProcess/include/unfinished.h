// Files that must not be left behind if a signal ends the program. A signal handler has to be written in C.

#ifndef UNFINISHED_H
#define UNFINISHED_H

/// Makes SIGHUP, SIGINT, SIGQUIT and SIGTERM remove the unfinished files before they end the program. One that is ignored stays ignored.
///
/// To be called once, before there are other threads.
void unfinished_watch(void);

/// Begins a change of files that must be made as a whole, or not at all. Until `unfinished_end`, on the same thread, signals wait and
/// other threads cannot begin one.
void unfinished_begin(void);

/// Ends a change.
void unfinished_end(void);

/// Remembers a file that is to be removed if the program is ended. To be called during a change.
///
/// Returns 0, or an error number of the system.
int unfinished_add(const char *path);

/// Remembers a folder that is to be removed if it is empty when the program ends, or is ended. Those that are added later are removed
/// earlier.
///
/// To be called before there are other threads. Returns 0, or an error number of the system.
int unfinished_add_folder(const char *path);

/// Forgets a file: it is finished, or was removed. To be called during a change.
void unfinished_forget(const char *path);

/// Removes the unfinished files. No further change can begin after that, so the program must end.
void unfinished_remove(void);

#endif
