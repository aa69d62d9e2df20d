#ifndef PROGRAM_ARGUMENTS_H
#define PROGRAM_ARGUMENTS_H

/// How many arguments the program was started with, its own name among them.
int program_argument_count(void);

/// One of them, which ends with a zero and lives as long as the program; NULL if there is none of that number.
///
/// Swift's own CommandLine.arguments looks for them beside the environment, or in /proc: it finds none if a library changed
/// the environment while it was loaded, or if there is no /proc, and a gate would then run without its options.
const char *program_argument(int number);

#endif
