#define _GNU_SOURCE

#include "unfinished.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct file {
    struct file *next;
    char *path;
    /// Whether it is a folder, which is removed only if it is empty.
    bool is_folder;
};

/// Held during a change. A handler may not wait for a mutex of the C library. It can wait for this one, since the thread that holds it
/// has blocked all signals and so cannot be the one that the handler interrupts.
static atomic_flag is_changing = ATOMIC_FLAG_INIT;
/// The signals that were blocked before the change.
static sigset_t before;
static struct file *files;

static void lock(void) {
    const struct timespec pause = {.tv_nsec = 1000000};
    while (atomic_flag_test_and_set_explicit(&is_changing, memory_order_acquire)) nanosleep(&pause, NULL);
}

void unfinished_begin(void) {
    sigset_t all, others;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &others);
    lock();
    before = others;
}

void unfinished_end(void) {
    const sigset_t others = before;
    atomic_flag_clear_explicit(&is_changing, memory_order_release);
    pthread_sigmask(SIG_SETMASK, &others, NULL);
}

static int add(const char *path, bool is_folder) {
    struct file *file = malloc(sizeof *file);
    char *copy = strdup(path);
    if (file == NULL || copy == NULL) {
        free(file);
        free(copy);
        return ENOMEM;
    }
    *file = (struct file){files, copy, is_folder};
    files = file;
    return 0;
}

int unfinished_add(const char *path) { return add(path, false); }

static void remove_file(const struct file *file) {
    if (file->is_folder)
        rmdir(file->path);
    else
        unlink(file->path);
}

/// At the usual end of the process, its files are finished.
static void remove_folders(void) {
    unfinished_begin();
    for (const struct file *file = files; file != NULL; file = file->next)
        if (file->is_folder) remove_file(file);
    unfinished_end();
}

int unfinished_add_folder(const char *path) {
    static bool is_registered;
    unfinished_begin();
    const int error = add(path, true);
    unfinished_end();
    if (error == 0 && !is_registered) is_registered = atexit(remove_folders) == 0;
    return error;
}

void unfinished_forget(const char *path) {
    for (struct file **place = &files; *place != NULL; place = &(*place)->next) {
        struct file *file = *place;
        if (strcmp(file->path, path) != 0) continue;
        *place = file->next;
        free(file->path);
        free(file);
        return;
    }
}

void unfinished_remove(void) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    lock();
    for (const struct file *file = files; file != NULL; file = file->next) remove_file(file);
}

/// Ends the process here, since the lock is not given back. It must not wait for the return from the handler: another thread may
/// begin to watch for the signal in between (Dispatch does), and would then get it in place of the default action.
static void end(int number) {
    lock();
    for (const struct file *file = files; file != NULL; file = file->next) remove_file(file);
    const struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, number);
    sigaction(number, &action, NULL);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &own, NULL);
    _exit(128 + number);
}

void unfinished_watch(void) {
    const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    struct sigaction action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND}, present;
    // A second signal must not interrupt the handler: its thread holds the lock.
    sigfillset(&action.sa_mask);
    for (size_t index = 0; index < sizeof ending / sizeof *ending; index++)
        if (sigaction(ending[index], NULL, &present) == 0 && present.sa_handler == SIG_DFL)
            sigaction(ending[index], &action, NULL);
}
