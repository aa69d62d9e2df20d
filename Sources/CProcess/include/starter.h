// A small process that starts the helper programs of this one, so that this one can give up the right to start programs
// (confinement.h). It is a copy of this process, made before there is anything of strangers in it. It can start programs of a list that
// is complete before, have them copied, end those that it has started, and nothing else. It ends when this process does.

#ifndef STARTER_H
#define STARTER_H

#include <stdbool.h>

/// Adds a program to the list of those that can be started.
///
/// - path: its path. There need not be a program yet.
/// - environment: its whole environment.
///
/// Returns 0, or an error number of the system.
int starter_add(const char *path, char *const environment[]);

/// Makes the process. From now on, `helper_start` starts only programs of the list, and fails if no process could be made.
///
/// To be called once, before there are other threads.
void starter_begin(void);

/// Whether `starter_begin` was called, so that another process starts the programs.
bool starter_has_begun(void);

#endif
