#ifndef FILES_H
#define FILES_H

#include <stdbool.h>

/// Returns how many more files can be opened at once, at most `most`. It finds out by opening them, and closes them.
int files_room(int most);

/// Returns whether a folder is in /proc. Its links lead to open files, which their texts only describe.
bool files_are_of_processes(const char *folder);

#endif
