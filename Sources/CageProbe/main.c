// Takes the place of a decoder that an attacker has taken over: it enters the cage and tries to get out. It prints a line for each
// attempt that succeeds, and last "done". Tests/CommandLineTests/CageTests.swift runs it.
//
// usage: CageProbe decoder|threaded|program FILE PORT
//
// FILE is a file that the user may read and write. A server listens on PORT of this machine.

#define _GNU_SOURCE

#include "cage.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sched.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

int main(int count, char *arguments[]) {
    if (count != 4) return 64;
    const char *kind = arguments[1], *path = arguments[2];
    const int is_program = strcmp(kind, "program") == 0;
    char other[4096];
    snprintf(other, sizeof other, "%s.new", path);
    if (cage_limit() != NULL) return 70;
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
    connect_to(atoi(arguments[3]));
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
