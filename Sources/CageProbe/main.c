// Takes the place of a decoder that an attacker has taken over: it enters the cage and tries to get out. It prints a line for each
// attempt that succeeds, and last "done". Tests/CommandLineTests/CageTests.swift runs it.
//
// usage: CageProbe decoder|threaded|program|open FILE PORT
//
// With "open" there is no cage. Then it only makes the attempts that go round about, by signals of the kernel and by a terminal, to show that
// they would succeed.
//
// FILE is a file that the user may read and write. A server listens on PORT of this machine.

#define _GNU_SOURCE

#include "cage.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void report(const char *name, int has_succeeded) {
    char line[100];
    if (!has_succeeded) return;
    const int length = snprintf(line, sizeof line, "%s\n", name);
    if (write(STDOUT_FILENO, line, (size_t)length) != length) _exit(2);
}

static void connect_to(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int file = socket(AF_INET, SOCK_STREAM, 0);
    report("socket", file >= 0);
    report("connect", connect(file, (struct sockaddr *)&address, sizeof address) == 0);
}

/// Reports an attempt that succeeds, or that fails for another reason than a lack of rights. That would show nothing.
static void report_right(const char *name, long result) {
    char line[100];
    report(name, result >= 0);
    if (result >= 0 || errno == EPERM) return;
    snprintf(line, sizeof line, "%s: error %d", name, errno);
    report(line, 1);
}

/// Has the kernel send SIGKILL to the victim, as a notice that a pipe can be read.
static void signal_by_pipe(const int pipe[2], pid_t victim) {
    report_right("own a pipe for another process", fcntl(pipe[0], F_SETOWN, victim));
    struct f_owner_ex owner = {F_OWNER_PID, victim};
    report_right("own a pipe for another process, by the extended form", fcntl(pipe[0], F_SETOWN_EX, &owner));
    report_right("choose the signal of a pipe", fcntl(pipe[0], F_SETSIG, SIGKILL));
    report_right("ask for signals of a pipe", fcntl(pipe[0], F_SETFL, O_ASYNC));
    if (write(pipe[1], "x", 1) != 1) _exit(2);
}

/// Makes the attempts.
static int attempt(const char *kind, const char *path, int port, pid_t victim) {
    const int is_program = strcmp(kind, "program") == 0;
    int pipe_ends[2];
    char other[4096];
    snprintf(other, sizeof other, "%s.new", path);
    if (cage_limit() != NULL) return 70;
    // A process that is taken over may have a pipe and a terminal already. Standard input is the terminal of this session.
    if (pipe(pipe_ends) != 0) return 70;
    if (strcmp(kind, "open") == 0) {
        signal_by_pipe(pipe_ends, victim);
        report_right("type into the terminal", ioctl(STDIN_FILENO, TIOCSTI, "x"));
        report("done", 1);
        return 0;
    }
    if (cage_close(is_program ? cage_program : strcmp(kind, "threaded") == 0 ? cage_threaded_decoder : cage_decoder) != NULL)
        return 70;

    // A program has to read its libraries and fonts.
    if (!is_program) report("open for reading", open(path, O_RDONLY) >= 0);
    report("open for writing", open(path, O_WRONLY) >= 0);
    report("open for reading and writing", open(path, O_RDWR) >= 0);
    report("open to truncate", open(path, O_RDONLY | O_TRUNC) >= 0);
    report("open to create", open(other, O_WRONLY | O_CREAT, 0600) >= 0);
    report("openat2", syscall(437, AT_FDCWD, path, &(uint64_t[3]){O_WRONLY, 0, 0}, 24) >= 0);
    report("create a directory", mkdir(other, 0700) == 0);
    report("rename", rename(path, other) == 0);
    report("link", link(path, other) == 0);
    report("remove", unlink(path) == 0);
    report("change the mode", chmod(path, 0777) == 0);
    report("truncate", truncate(path, 0) == 0);
    connect_to(port);
    report("socket pair", socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}) == 0);
    const pid_t child = (pid_t)syscall(SYS_fork);
    if (child == 0) _exit(0);
    report("fork", child > 0);
    const pid_t other_child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (other_child == 0) _exit(0);
    report("clone", other_child > 0);
    if (!is_program) {
        char *const command[] = {"/bin/true", NULL}, *const environment[] = {NULL};
        execve(command[0], command, environment);
    }
    report("signal the parent", kill(getppid(), 0) == 0);
    report("signal a thread of the parent", syscall(SYS_tgkill, getppid(), getppid(), 0) == 0);
    report("signal the victim", kill(victim, 0) == 0);
    signal_by_pipe(pipe_ends, victim);
    report_right("type into the terminal", ioctl(STDIN_FILENO, TIOCSTI, "x"));
    // A filter that compares more than the kernel reads could be passed by other bits.
    report_right("type into the terminal, with other bits", syscall(SYS_ioctl, STDIN_FILENO, TIOCSTI | 1ul << 32, "x"));
    report("limit the parent",
           prlimit(getppid(), RLIMIT_CPU, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}, NULL) == 0);
    struct stat status;
    if (!is_program) report("ask about a file", syscall(SYS_newfstatat, AT_FDCWD, path, &status, 0) == 0);
    report("trace", ptrace(PTRACE_TRACEME, 0, 0, 0) == 0);
    report("take the limits back",
           setrlimit(RLIMIT_CPU, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}) == 0);
    report("take 500 MB", mmap(NULL, 500 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    report("io_uring", syscall(425, 1, NULL) >= 0);
    report("user namespace", unshare(0x10000000) == 0);
    report("done", 1);
    return 0;
}

/// Makes the other end of a terminal the terminal of this process, and its standard input.
static int take_terminal(const char *name) {
    if (setsid() < 0) return -1;
    const int other = open(name, O_RDWR | O_NOCTTY);
    return other < 0 || ioctl(other, TIOCSCTTY, 0) != 0 || dup2(other, STDIN_FILENO) < 0 ? -1 : 0;
}

int main(int count, char *arguments[]) {
    if (count != 4) return 64;
    int status = 0;
    // The terminal hangs up when this handle is closed.
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) return 71;
    // The victim has the same user. It only answers when it is asked.
    int question[2], answer[2];
    if (pipe(question) != 0 || pipe(answer) != 0) return 71;
    const pid_t victim = fork();
    if (victim == 0) {
        char byte;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(question[1]);
        close(answer[0]);
        if (read(question[0], &byte, 1) == 1 && write(answer[1], &byte, 1) != 1) _exit(1);
        for (;;) pause();
    }
    close(question[0]);
    close(answer[1]);
    const pid_t attacker = fork();
    if (attacker == 0) {
        if (take_terminal(ptsname(terminal)) != 0) _exit(71);
        _exit(attempt(arguments[1], arguments[2], atoi(arguments[3]), victim));
    }
    if (victim < 0 || attacker < 0 || waitpid(attacker, &status, 0) != attacker) return 71;
    // The kernel sends the signal while the attacker writes to the pipe, so it is there by now. The victim may not have ended yet, but
    // it cannot answer any more: it would have to return from the kernel first. Then its end of the pipe closes without an answer.
    char byte = 0;
    signal(SIGPIPE, SIG_IGN);
    const int is_alive = write(question[1], "?", 1) == 1 && read(answer[0], &byte, 1) == 1;
    report("kill another process", !is_alive);
    kill(victim, SIGKILL);
    waitpid(victim, NULL, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 72;
}
