#define _GNU_SOURCE

#include "template.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// The headers of some systems are older.
#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x1000
#endif

/// Waits for the two ends of pipes that a copy gets. False if no more copies are wanted.
static bool receive_ends(int ends[2]) {
    char byte;
    struct iovec content = {&byte, 1};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(2 * sizeof(int))];
    } rights;
    struct msghdr message = {
        .msg_iov = &content, .msg_iovlen = 1, .msg_control = &rights, .msg_controllen = sizeof rights};
    ssize_t count;
    do count = recvmsg(STDIN_FILENO, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    const struct cmsghdr *header = count == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header == NULL || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(2 * sizeof(int))) return false;
    memcpy(ends, CMSG_DATA(header), 2 * sizeof(int));
    return true;
}

/// Says which process the copy is. A handle (pidfd), which kernels before 5.2 do not give, goes to who may have to end it.
static bool send_process(int32_t process, int handle) {
    struct iovec content = {&process, sizeof process};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof handle)];
    } rights = {.room = {0}};
    struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
    if (handle >= 0) {
        message.msg_control = &rights;
        message.msg_controllen = sizeof rights;
        rights.header = (struct cmsghdr){
            .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof handle)};
        memcpy(CMSG_DATA(&rights.header), &handle, sizeof handle);
    }
    return sendmsg(STDIN_FILENO, &message, MSG_NOSIGNAL) == sizeof process;
}

void template_serve(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close_range(STDERR_FILENO + 1, ~0u, 0);
    int ends[2];
    while (receive_ends(ends)) {
        // A child of this process's parent, which waits for it. With one thread, and without handlers that the C library would run, the
        // bare call is enough. Its first argument is the flags on x86-64 and ARM.
        int handle = -1;
        int32_t process =
            (int32_t)syscall(SYS_clone, CLONE_PARENT | CLONE_PIDFD | SIGCHLD, NULL, &handle, NULL, NULL);
        // Not every system that runs Linux programs knows handles.
        if (process < 0 && errno == EINVAL)
            process = (int32_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
        if (process == 0) {
            // From here on, the copy has nothing in common with the template: the socket is closed with its standard input.
            if (dup2(ends[0], STDIN_FILENO) < 0 || dup2(ends[1], STDOUT_FILENO) < 0) _exit(1);
            close(ends[0]);
            close(ends[1]);
            return;
        }
        close(ends[0]);
        close(ends[1]);
        const bool is_sent = send_process(process, handle);
        if (handle >= 0) close(handle);
        if (!is_sent) break;
    }
    _exit(0);
}
