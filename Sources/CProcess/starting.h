// What the other files of this target need to know of starter.c.

#ifndef STARTING_H
#define STARTING_H

#include <sys/types.h>

/// The connection to that process; -1 if there is none.
int starter_connection(void);

/// Has a program of the list started, with the given standard input and output. It becomes a child of this process.
///
/// Returns 0, or an error number of the system.
int starter_start(const char *path, char *const environment[], int input, int output, pid_t *process);

/// Has a program of the list started as a template (helper.h), whose connection the starter keeps.
///
/// Returns 0, or an error number of the system.
int starter_start_template(const char *path, char *const environment[], pid_t *process);

/// Has such a template make a copy of itself, with the given standard input and output.
///
/// Returns 0, ETIMEDOUT if there was no answer in time, or another error number of the system.
int starter_copy(pid_t template, int input, int output, int milliseconds, pid_t *process);

/// Has a process killed that was started or copied so.
void starter_end(pid_t process);

#endif
