#define _GNU_SOURCE

#include "threads.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct start {
    void (*body)(void *);
    void *context;
};

static void *run(void *pointer) {
    struct start start = *(struct start *)pointer;
    free(pointer);
    start.body(start.context);
    return NULL;
}

int thread_start(void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    if (start == NULL) return ENOMEM;
    *start = (struct start){body, context};
    int error = pthread_attr_init(&attributes);
    if (error == 0) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_attr_setstacksize(&attributes, 1 << 20);
        // A new thread inherits the set of blocked signals.
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        error = pthread_create(&thread, &attributes, run, start);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
    }
    if (error != 0) free(start);
    return error;
}

static void *wait_for_the_others(void *pointer) {
    pthread_mutex_t *all_are_made = pointer;
    pthread_mutex_lock(all_are_made);
    pthread_mutex_unlock(all_are_made);
    return NULL;
}

int threads_room(int most) {
    pthread_mutex_t all_are_made = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t attributes;
    pthread_t *threads = calloc(most, sizeof *threads);
    int made = 0, left;
    if (threads == NULL || pthread_attr_init(&attributes) != 0) {
        free(threads);
        return 0;
    }
    // With large stacks, the address space could be the limit instead of the number of threads.
    pthread_attr_setstacksize(&attributes, 1 << 17);
    pthread_mutex_lock(&all_are_made);
    while (made < most && pthread_create(&threads[made], &attributes, wait_for_the_others, &all_are_made) == 0) made++;
    pthread_mutex_unlock(&all_are_made);
    for (left = made; left > 0; left--) pthread_join(threads[left - 1], NULL);
    pthread_attr_destroy(&attributes);
    free(threads);
    return made;
}

void use_small_stacks(bool share_memory) {
    const size_t enough = 2 << 20;
    size_t size = 0;
    pthread_attr_t attributes;
    if (pthread_getattr_default_np(&attributes) == 0) {
        if (pthread_attr_getstacksize(&attributes, &size) == 0 && size > enough) {
            pthread_attr_setstacksize(&attributes, enough);
            pthread_setattr_default_np(&attributes);
        }
        pthread_attr_destroy(&attributes);
    }
#ifdef __GLIBC__
    if (share_memory) mallopt(M_ARENA_MAX, 1);
#endif
}
