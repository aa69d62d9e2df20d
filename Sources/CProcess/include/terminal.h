#ifndef TERMINAL_H
#define TERMINAL_H

#include <stddef.h>

/// Reads a line from the terminal at standard input without showing it. SIGINT, SIGTERM, SIGHUP and SIGQUIT still end the process,
/// after the terminal was restored; SIGTSTP is ignored meanwhile.
///
/// - prompt: what to write to standard error first.
/// - line: room for the line. The line break is left out.
/// - size: the size of that room.
///
/// Returns the number of bytes; -1 if the line is too long, the input has ended, or standard input is no terminal.
long read_secret_line(const char *prompt, unsigned char *line, size_t size);

#endif
