#ifndef PROGRAM_ARGUMENTS_H
#define PROGRAM_ARGUMENTS_H

/// Returns the number of arguments that the program was started with, including its own name.
int program_argument_count(void);

/// Returns the argument with this number, or NULL if there is none. It ends with a zero byte and is never freed.
///
/// Swift's own CommandLine.arguments searches for the arguments next to the environment, or in /proc. It finds none if
/// a library changed the environment while it was loaded, or if there is no /proc. Then shcverify would run without its
/// options.
const char *program_argument(int number);

#endif
