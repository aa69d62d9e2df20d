#ifndef BUILD_H
#define BUILD_H

/// Returns the commit from which the program was built, or "unknown". It ends with a zero byte and is never freed.
const char *build_commit(void);

#endif
