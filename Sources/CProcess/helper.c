#define _GNU_SOURCE

#include "helper.h"
#include "starter.h"
#include "starting.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/// Moves a file to a descriptor above the standard streams, so that setting those up does not close it.
static int above_standard(int file) {
    if (file > STDERR_FILENO) return file;
    int other = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int error = errno;
    close(file);
    errno = error;
    return other;
}

static int open_pipe(int ends[2]) {
    int made[2];
    ends[0] = ends[1] = -1;
    if (pipe2(made, O_CLOEXEC) != 0) return errno;
    ends[0] = above_standard(made[0]);
    int error = ends[0] < 0 ? errno : 0;
    ends[1] = above_standard(made[1]);
    return error != 0 ? error : ends[1] < 0 ? errno : 0;
}

/// - Parameters:
///   - argument: its argument, or NULL.
///   - output: its standard output, or -1 for /dev/null.
static int spawn(
    const char *path, const char *argument, char *const environment[], int input, int output, pid_t *process) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, restored;
    sigemptyset(&none);
    sigemptyset(&restored);
    const int ours[] = {SIGPIPE, SIGXFSZ, SIGCHLD, SIGALRM};
    for (size_t index = 0; index < sizeof ours / sizeof *ours; index++) sigaddset(&restored, ours[index]);
    char *const arguments[] = {(char *)path, (char *)argument, NULL};

    int error = posix_spawn_file_actions_init(&files);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&files);
        return error;
    }
    if ((error = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO)) == 0
        && (error = output >= 0
                ? posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO)
                : posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)) == 0
        && (error = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0)) == 0
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
        // Close descriptors that this program inherited. Its own are closed on exec.
        && (error = posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1)) == 0
#endif
        && (error = posix_spawnattr_setsigmask(&attributes, &none)) == 0
        && (error = posix_spawnattr_setsigdefault(&attributes, &restored)) == 0
        // The helper gets its own session. It has no terminal, so a helper that was taken over cannot type into the user's. A signal
        // from the terminal is meant for this program, which may ignore it or finish its work first. The helper ends when this
        // program does.
        && (error = posix_spawnattr_setflags(
                &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID)) == 0)
        error = posix_spawn(process, path, &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

static void close_if_open(int file) {
    if (file >= 0) close(file);
}

/// Pipes for a helper's standard streams.
typedef struct pipes {
    int input[2], output[2];
} pipes;

static void close_pipes(const pipes *pipes) {
    for (int end = 0; end < 2; end++) {
        close_if_open(pipes->input[end]);
        close_if_open(pipes->output[end]);
    }
}

static int open_pipes(pipes *pipes) {
    pipes->output[0] = pipes->output[1] = -1;
    int error = open_pipe(pipes->input);
    if (error == 0) error = open_pipe(pipes->output);
    if (error == 0 && fcntl(pipes->input[1], F_SETFL, O_NONBLOCK) != 0) error = errno;
    if (error != 0) close_pipes(pipes);
    return error;
}

/// Closes the helper's ends, and hands out this program's.
static void keep_ends(const pipes *pipes, helper *started) {
    close(pipes->input[0]);
    close(pipes->output[1]);
    started->input = pipes->input[1];
    started->output = pipes->output[0];
}

int helper_start(const char *path, char *const environment[], helper *started) {
    pipes pipes;
    int error = open_pipes(&pipes);
    if (error != 0) return error;
    error = starter_has_begun()
        ? starter_start(path, environment, pipes.input[0], pipes.output[1], &started->process)
        : spawn(path, NULL, environment, pipes.input[0], pipes.output[1], &started->process);
    if (error != 0)
        close_pipes(&pipes);
    else
        keep_ends(&pipes, started);
    return error;
}

int helper_start_template(const char *path, char *const environment[], helper_template *started) {
    int ends[2];
    started->control = -1;
    if (starter_has_begun()) return starter_start_template(path, environment, &started->process);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    ends[0] = above_standard(ends[0]);
    ends[1] = above_standard(ends[1]);
    int error = ends[0] < 0 || ends[1] < 0 ? EMFILE : 0;
    if (error == 0) error = spawn(path, "template", environment, ends[1], -1, &started->process);
    close_if_open(ends[1]);
    started->control = ends[0];
    if (error != 0) close_if_open(ends[0]);
    return error;
}

/// Sends the helper's ends of the pipes.
static int send_ends(int control, const pipes *pipes) {
    const int ends[2] = {pipes->input[0], pipes->output[1]};
    char byte = 0;
    struct iovec content = {&byte, 1};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof ends)];
    } rights;
    memset(&rights, 0, sizeof rights);
    struct msghdr message = {
        .msg_iov = &content, .msg_iovlen = 1, .msg_control = &rights, .msg_controllen = sizeof rights};
    rights.header = (struct cmsghdr){
        .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof ends)};
    memcpy(CMSG_DATA(&rights.header), ends, sizeof ends);
    return sendmsg(control, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1 ? 0 : errno;
}

/// Waits for the number of the copy.
static int receive_process(int control, int milliseconds, pid_t *process) {
    struct pollfd file = {control, POLLIN, 0};
    int32_t number;
    const int count = poll(&file, 1, milliseconds);
    if (count == 0) return ETIMEDOUT;
    if (count < 0 || recv(control, &number, sizeof number, MSG_DONTWAIT) != sizeof number || number <= 0) return EPROTO;
    // It must be a child of this process that has not been waited for. Otherwise the number could be that of any process.
    siginfo_t information;
    if (waitid(P_PID, (id_t)number, &information, WEXITED | WNOHANG | WNOWAIT) != 0) return EPROTO;
    *process = number;
    return 0;
}

int helper_copy(const helper_template *source, int milliseconds, helper *started) {
    pipes pipes;
    int error = open_pipes(&pipes);
    if (error != 0) return error;
    if (starter_has_begun()) {
        error = starter_copy(source->process, pipes.input[0], pipes.output[1], milliseconds, &started->process);
    } else {
        error = send_ends(source->control, &pipes);
        if (error == 0) error = receive_process(source->control, milliseconds, &started->process);
    }
    if (error != 0)
        close_pipes(&pipes);
    else
        keep_ends(&pipes, started);
    return error;
}

void helper_end(pid_t process) {
    if (starter_has_begun()) starter_end(process);
    else kill(process, SIGKILL);
}

void helper_end_template(const helper_template *source) {
    close_if_open(source->control);
    helper_end(source->process);
}
