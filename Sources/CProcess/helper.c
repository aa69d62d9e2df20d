#define _GNU_SOURCE

#include "helper.h"
#include "fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

// The headers of some systems are older.
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

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

/// Starts a program as a child of this process.
static int spawn(const char *path, char *const environment[], const int ends[2], helper *made) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, restored;
    sigemptyset(&none);
    sigemptyset(&restored);
    const int ours[] = {SIGPIPE, SIGXFSZ, SIGCHLD, SIGALRM};
    for (size_t index = 0; index < sizeof ours / sizeof *ours; index++) sigaddset(&restored, ours[index]);
    char *const arguments[] = {(char *)path, NULL};

    int error = posix_spawn_file_actions_init(&files);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&files);
        return error;
    }
    if ((error = posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO)) == 0
        && (error = posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO)) == 0
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
        error = posix_spawn(&made->process, path, &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    // Nobody has waited for it yet, so the number is its own.
    if (error == 0) made->handle = (int)syscall(SYS_pidfd_open, made->process, 0);
    return error;
}

static void close_if_open(int file) {
    if (file >= 0) close(file);
}

/// Makes pipes for the standard input and output of a helper.
///
/// - ends: gets the helper's ends.
static int open_pipes(int ends[2], helper *made) {
    int input[2], output[2] = {-1, -1};
    int error = open_pipe(input);
    if (error == 0) error = open_pipe(output);
    if (error == 0 && fcntl(input[1], F_SETFL, O_NONBLOCK) != 0) error = errno;
    *made = (helper){.input = input[1], .output = output[0]};
    ends[0] = input[0];
    ends[1] = output[1];
    return error;
}

/// Closes the helper's ends, and this program's if there is no helper.
static int finish(int error, const int ends[2], const helper *made) {
    close_if_open(ends[0]);
    close_if_open(ends[1]);
    if (error != 0) {
        close_if_open(made->input);
        close_if_open(made->output);
    }
    return error;
}

int helper_start(const char *path, char *const environment[], helper *started) {
    int ends[2];
    int error = open_pipes(ends, started);
    if (error == 0)
        error = (fork_server_has_begun() ? fork_server_start : spawn)(path, environment, ends, started);
    return finish(error, ends, started);
}

int helper_copy(pid_t zygote, int milliseconds, helper *made) {
    int ends[2];
    int error = open_pipes(ends, made);
    if (error == 0) error = fork_server_copy(zygote, milliseconds, ends, made);
    return finish(error, ends, made);
}

void helper_end(pid_t process) {
    if (fork_server_has_begun()) fork_server_end(process);
    else kill(process, SIGKILL);
}
