// A process that makes copies of itself, so that nobody waits until the libraries are loaded: a copy is made in less than a
// millisecond, whereas a program with many libraries takes ten or more to start.

#ifndef ZYGOTE_H
#define ZYGOTE_H

/// Makes a copy of this process for each message on standard input, a socket, and answers with the copy's process number. A message
/// has two open files, which become the standard input and output of the copy.
///
/// It returns in each copy, and never in the process that calls it, which ends when the socket is closed. That process reads no byte of
/// an input, so no copy finds anything in its memory of what another one has read.
void zygote_serve(void);

#endif
