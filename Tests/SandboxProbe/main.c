// Takes the place of a process that an attacker has taken over: it enters the sandbox and tries to get out. It prints a line for each
// attempt that succeeds, and for each that fails although the process needs it, and last "done". Tests/CommandLineTests/SandboxProbeTests.swift runs it.
//
// usage: SandboxProbe decoder|threaded|program|worker|fetcher|open|free FILE PORT
//
// The first three are the sandboxes of shcverify-scan, "worker" is that of shcverify itself, and "fetcher" that of shcverify-fetch. With "open" and
// "free" there is no sandbox, to show that the attempts would succeed: those that go round about, by signals of the kernel and by a terminal, and
// those of a worker.
//
// FILE is a file that the user may read and write, in a folder with a folder "allowed". A server listens on PORT of this machine.

#define _GNU_SOURCE

#include "scan_sandbox.h"
#include "sandbox.h"
#include "helper.h"
#include "fork_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <linux/fs.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
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
    if (scan_sandbox_limit() != NULL) return 70;
    // A process that is taken over may have a pipe and a terminal already. Standard input is the terminal of this session.
    if (pipe(pipe_ends) != 0) return 70;
    if (strcmp(kind, "open") == 0) {
        signal_by_pipe(pipe_ends, victim);
        report_right("type into the terminal", ioctl(STDIN_FILENO, TIOCSTI, "x"));
        report("done", 1);
        return 0;
    }
    if (scan_sandbox_enter(is_program ? scan_sandbox_program : strcmp(kind, "threaded") == 0 ? scan_sandbox_threaded_decoder : scan_sandbox_decoder) != NULL)
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

// MARK: shcverify and shcverify-fetch

/// Reports what the process needs and cannot do.
static void need(const char *name, bool is_possible) {
    char line[100];
    snprintf(line, sizeof line, "is needed, and not possible: %s", name);
    report(line, !is_possible);
}

/// Attempts to change files.
static void change_files(const char *path) {
    char other[4096], memory[100];
    snprintf(other, sizeof other, "%s.new", path);
    snprintf(memory, sizeof memory, "/proc/%d/mem", getppid());
    report("open for writing", open(path, O_WRONLY) >= 0);
    report("open for reading and writing", open(path, O_RDWR) >= 0);
    report("open to truncate", open(path, O_RDONLY | O_TRUNC) >= 0);
    report("open to create", open(other, O_WRONLY | O_CREAT, 0600) >= 0);
    report("open without a name", open("/tmp", O_WRONLY | O_TMPFILE, 0600) >= 0);
    report("openat2", syscall(437, AT_FDCWD, path, &(uint64_t[3]){O_WRONLY, 0, 0}, 24) >= 0);
    report("open the memory of the parent", open(memory, O_RDWR) >= 0);
    report("create a directory", mkdir(other, 0700) == 0);
    report("create a pipe", mkfifo(other, 0600) == 0);
    report("create a link", symlink("/", other) == 0);
    report("link", link(path, other) == 0);
    report("rename", rename(path, other) == 0);
    report("remove", unlink(path) == 0);
    report("truncate", truncate(path, 0) == 0);
}

/// Attempts to change files by which Landlock is not asked.
static void change_attributes(const char *path, int file) {
    report("change the mode", chmod(path, 0777) == 0);
    report("change the mode of an open file", fchmod(file, 0777) == 0);
    report("change the owner", chown(path, getuid(), getgid()) == 0);
    report("change the times", utimensat(AT_FDCWD, path, NULL, 0) == 0);
    report("change an attribute", setxattr(path, "user.probe", "x", 1, 0) == 0);
}

/// Attempts to start programs and to make processes, each of which ends at once.
static void start_programs(void) {
    char *const environment[] = {NULL};
    pid_t child = (pid_t)syscall(SYS_fork);
    if (child == 0) _exit(0);
    report("fork", child > 0);
    child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    report("clone", child > 0);
    uint64_t clone3[8] = {[4] = SIGCHLD};
    child = (pid_t)syscall(435, clone3, sizeof clone3);
    if (child == 0) _exit(0);
    report("clone3", child > 0);
    helper started;
    report("start a program", helper_start("/bin/true", environment, &started) == 0);
}

/// Attempts on other processes.
static void use_processes(pid_t victim) {
    char byte, path[100];
    struct iovec own = {&byte, 1}, theirs = {(void *)&use_processes, 1};
    siginfo_t information = {.si_code = SI_QUEUE};
    report("signal the parent", kill(getppid(), 0) == 0);
    report("signal the victim", kill(victim, 0) == 0);
    report("signal all processes", kill(0, 0) == 0);
    report("signal a thread of the victim", syscall(SYS_tgkill, victim, victim, 0) == 0);
    report("signal a thread of any process", syscall(SYS_tkill, victim, 0) == 0);
    report("queue a signal", syscall(SYS_rt_sigqueueinfo, victim, SIGCONT, &information) == 0);
    report("open the victim", syscall(434, victim, 0) >= 0);
    report("read the memory of the victim", process_vm_readv(victim, &own, 1, &theirs, 1, 0) >= 0);
    report("trace the victim", ptrace(PTRACE_ATTACH, victim, 0, 0) == 0);
    report("trace", ptrace(PTRACE_TRACEME, 0, 0, 0) == 0);
    report("limit the victim", prlimit(victim, RLIMIT_NOFILE, NULL, &(struct rlimit){0, 0}) == 0);
    snprintf(path, sizeof path, "/proc/%d/environ", victim);
    if (sandbox_landlock() > 0) report("read the environment of the victim", open(path, O_RDONLY) >= 0);
    // The fork server ends nothing that it has not started. Whether the victim lives is seen later.
    helper_end(victim);
}

/// Attempts to get other things from the kernel.
static void use_kernel(void) {
    report("io_uring", syscall(425, 1, NULL) >= 0);
    report("user namespace", unshare(CLONE_NEWUSER) == 0);
    report("mount", syscall(SYS_mount, "none", "/mnt", "tmpfs", 0, NULL) == 0);
    report("add a key", syscall(SYS_add_key, "user", "probe", "x", 1, -3) >= 0);
    report("userfaultfd", syscall(SYS_userfaultfd, 1) >= 0);
#ifdef __x86_64__
    report("the interface of 32-bit pointers", syscall(0x40000000 | SYS_socket, AF_INET, SOCK_STREAM, 0) >= 0);
#endif
}

static void *open_socket(void *result) {
    *(int *)result = socket(AF_INET, SOCK_STREAM, 0);
    return result;
}

/// Opens a socket in a new thread. Threads are needed.
static bool can_open_socket_in_thread(void) {
    pthread_t thread;
    int file = -1;
    const bool is_made = pthread_create(&thread, NULL, open_socket, &file) == 0;
    need("a thread", is_made);
    if (is_made) pthread_join(thread, NULL);
    return file >= 0;
}

/// Starts the one program on the list, and reads what it writes.
static bool can_start_helper(void) {
    char *const environment[] = {NULL};
    helper started;
    char text[3];
    int status = -1;
    if (helper_start("/bin/echo", environment, &started) != 0) return false;
    close(started.input);
    const bool is_read = read(started.output, text, sizeof text) == 1 && text[0] == '\n';
    return waitpid(started.process, &status, 0) == started.process && status == 0 && is_read;
}

/// Makes, replaces and removes a file in the folder in which that is allowed.
static bool can_use(const char *folder) {
    char draft[4096], file[4096];
    snprintf(draft, sizeof draft, "%s/draft", folder);
    snprintf(file, sizeof file, "%s/file", folder);
    for (int times = 0; times < 2; times++) {
        const int made = open(draft, O_WRONLY | O_CREAT | O_EXCL, 0600);
        if (made < 0 || write(made, "x", 1) != 1 || close(made) != 0 || rename(draft, file) != 0) return false;
    }
    return truncate(file, 0) != 0 && unlink(file) == 0;
}

static int attempt_as_worker(bool is_sandboxed, const char *path, int port, pid_t victim) {
    char folder[4096], copy[4096];
    char *const environment[] = {NULL};
    snprintf(copy, sizeof copy, "%s", path);
    *strrchr(copy, '/') = 0;
    snprintf(folder, sizeof folder, "%s/allowed", copy);
    // A process that is taken over may have these already.
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int stream = socket(AF_INET, SOCK_STREAM, 0), packets = socket(AF_INET, SOCK_DGRAM, 0), file = open(path, O_RDONLY);
    int ends[2];
    if (stream < 0 || packets < 0 || file < 0 || pipe(ends) != 0) return 70;
    if (is_sandboxed) {
        if (fork_server_add("/bin/echo", environment) != 0 || sandbox_add_folder(folder) != 0) return 70;
        fork_server_begin();
        if (sandbox_enter_worker() != NULL) return 70;
    }
    report("socket", socket(AF_INET, SOCK_STREAM, 0) >= 0);
    report("socket of version 6", socket(AF_INET6, SOCK_STREAM, 0) >= 0);
    report("socket with a path", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    report("socket of the kernel", socket(AF_NETLINK, SOCK_RAW, 0) >= 0);
    report("socket pair", socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}) == 0);
    report("socket in a thread", can_open_socket_in_thread());
    struct iovec content = {"x", 1};
    struct msghdr message = {.msg_name = &address, .msg_namelen = sizeof address, .msg_iov = &content, .msg_iovlen = 1};
    report("send", sendto(packets, "x", 1, MSG_NOSIGNAL, (struct sockaddr *)&address, sizeof address) == 1);
    report("send a message", sendmsg(packets, &message, MSG_NOSIGNAL) == 1);
    report("connect", connect(stream, (struct sockaddr *)&address, sizeof address) == 0);
    address.sin_port = 0;
    report("bind", bind(packets, (struct sockaddr *)&address, sizeof address) == 0);
    report("listen", listen(socket(AF_INET, SOCK_STREAM, 0), 1) == 0 || listen(stream, 1) == 0);
    change_attributes(path, file);
    start_programs();
    use_kernel();
    if (is_sandboxed) {
        use_processes(victim);
        signal_by_pipe(ends, victim);
        int attributes = 0;
        report_right("change attributes of a file that is read", ioctl(file, FS_IOC_SETFLAGS, &attributes));
        report_right("share the content of a file", ioctl(file, FICLONE, file));
        report_right("shared memory", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
        report_right("type into the terminal", ioctl(STDIN_FILENO, TIOCSTI, "x"));
        report_right("type into the terminal, with other bits", syscall(SYS_ioctl, STDIN_FILENO, TIOCSTI | 1ul << 32, "x"));
        need("the helper", can_start_helper());
        need("the folder", can_use(folder));
    }
    if (sandbox_landlock() > 0) change_files(path);
    if (is_sandboxed) need("reading", open(path, O_RDONLY) >= 0 || errno == ENOENT);
    char *const command[] = {"/bin/true", NULL};
    if (is_sandboxed) execve(command[0], command, environment);
    report("done", 1);
    return 0;
}

static int attempt_as_fetcher(const char *path, int port, pid_t victim) {
    int ends[2];
    const int file = open(path, O_RDONLY);
    if (file < 0 || pipe(ends) != 0 || sandbox_enter_fetcher() != NULL) return 70;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int stream = socket(AF_INET, SOCK_STREAM, 0);
    need("a connection", connect(stream, (struct sockaddr *)&address, sizeof address) == 0);
    address.sin_port = 0;
    const int other = socket(AF_INET, SOCK_STREAM, 0);
    report("bind", bind(other, (struct sockaddr *)&address, sizeof address) == 0);
    report("listen", listen(other, 1) == 0);
    report("accept", accept(other, NULL, NULL) >= 0);
    need("a socket in a thread", can_open_socket_in_thread());
    need("the names of hosts", open("/etc/hosts", O_RDONLY) >= 0 || errno == ENOENT);
    if (sandbox_landlock() > 0) {
        report("open for reading", open(path, O_RDONLY) >= 0);
        report("open its own folder", open("/proc/self/cwd", O_RDONLY) >= 0);
        report("open a file by the way of /proc", open("/proc/self/root/etc/passwd", O_RDONLY) >= 0);
        report("list processes", open("/proc", O_RDONLY | O_DIRECTORY) >= 0);
        report("open the memory of the kernel", open("/proc/kcore", O_RDONLY) >= 0);
    }
    change_files(path);
    change_attributes(path, file);
    start_programs();
    // Without a fork server, this one signals by itself.
    use_processes(victim);
    use_kernel();
    signal_by_pipe(ends, victim);
    report_right("type into the terminal", ioctl(STDIN_FILENO, TIOCSTI, "x"));
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct capabilities[_LINUX_CAPABILITY_U32S_3];
    report("keep the power of root", syscall(SYS_capget, &header, capabilities) == 0 && capabilities[0].effective != 0);
    char *const command[] = {"/bin/true", NULL}, *const environment[] = {NULL};
    execve(command[0], command, environment);
    report("done", 1);
    return 0;
}

/// Makes the attempts of a process of this kind.
static int attempt_as(const char *kind, const char *path, int port, pid_t victim) {
    const bool is_worker = strcmp(kind, "worker") == 0, is_fetcher = strcmp(kind, "fetcher") == 0;
    // Then nothing is promised about files.
    if (is_worker || is_fetcher) report("no Landlock", sandbox_landlock() == 0);
    if (is_fetcher) return attempt_as_fetcher(path, port, victim);
    if (is_worker || strcmp(kind, "free") == 0) return attempt_as_worker(is_worker, path, port, victim);
    return attempt(kind, path, port, victim);
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
        // Not `_exit`: the fork server has to be ended.
        exit(attempt_as(arguments[1], arguments[2], atoi(arguments[3]), victim));
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
