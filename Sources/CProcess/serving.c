#define _GNU_SOURCE

#include "serving.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// The headers of some systems are older.
#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x1000
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

/// Room for two open files.
union rights {
    struct cmsghdr header;
    char room[CMSG_SPACE(2 * sizeof(int))];
};

int serving_send(int connection, const void *bytes, size_t size, const int *files, int count) {
    union rights rights = {.room = {0}};
    struct iovec content = {(void *)bytes, size};
    struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
    if (count > 0) {
        const size_t length = (size_t)count * sizeof(int);
        message.msg_control = &rights;
        message.msg_controllen = CMSG_SPACE(length);
        rights.header = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(length), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&rights.header), files, length);
    }
    ssize_t sent;
    do sent = sendmsg(connection, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? errno : 0;
}

ssize_t serving_receive(int connection, void *bytes, size_t size, int files[2], int *count) {
    union rights rights;
    struct iovec content = {bytes, size};
    struct msghdr message = {
        .msg_iov = &content, .msg_iovlen = 1, .msg_control = &rights, .msg_controllen = sizeof rights};
    ssize_t received;
    do received = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    *count = 0;
    const struct cmsghdr *header = received > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header == NULL || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) return received;
    *count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    memcpy(files, CMSG_DATA(header), (size_t)*count * sizeof(int));
    return received;
}

pid_t serving_copy(int flags, int *handle) {
    flags |= CLONE_PARENT | SIGCHLD;
    *handle = -1;
    // The first argument is the flags on x86-64 and ARM.
    const pid_t process = (pid_t)syscall(SYS_clone, (long)(flags | CLONE_PIDFD), NULL, handle, NULL, NULL);
    // Not every system that runs Linux programs knows handles.
    if (process >= 0 || errno != EINVAL) return process;
    return (pid_t)syscall(SYS_clone, (long)flags, NULL, NULL, NULL, NULL);
}

void serving_close_others(void) {
    if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0) == 0) return;
    for (int file = STDERR_FILENO + 1; file < sysconf(_SC_OPEN_MAX); file++) close(file);
}
