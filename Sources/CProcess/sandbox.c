#define _GNU_SOURCE

#include "sandbox.h"
#include "fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define COUNT(list) (sizeof list / sizeof *list)

// MARK: Files

// <linux/landlock.h> of some systems knows less, or is missing. The numbers are the same on all processors.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

enum {
    can_execute = 1 << 0,
    can_write = 1 << 1,
    can_read = 1 << 2,
    can_list = 1 << 3,
    can_remove_folder = 1 << 4,
    can_remove_file = 1 << 5,
    can_make_file = 1 << 8,
    /// All rights of the first version to make and remove something: devices, folders, files, sockets, pipes, links.
    can_make_and_remove = 0x1FF0,
    /// Since version 3. Before that, the filter alone stands against truncate(2).
    can_truncate = 1 << 14,

    /// Since version 6: no signals to processes outside, and no connections to their sockets without a path.
    scoped_sockets = 1,
    scoped_signals = 2,
};

struct domain {
    uint64_t files, network, scoped;
};

/// The files beneath a folder, or one file, and what may be done with them.
struct __attribute__((packed)) rule {
    uint64_t rights;
    int32_t file;
};

int sandbox_landlock(void) {
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    return version > 0 ? (int)version : 0;
}

/// Begins a set of rules. Without a rule, a right that it handles is gone.
///
/// Returns -1 if that is not possible.
static int begin_rules(int version, uint64_t rights) {
    const struct domain domain = {
        .files = rights | (version >= 3 ? can_truncate : 0), .scoped = version >= 6 ? scoped_sockets | scoped_signals : 0};
    // Older kernels refuse what they do not know, even if it is 0.
    const size_t size = version >= 6 ? sizeof domain : sizeof domain.files;
    return (int)syscall(SYS_landlock_create_ruleset, &domain, size, 0);
}

/// Adds a rule. What is missing needs none.
///
/// Returns 0, or an error number of the system.
static int allow(int rules, const char *path, uint64_t rights) {
    const int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return 0;
    struct rule rule = {rights, file};
    long result = syscall(SYS_landlock_add_rule, rules, 1, &rule, 0);
    if (result != 0 && errno == EINVAL) {
        // It is not a folder.
        rule.rights &= can_read | can_write | can_truncate;
        result = syscall(SYS_landlock_add_rule, rules, 1, &rule, 0);
    }
    const int error = result == 0 ? 0 : errno;
    close(file);
    return error;
}

/// The folders of the worker.
static struct place {
    struct place *next;
    char *path;
    uint64_t rights;
} *places;

static int add_place(const char *path, uint64_t rights) {
    struct place *place = malloc(sizeof *place);
    char *copy = strdup(path);
    if (place == NULL || copy == NULL) {
        free(place);
        free(copy);
        return ENOMEM;
    }
    *place = (struct place){places, copy, rights};
    places = place;
    return 0;
}

int sandbox_add_folder(const char *path) { return add_place(path, can_write | can_make_file | can_remove_file); }

int sandbox_add_tidied(const char *path) { return add_place(path, can_remove_folder); }

static const char *limit_worker(void) {
    const int version = sandbox_landlock();
    if (version == 0) return NULL;
    const int rules = begin_rules(version, can_execute | can_write | can_make_and_remove);
    if (rules < 0) return "files";
    int error = 0;
    for (const struct place *place = places; place != NULL && error == 0; place = place->next) {
        const uint64_t more = (place->rights & can_write) != 0 && version >= 3 ? can_truncate : 0;
        error = allow(rules, place->path, place->rights | more);
    }
    if (error == 0 && syscall(SYS_landlock_restrict_self, rules, 0) != 0) error = errno;
    close(rules);
    return error == 0 ? NULL : "files";
}

/// What libcurl, OpenSSL and the C library may open while they make a request. Folders with keys of the machine are not among them.
static const char *const readable[] = {
    // Libraries, and what they read.
    "/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf",
    "/etc/crypto-policies", "/dev/null", "/dev/urandom", "/sys/devices/system/cpu",
    // The addresses of names.
    "/etc/hosts", "/etc/host.conf", "/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services", "/etc/mdns.allow",
    "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/run/nscd", "/var/cache/nscd", "/var/db/nscd",
    // The authorities of TLS.
    "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem", "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem",
    "/etc/pki/ca-trust", "/etc/ca-certificates", "/var/lib/ca-certificates",
};

static const char *limit_fetcher(void) {
    const int version = sandbox_landlock();
    if (version == 0) return NULL;
    const int rules = begin_rules(version, can_execute | can_write | can_read | can_list | can_make_and_remove);
    if (rules < 0) return "files";
    int error = 0;
    for (size_t index = 0; index < COUNT(readable) && error == 0; index++)
        error = allow(rules, readable[index], can_read | can_list);
    // Dispatch reads the states of the threads, and ends the process if it cannot. Of other processes, Landlock leaves what everybody may see.
    if (error == 0) error = allow(rules, "/proc", can_read);
    if (error == 0 && syscall(SYS_landlock_restrict_self, rules, 0) != 0) error = errno;
    close(rules);
    return error == 0 ? NULL : "files";
}

// MARK: System calls

// The headers of some systems are older.
#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW 4
#endif

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/// The first system call that is newer than Linux 5.0. From there on, all processors have the same numbers.
enum { first_new_call = 424 };

/// FS_IOC_ENABLE_VERITY, which older headers lack.
static const uint32_t enable_verity = 0x40806685;

/// Of the new calls, those that a process needs which computes. The others are not there, as if the kernel were older: among them are those that
/// make files, connections and processes in new ways.
static const uint32_t new_calls[] = {
    436 /* close_range */, 439 /* faccessat2 */, 441 /* epoll_pwait2 */, 449 /* futex_waitv */, 453 /* map_shadow_stack */,
    454 /* futex_wake */, 455 /* futex_wait */, 456 /* futex_requeue */, 462 /* mseal */,
};

/// A filter of system calls, in the instructions of the kernel (seccomp(2)).
struct filter {
    struct sock_filter steps[768];
    unsigned short count;
};

enum {
    refused = SECCOMP_RET_ERRNO | EPERM,
    /// As if the kernel did not have it. Then the C library takes an older call.
    absent = SECCOMP_RET_ERRNO | ENOSYS,
};

static void add(struct filter *filter, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false) {
    // A filter that is too long is refused as a whole (`set`).
    if (filter->count < sizeof filter->steps / sizeof *filter->steps)
        filter->steps[filter->count] = (struct sock_filter){code, if_true, if_false, value};
    filter->count++;
}

static void load(struct filter *filter, size_t offset) { add(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }

/// Loads an argument. The kernel reads no more than this half of those that are compared here, and processors with the other order
/// of bytes are not supported.
static void load_argument(struct filter *filter, int number) {
    load(filter, offsetof(struct seccomp_data, args) + 8 * (size_t)number);
}

static void skip_unless(struct filter *filter, uint32_t value, int count) {
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 0, (uint8_t)count);
}

static void answer(struct filter *filter, uint32_t value) { add(filter, BPF_RET | BPF_K, value, 0, 0); }

/// Refuses calls, which are sorted, by halving them. When a filter is set, the kernel tries it with each call, so its steps count.
static void refuse_sorted(struct filter *filter, const int *calls, size_t count) {
    if (count <= 4) {
        for (size_t index = 0; index < count; index++)
            add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[index], (uint8_t)(count - index), 0);
        add(filter, BPF_JMP | BPF_JA, 1, 0, 0);
        return answer(filter, refused);
    }
    const size_t half = count / 2;
    struct sock_filter *const choice = &filter->steps[filter->count];
    add(filter, BPF_JMP | BPF_JGE | BPF_K, (uint32_t)calls[half], 0, 0);
    const unsigned short before = filter->count;
    refuse_sorted(filter, calls, half);
    struct sock_filter *const end = &filter->steps[filter->count];
    add(filter, BPF_JMP | BPF_JA, 0, 0, 0);
    const unsigned short between = filter->count;
    refuse_sorted(filter, calls + half, count - half);
    choice->jt = (uint8_t)(between - before);
    end->k = (uint32_t)(filter->count - between);
}

static int compare(const void *one, const void *other) { return *(const int *)one - *(const int *)other; }

/// Refuses the calls of two lists.
static void refuse(struct filter *filter, const int *calls, size_t count, const int *others, size_t other_count) {
    int all[128];
    memcpy(all, calls, count * sizeof *all);
    memcpy(all + count, others, other_count * sizeof *all);
    qsort(all, count + other_count, sizeof *all, compare);
    refuse_sorted(filter, all, count + other_count);
}


/// Refuses a call unless an argument has one of two values.
static void keep_for(struct filter *filter, int call, int argument, uint32_t one, uint32_t other) {
    skip_unless(filter, (uint32_t)call, 5);
    load_argument(filter, argument);
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, one, 2, 0);
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, other, 1, 0);
    answer(filter, refused);
    answer(filter, SECCOMP_RET_ALLOW);
}

/// Refuses a call if an argument has a value.
static void refuse_for(struct filter *filter, int call, int argument, const uint32_t *values, size_t count) {
    skip_unless(filter, (uint32_t)call, (int)(2 * count + 2));
    load_argument(filter, argument);
    for (size_t index = 0; index < count; index++) {
        skip_unless(filter, values[index], 1);
        answer(filter, refused);
    }
    answer(filter, SECCOMP_RET_ALLOW);
}

/// Refuses commands about an open file that have the kernel signal other processes, or watch folders for this one.
static void refuse_signals(struct filter *filter) {
    const uint32_t commands[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_NOTIFY, F_SETLEASE};
    const size_t count = COUNT(commands);
    skip_unless(filter, SYS_fcntl, (int)(2 * count + 6));
    load_argument(filter, 1);
    for (size_t index = 0; index < count; index++) {
        skip_unless(filter, commands[index], 1);
        answer(filter, refused);
    }
    skip_unless(filter, F_SETFL, 3);
    load_argument(filter, 2);
    add(filter, BPF_JMP | BPF_JSET | BPF_K, O_ASYNC, 0, 1);
    answer(filter, refused);
    answer(filter, SECCOMP_RET_ALLOW);
}

/// Refuses a call if an argument has one of some bits, or if it has none of them.
static void refuse_bits(struct filter *filter, int call, int argument, uint32_t bits, bool if_any) {
    skip_unless(filter, (uint32_t)call, 4);
    load_argument(filter, argument);
    add(filter, BPF_JMP | BPF_JSET | BPF_K, bits, if_any ? 0 : 1, if_any ? 1 : 0);
    answer(filter, refused);
    answer(filter, SECCOMP_RET_ALLOW);
}

/// What neither process needs.
static const int unneeded[] = {
    // Starting programs, and other processes.
    SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_tkill, SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo, SYS_kcmp, SYS_setns, SYS_unshare,
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
    // Connections from others.
    SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
    // What the kernel would do outside of the other limits.
    SYS_mq_open, SYS_mq_unlink, SYS_shmget, SYS_msgget, SYS_semget, SYS_ioprio_set, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_open_by_handle_at, SYS_fanotify_init,
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_swapon, SYS_swapoff, SYS_reboot, SYS_init_module, SYS_finit_module,
    SYS_delete_module, SYS_kexec_load, SYS_quotactl, SYS_acct, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex,
    SYS_sethostname, SYS_setdomainname, SYS_syslog, SYS_vhangup, SYS_personality,
#ifdef SYS_iopl
    SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
    // Changes of files by which Landlock is not asked.
    SYS_truncate, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
    SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
};

/// The network, as far as it is not in the list above.
static const int network[] = {
    SYS_socket, SYS_socketpair, SYS_connect, SYS_sendto, SYS_sendmmsg,
};

/// Making and changing files.
static const int changes[] = {
    SYS_mkdirat, SYS_mknodat, SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_fallocate, SYS_ftruncate,
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_mkdir
    SYS_mkdir, SYS_mknod, SYS_unlink, SYS_rmdir, SYS_rename, SYS_link, SYS_symlink, SYS_creat,
#endif
};

_Static_assert(COUNT(unneeded) + COUNT(network) <= 128 && COUNT(unneeded) + COUNT(changes) <= 128, "refuse() has room for all");

static void begin_filter(struct filter *filter, const int *others, size_t other_count) {
#ifdef OWN_ARCHITECTURE
    load(filter, offsetof(struct seccomp_data, arch));
    skip_unless(filter, OWN_ARCHITECTURE, 1);
    add(filter, BPF_JMP | BPF_JA, 1, 0, 0);
    answer(filter, refused);
#endif
    load(filter, offsetof(struct seccomp_data, nr));
    // This is also about the calls of the x32 interface, whose numbers begin at 2^30.
    const size_t count = COUNT(new_calls);
    add(filter, BPF_JMP | BPF_JGE | BPF_K, first_new_call, 0, (uint8_t)(2 * count + 1));
    for (size_t index = 0; index < count; index++) {
        skip_unless(filter, new_calls[index], 1);
        answer(filter, SECCOMP_RET_ALLOW);
    }
    answer(filter, absent);
    refuse(filter, unneeded, COUNT(unneeded), others, other_count);
    const uint32_t self = (uint32_t)getpid();
    // abort(3) and raise(3) signal the process itself.
    keep_for(filter, SYS_kill, 0, self, self);
    keep_for(filter, SYS_tgkill, 0, self, self);
    keep_for(filter, SYS_prlimit64, 0, 0, self);
    // Threads are made, and no processes. The C library uses this call if there is no clone3, whose flags are in memory, where a filter
    // cannot see them.
    refuse_bits(filter, SYS_clone, 0, CLONE_THREAD, false);
    refuse_signals(filter);
    // The same by other ways, and commands that type into a terminal, or take it over.
    const uint32_t controls[] = {
        FIOASYNC, FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX, TIOCSCTTY, TIOCSPGRP,
        // Changes of files for which it is enough to read them: their attributes, and what they share with others.
        FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS, FS_IOC_SETVERSION, FS_IOC32_SETVERSION, FS_IOC_FSSETXATTR, FICLONE, FICLONERANGE,
        FIDEDUPERANGE, FIFREEZE, FITHAW, FITRIM, enable_verity};
    refuse_for(filter, SYS_ioctl, 1, controls, COUNT(controls));
}

/// Returns null, or what could not be given up.
static const char *set(struct filter *filter) {
    answer(filter, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {filter->count, filter->steps};
    if (filter->count > sizeof filter->steps / sizeof *filter->steps) return "system calls";
#ifdef OWN_ARCHITECTURE
    // Without the flag, some kernels slow the process down, as if it ran programs of others in itself.
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0) return NULL;
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0) return NULL;
    return sandbox_filters() ? "system calls" : NULL;
#else
    (void)program;
    return NULL;
#endif
}

bool sandbox_filters(void) {
#ifdef OWN_ARCHITECTURE
    const uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#else
    return false;
#endif
}

// MARK: Processes

/// Takes the power of root over files of others and over the kernel.
static bool drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return syscall(SYS_capset, &header, none) == 0;
}

const char *sandbox_enter_worker(void) {
    struct filter filter = {.count = 0};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "privileges";
    const char *problem = limit_worker();
    if (problem != NULL) return problem;
    begin_filter(&filter, network, COUNT(network));
    // Only the fork server is spoken to. Without one, no file has this number.
    const uint32_t connection = (uint32_t)fork_server_connection();
    keep_for(&filter, SYS_sendmsg, 0, connection, connection);
    return set(&filter);
}

const char *sandbox_enter_fetcher(void) {
    struct filter filter = {.count = 0};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "privileges";
    if (!drop_capabilities()) return "capabilities";
    const char *problem = limit_fetcher();
    if (problem != NULL) return problem;
    begin_filter(&filter, changes, COUNT(changes));
    const uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
    refuse_bits(&filter, SYS_openat, 2, writing, true);
#ifdef SYS_open
    refuse_bits(&filter, SYS_open, 1, writing, true);
#endif
    return set(&filter);
}
