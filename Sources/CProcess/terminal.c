#include "terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { watched_count = sizeof watched / sizeof *watched };

/// The signal that came while the line was read; 0 for none.
static volatile sig_atomic_t came;

static void note(int number) { came = number; }

static void say(const char *text) {
    // If this fails, the user sees no prompt. There is nothing else to do.
    if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

/// Reads up to the end of the line, until a signal comes.
static long read_line(unsigned char *line, size_t size) {
    size_t count = 0;
    int is_too_long = 0;
    while (!came) {
        // A signal between the check above and the wait is noticed after this time.
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        if (poll(&input, 1, 100) <= 0) continue;
        unsigned char byte;
        const ssize_t got = read(STDIN_FILENO, &byte, 1);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got <= 0) return -1;
        if (byte == '\n') return is_too_long ? -1 : (long)count;
        if (count < size) line[count++] = byte; else is_too_long = 1;
    }
    return -1;
}

long read_secret_line(const char *prompt, unsigned char *line, size_t size) {
    struct termios before;
    if (tcgetattr(STDIN_FILENO, &before) != 0) return -1;
    came = 0;
    struct sigaction action = {.sa_handler = note}, ignored = {.sa_handler = SIG_IGN}, stop;
    struct sigaction others[watched_count];
    for (int index = 0; index < watched_count; index++) {
        sigaction(watched[index], NULL, &others[index]);
        // A signal that was ignored at the start stays ignored.
        if (others[index].sa_handler != SIG_IGN) sigaction(watched[index], &action, NULL);
    }
    sigaction(SIGTSTP, &ignored, &stop);
    struct termios quiet = before;
    quiet.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
    quiet.c_lflag |= ICANON | ISIG;
    // What was typed before the prompt is dropped.
    long count = -1;
    if (tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) == 0) {
        say(prompt);
        count = read_line(line, size);
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
        say("\n");
    }
    for (int index = 0; index < watched_count; index++) sigaction(watched[index], &others[index], NULL);
    sigaction(SIGTSTP, &stop, NULL);
    if (came) {
        explicit_bzero(line, size);
        raise(came);
    }
    return count;
}
