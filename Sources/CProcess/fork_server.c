#define _GNU_SOURCE

#include "serving.h"
#include "fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The headers of some systems are older.
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

enum {
    /// Three places for each of two programs, one of them with two environments, are enough.
    most_programs = 16,
    /// The most helpers that run at once.
    most_helpers = 64,
    /// How long a zygote may take to make a copy, in milliseconds. Others wait meanwhile.
    most_wait = 2000,
    /// How long the fork server may take to answer, in seconds. It is less than what a helper may take, so that a helper is not blamed.
    most_patience = 5,
};

static struct program {
    char *path;
    char **environment;
} programs[most_programs];
static int program_count;

/// What is asked of the fork server.
struct request {
    enum { to_start, to_start_zygote, to_copy, to_end } act;
    /// The number of the program to start.
    int program;
    /// The process to end, or the zygote to copy.
    pid_t process;
    /// How long the copy may take to be made.
    int milliseconds;
};

/// The answer to a request for a process. If it could not be started, there may be a process that has ended already.
struct answer {
    int error;
    pid_t process;
    /// Its handle (pidfd), which is sent as an open file; -1 if the system gives none.
    int handle;
};

static struct answer refusal(int error) { return (struct answer){error, 0, -1}; }

int fork_server_add(const char *path, char *const environment[]) {
    int count = 0;
    if (program_count == most_programs) return ENOSPC;
    while (environment[count] != NULL) count++;
    struct program program = {strdup(path), calloc((size_t)count + 1, sizeof(char *))};
    if (program.path == NULL || program.environment == NULL) return ENOMEM;
    for (int index = 0; index < count; index++)
        if ((program.environment[index] = strdup(environment[index])) == NULL) return ENOMEM;
    programs[program_count++] = program;
    return 0;
}

// MARK: The fork server

/// The helpers that it has started. A handle (pidfd) stands for its process alone, also after the number was given to another one.
static struct {
    pid_t process;
    int handle;
    /// The connection to a zygote (zygote.h); -1 if it is none.
    int control;
} helpers[most_helpers];

static void close_if_open(int file) {
    if (file >= 0) close(file);
}

/// Whether the process of an entry runs. If not, the entry is free from now on.
static bool is_running(int entry) {
    if (helpers[entry].process == 0) return false;
    struct pollfd end = {.fd = helpers[entry].handle, .events = POLLIN};
    if (end.fd >= 0 ? poll(&end, 1, 0) == 0 : kill(helpers[entry].process, 0) == 0) return true;
    close_if_open(end.fd);
    close_if_open(helpers[entry].control);
    helpers[entry].process = 0;
    return false;
}

/// An entry that is free; -1 if there is none.
static int free_entry(void) {
    for (int entry = 0; entry < most_helpers; entry++)
        if (!is_running(entry)) return entry;
    return -1;
}

static void note(int entry, pid_t process, int handle, int control) {
    helpers[entry].process = process;
    helpers[entry].handle = handle;
    helpers[entry].control = control;
}

static void end(pid_t process) {
    for (int entry = 0; entry < most_helpers; entry++) {
        if (helpers[entry].process != process || !is_running(entry)) continue;
        // Kernels before 5.2 give no handle. The number is right as long as the parent has not waited for the process.
        if (helpers[entry].handle < 0)
            kill(process, SIGKILL);
        else if (syscall(SYS_pidfd_send_signal, helpers[entry].handle, SIGKILL, NULL, 0) != 0
                 && (errno == ENOSYS || errno == EPERM))
            // A container may refuse the call. Nobody has waited for the process: it runs.
            kill(process, SIGKILL);
    }
}

/// The new process: becomes the program, in a session of its own (see helper.h).
///
/// - files: its standard input and output. The latter is /dev/null if there is none (-1), as for a zygote.
static _Noreturn void become(const struct program *program, const int files[2], int report) {
    const bool is_zygote = files[1] < 0;
    char *const arguments[] = {program->path, is_zygote ? (char *)"zygote" : NULL, NULL};
    sigset_t none;
    sigemptyset(&none);
    setsid();
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0 && dup2(files[0], STDIN_FILENO) >= 0 && dup2(is_zygote ? null : files[1], STDOUT_FILENO) >= 0
        && dup2(null, STDERR_FILENO) >= 0) {
        sigprocmask(SIG_SETMASK, &none, NULL);
        execve(program->path, arguments, program->environment);
    }
    const int error = errno;
    // If nobody learns of it, the end of the process says enough.
    if (write(report, &error, sizeof error) < 0) _exit(126);
    _exit(127);
}

/// Starts a program as a child of the parent, so that the parent can wait for it.
///
/// - control: the connection to it if it is a zygote; else -1.
static struct answer start(const struct program *program, const int files[2], int control) {
    int report[2], handle, error = 0;
    const int entry = free_entry();
    if (entry < 0) return refusal(EAGAIN);
    if (pipe2(report, O_CLOEXEC) != 0) return refusal(errno);
    // It returns here when the program runs.
    const pid_t process = serving_copy(CLONE_VFORK, &handle);
    if (process == 0) become(program, files, report[1]);
    if (process < 0) error = errno;
    close(report[1]);
    if (process > 0 && read(report[0], &error, sizeof error) < 0) error = errno;
    close(report[0]);
    if (process < 0) return refusal(error);
    note(entry, process, handle, control);
    return (struct answer){error, process, handle};
}

static struct answer start_zygote(const struct program *program) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return refusal(errno);
    const struct answer answer = start(program, (const int[]){ends[1], -1}, ends[0]);
    close(ends[1]);
    if (answer.process == 0) close(ends[0]);
    return answer;
}

/// Has a zygote make a copy of itself, which is a child of the parent too.
///
/// - files: the standard input and output of the copy.
static struct answer copy(pid_t zygote, const int files[2], int milliseconds) {
    int source = 0;
    const int entry = free_entry();
    if (entry < 0) return refusal(EAGAIN);
    while (source < most_helpers && !(helpers[source].process == zygote && helpers[source].control >= 0)) source++;
    if (source == most_helpers) return refusal(ESRCH);
    const int control = helpers[source].control;
    char byte = 0;
    int error = serving_send(control, &byte, sizeof byte, files, 2);
    if (error != 0) return refusal(error);
    struct pollfd answer = {.fd = control, .events = POLLIN};
    const int ready = poll(&answer, 1, milliseconds < 0 ? 0 : milliseconds < most_wait ? milliseconds : most_wait);
    if (ready <= 0) return refusal(ready == 0 ? ETIMEDOUT : errno);
    int32_t process;
    int handles[2], count;
    const ssize_t size = serving_receive(control, &process, sizeof process, handles, &count);
    // A program that is no zygote may write something. A copy is in the process group of its zygote.
    if (size != sizeof process || process <= 0 || count > 1 || getpgid(process) != zygote) {
        while (count > 0) close(handles[--count]);
        return refusal(EPROTO);
    }
    note(entry, process, count == 1 ? handles[0] : -1, -1);
    return (struct answer){0, process, helpers[entry].handle};
}

/// Ends the helpers and this process, because the run is over. The helpers asked for a signal at its end (PR_SET_PDEATHSIG), but
/// Landlock does not let the run send one.
///
/// That holds for this process too, even if it asked before the run limited itself: Landlock looks at the sender when the signal is sent
/// (measured with Linux 6.18). The run cannot end it with kill(2) either. So if this process was stopped, it ends when it is continued.
static _Noreturn void end_all(void) {
    for (int entry = 0; entry < most_helpers; entry++) {
        if (!is_running(entry)) continue;
        // A zygote that was stopped may have made a copy of which it could not tell. Copies are in its process group.
        if (helpers[entry].control >= 0) kill(-helpers[entry].process, SIGKILL);
        end(helpers[entry].process);
    }
    _exit(0);
}

static _Noreturn void serve(int connection) {
    // If the whole process group of the run is killed, this process must be left to end the helpers.
    setsid();
    // Nothing of the parent is open here but the connection, which also takes the places of the standard streams. It ends when the
    // parent does.
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) dup2(connection, stream);
    serving_close_others();
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) fcntl(stream, F_SETFD, FD_CLOEXEC);
    prctl(PR_SET_NAME, "shcverify-start");
    // All signals are blocked here, and must not be handled in a new process.
    const int ours[] = {SIGPIPE, SIGXFSZ, SIGCHLD, SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    for (size_t index = 0; index < sizeof ours / sizeof *ours; index++) {
        struct sigaction present, usual = {.sa_handler = SIG_DFL};
        const bool stays = index >= 4 && sigaction(ours[index], NULL, &present) == 0 && present.sa_handler == SIG_IGN;
        if (!stays) sigaction(ours[index], &usual, NULL);
    }
    for (;;) {
        struct request request;
        int files[2], count;
        if (serving_receive(STDIN_FILENO, &request, sizeof request, files, &count) != sizeof request) end_all();
        if (request.act == to_end) {
            end(request.process);
        } else {
            const bool is_known = request.program >= 0 && request.program < program_count;
            struct answer answer = refusal(EINVAL);
            if (request.act == to_start && is_known && count == 2) answer = start(&programs[request.program], files, -1);
            if (request.act == to_start_zygote && is_known) answer = start_zygote(&programs[request.program]);
            if (request.act == to_copy && count == 2) answer = copy(request.process, files, request.milliseconds);
            if (serving_send(STDIN_FILENO, &answer, sizeof answer, &answer.handle, answer.handle >= 0 ? 1 : 0) != 0) end_all();
        }
        for (int index = 0; index < count; index++) close(files[index]);
    }
}

// MARK: Its parent

static bool has_begun;
/// Why there is no fork server; 0 if there is one.
static int begin_error = ENOSYS;
static int connection = -1;
static pid_t server;
/// Its handle; -1 if the system gives none.
static int server_handle = -1;
/// Held from a request to its answer.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
/// Whether the fork server did not answer. Then it is asked nothing more, since its next answer would be that to an earlier request.
static bool is_silent;

/// Ends the fork server.
static void finish(void) { shutdown(connection, SHUT_RDWR); }

/// Waits for the fork server, so that nobody else has to. This is done last, since it takes a moment to end.
__attribute__((destructor)) static void wait_for_server(void) {
    if (server <= 0) return;
    struct pollfd end = {.fd = server_handle, .events = POLLIN};
    for (int turn = 0; turn < 100; turn++) {
        if (waitpid(server, NULL, WNOHANG) != 0) return;
        poll(&end, 1, 1);
    }
    // It was stopped. If Landlock does not let this process end it, it stays (see `end_all`).
    kill(server, SIGKILL);
}

static int make_server(void) {
    int ends[2];
    sigset_t all, before;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    server = fork();
    if (server == 0) serve(ends[1]);
    const int error = server < 0 ? errno : 0;
    if (error == 0) server_handle = (int)syscall(SYS_pidfd_open, server, 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (error == 0) connection = ends[0];
    else close(ends[0]);
    return error;
}

void fork_server_begin(void) {
    has_begun = true;
    begin_error = make_server();
    if (begin_error == 0) atexit(finish);
}

bool fork_server_has_begun(void) { return has_begun; }

int fork_server_connection(void) { return connection; }

/// Waits for the answer of the fork server.
///
/// Returns 0, or an error number of the system: `ENOTCONN` if it does not answer.
static int receive_answer(struct answer *answer) {
    struct pollfd end = {.fd = connection, .events = POLLIN};
    // A second at a time: if this process and the fork server are stopped and continued together, the fork server gets the rest of the time.
    for (int waited = 0; !is_silent;) {
        const int count = poll(&end, 1, 1000);
        if (count > 0) break;
        if (count < 0 && errno != EINTR) return errno;
        is_silent = count == 0 && ++waited == most_patience;
    }
    if (is_silent) {
        // If it goes on later, it ends.
        shutdown(connection, SHUT_RDWR);
        return ENOTCONN;
    }
    int handles[2], count;
    const ssize_t size = serving_receive(connection, answer, sizeof *answer, handles, &count);
    answer->handle = count > 0 ? handles[0] : -1;
    return size == sizeof *answer ? 0 : size < 0 ? errno : EPIPE;
}

/// Asks for a process.
///
/// Returns 0, or an error number of the system.
static int ask(const struct request *request, const int *files, int count, helper *made) {
    if (begin_error != 0) return begin_error;
    struct answer answer = refusal(0);
    pthread_mutex_lock(&turn);
    int error = is_silent ? ENOTCONN : serving_send(connection, request, sizeof *request, files, count);
    if (error == 0) error = receive_answer(&answer);
    pthread_mutex_unlock(&turn);
    if (error == 0) error = answer.error;
    if (error != 0) {
        if (answer.process > 0) waitpid(answer.process, NULL, 0);
        close_if_open(answer.handle);
        return error;
    }
    made->process = answer.process;
    made->handle = answer.handle;
    return 0;
}

static bool is_program(const struct program *program, const char *path, char *const environment[]) {
    int index = 0;
    if (strcmp(program->path, path) != 0) return false;
    while (environment[index] != NULL && program->environment[index] != NULL
           && strcmp(environment[index], program->environment[index]) == 0)
        index++;
    return environment[index] == NULL && program->environment[index] == NULL;
}

/// Asks for a process that runs a program of the list.
static int ask_for(
    const char *path, char *const environment[], struct request request, const int *files, int count, helper *made) {
    while (request.program < program_count && !is_program(&programs[request.program], path, environment))
        request.program++;
    return request.program < program_count ? ask(&request, files, count, made) : EPERM;
}

int fork_server_start(const char *path, char *const environment[], const int ends[2], helper *made) {
    return ask_for(path, environment, (struct request){.act = to_start}, ends, 2, made);
}

int fork_server_start_zygote(const char *path, char *const environment[], helper *made) {
    return ask_for(path, environment, (struct request){.act = to_start_zygote}, NULL, 0, made);
}

int fork_server_copy(pid_t zygote, int milliseconds, const int ends[2], helper *made) {
    const struct request request = {.act = to_copy, .process = zygote, .milliseconds = milliseconds};
    return ask(&request, ends, 2, made);
}

void fork_server_end(pid_t process) {
    const struct request request = {.act = to_end, .process = process};
    // If the fork server is gone, so is this process soon.
    if (begin_error == 0) serving_send(connection, &request, sizeof request, NULL, 0);
}
