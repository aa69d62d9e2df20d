#ifndef FILES_H
#define FILES_H

#include <stdbool.h>

/// Returns how many more files can be opened at once, at most `most`. It finds out by opening them, and closes them.
int files_room(int most);

/// Returns whether something is mounted at a path, as containers mount single files. Such a file cannot be replaced.
///
/// - folder: the folder of the path.
bool files_is_mounted(const char *path, const char *folder);

/// Makes sure that there is room on the disk for so many bytes of a file, if the file system can do that. The content stays.
///
/// Returns 0, or an error number of the system.
int files_reserve(int file, long long size);

/// Returns whether a folder is in /proc. Its links lead to open files, which their texts only describe.
bool files_are_of_processes(const char *folder);

/// Returns whether a folder is in /proc or /sys, where no program makes files, whatever the permissions say.
bool files_are_of_system(const char *folder);

/// Returns whether the system lists a user as a member of a group. If that is not known, it returns true.
bool files_group_has_members(unsigned number);

#endif
