#ifndef FILES_H
#define FILES_H

/// Returns how many more files can be opened at once, at most `most`. It finds out by opening them, and closes them.
int files_room(int most);

#endif
