#ifndef FILES_H
#define FILES_H

/// How many more files can be opened at once, `most` or fewer: they are, and are closed again.
int files_room(int most);

#endif
