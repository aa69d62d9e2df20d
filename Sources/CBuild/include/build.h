#ifndef BUILD_H
#define BUILD_H

/// Returns the commit from which the program was built, or "unknown". It ends with a zero byte and is never freed.
const char *build_commit(void);

/// Returns the name and address of the person who answers for the build, or nothing. It ends with a zero byte and is never freed.
const char *build_maintainer(void);

/// Returns the URL at which the build is offered, or nothing. It ends with a zero byte and is never freed.
const char *build_homepage(void);

#endif
