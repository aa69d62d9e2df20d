#define _GNU_SOURCE

#include "scan_sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SHADOW_MEMORY 1
#endif
#endif

enum {
    processor_seconds = 8,
    wall_seconds = 9,
    /// Address space in bytes, and how much of it may be written: heap, stacks and private mappings.
    address_space = 400 << 20,
    written_memory = 300 << 20,
    /// Poppler and librsvg open some fonts and libraries at once.
    open_files = 64,
};

static int limit(int resource, rlim_t value) {
    struct rlimit given, wanted = {value, value};
    // A lower limit of the environment stays.
    if (getrlimit(resource, &given) == 0 && given.rlim_max < value) wanted.rlim_cur = wanted.rlim_max = given.rlim_max;
    return setrlimit(resource, &wanted);
}

static struct timespec start;

const char *scan_sandbox_limit(void) {
    clock_gettime(CLOCK_MONOTONIC, &start);
    // Signals may be ignored or blocked by inheritance, and the alarm must end the process.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGALRM, SIG_DFL);
    signal(SIGXCPU, SIG_DFL);
    alarm(wall_seconds);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close_range(STDERR_FILENO + 1, ~0u, 0);
    // 1, since a core dump can go to a program whatever its size, unless the limit is 1.
    if (limit(RLIMIT_CORE, 1) != 0) return "core dumps";
    if (limit(RLIMIT_CPU, processor_seconds) != 0) return "processor time";
    if (limit(RLIMIT_NOFILE, open_files) != 0) return "open files";
#ifndef HAS_SHADOW_MEMORY
    if (limit(RLIMIT_AS, address_space) != 0) return "address space";
    if (limit(RLIMIT_DATA, written_memory) != 0) return "memory";
#endif
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "privileges";
    return NULL;
}

// MARK: System calls

static int allow(scmp_filter_ctx filter, const int *calls, size_t count) {
    for (size_t index = 0; index < count; index++)
        if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[index], 0) != 0) return -1;
    return 0;
}

#define ALLOW(filter, list) allow(filter, list, sizeof list / sizeof *list)

/// What any process needs that computes with open files.
static const int basic[] = {
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap),
    SCMP_SYS(madvise), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(rt_sigreturn), SCMP_SYS(futex), SCMP_SYS(getrandom),
    SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(fstat), SCMP_SYS(lseek),
    // The C library's qsort asks how much memory there is.
    SCMP_SYS(sysinfo),
    // abort(3) ends a process that has found an error in itself.
    SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(rt_sigprocmask),
};

/// What threads need besides.
static const int threads[] = {
    SCMP_SYS(rt_sigaction), SCMP_SYS(mprotect), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_yield), SCMP_SYS(prctl), SCMP_SYS(clock_nanosleep), SCMP_SYS(set_tid_address),
};

/// What a program needs besides to load its libraries, fonts and settings.
static const int files[] = {
    SCMP_SYS(execve), SCMP_SYS(arch_prctl), SCMP_SYS(newfstatat), SCMP_SYS(close), SCMP_SYS(stat), SCMP_SYS(lstat),
    SCMP_SYS(statx), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
    SCMP_SYS(getdents64), SCMP_SYS(pread64), SCMP_SYS(readv), SCMP_SYS(dup), SCMP_SYS(poll),
    SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(getcwd), SCMP_SYS(uname),
    SCMP_SYS(statfs), SCMP_SYS(fstatfs), SCMP_SYS(sigaltstack), SCMP_SYS(getrusage), SCMP_SYS(times), SCMP_SYS(umask),
    SCMP_SYS(eventfd2), SCMP_SYS(pipe2), SCMP_SYS(fadvise64), SCMP_SYS(getppid), SCMP_SYS(getrlimit), SCMP_SYS(nanosleep),
    SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait), SCMP_SYS(ppoll),
    SCMP_SYS(clock_getres), SCMP_SYS(getresuid), SCMP_SYS(getresgid),
};

/// Allows calls that may only concern this process and its open files.
static int allow_own(scmp_filter_ctx filter) {
    // abort(3) signals itself. The C library asks for facts about an open file with this flag and an empty path.
    if (seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 2, SCMP_A0_64(SCMP_CMP_EQ, (uint64_t)getpid()),
            SCMP_A2_64(SCMP_CMP_EQ, SIGABRT)) != 0)
        return -1;
    return seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(newfstatat), 1, SCMP_A3_64(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, AT_EMPTY_PATH));
}

/// Allows new threads, but not new processes.
static int allow_threads(scmp_filter_ctx filter) {
    if (ALLOW(filter, threads) != 0) return -1;
    // The flags of clone3 are in memory, where a filter cannot see them. Without it, the C library calls clone.
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) != 0) return -1;
    return seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
}

/// Allows opening files for reading.
static int allow_reading(scmp_filter_ctx filter) {
    const uint64_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1, SCMP_A2_64(SCMP_CMP_MASKED_EQ, writing, 0)) != 0
        || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1, SCMP_A1_64(SCMP_CMP_MASKED_EQ, writing, 0)) != 0)
        return -1;
    // Its own limits may be read, but not set.
    if (seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_A0_64(SCMP_CMP_EQ, 0), SCMP_A2_64(SCMP_CMP_EQ, 0)) != 0)
        return -1;
    // Other commands could have the kernel signal any process of the user (F_SETOWN), or type into a terminal (TIOCSTI).
    const int duplicating[] = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC};
    for (size_t index = 0; index < sizeof duplicating / sizeof *duplicating; index++)
        if (seccomp_rule_add(
                filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1, SCMP_A1_64(SCMP_CMP_EQ, (uint64_t)duplicating[index])) != 0)
            return -1;
    // The C library asks whether standard output is a terminal.
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1, SCMP_A1_64(SCMP_CMP_EQ, TCGETS)) != 0) return -1;
    return ALLOW(filter, files);
}

// MARK: Files

/// What a Landlock domain handles, as far as it is used here. The headers of some systems know less of it.
struct domain {
    uint64_t files, network, scoped;
};

/// Scopes of Landlock 6 (Linux 6.12): abstract sockets and signals of processes outside.
enum { scoped_sockets = 1, scoped_signals = 2 };

/// Limits which files can be opened to the system's own, if the kernel can do that (Landlock, Linux 5.13). Otherwise the
/// program may read what the user may read, but can still send it nowhere but to this program's parent. Also forbids signals to other
/// processes, if Landlock can do that.
///
/// Returns whether the files are hidden, or the kernel cannot hide them.
static bool hide_files(void) {
    static const char *const readable[] = {
        "/usr", "/lib", "/lib64", "/bin", "/etc/fonts", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime",
        "/etc/passwd", "/var/cache/fontconfig", "/var/lib/ghostscript", "/dev/null", "/proc/self", "/proc/sys/vm",
    };
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    struct domain attributes = {
        .scoped = version >= 6 ? scoped_sockets | scoped_signals : 0,
        .files = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR
            | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE
            | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG
            | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK
            | LANDLOCK_ACCESS_FS_MAKE_SYM,
    };
    // Older kernels refuse what they do not know, even if it is 0.
    const size_t size = version >= 6 ? sizeof attributes : sizeof attributes.files;
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    if (rules < 0) return errno == ENOSYS || errno == EOPNOTSUPP;
    for (size_t index = 0; index < sizeof readable / sizeof *readable; index++) {
        const int file = open(readable[index], O_PATH | O_CLOEXEC);
        if (file < 0) continue;
        struct landlock_path_beneath_attr rule = {
            .allowed_access = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
            .parent_fd = file,
        };
        if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
            // Not a directory.
            rule.allowed_access = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;
            syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
        }
        close(file);
    }
    const bool are_hidden = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return are_hidden;
}

const char *scan_sandbox_enter(scan_sandbox_kind kind) {
    if (limit(RLIMIT_FSIZE, 0) != 0) return "the size of files";
    if (kind == scan_sandbox_program && !hide_files()) return "files";
    // Other calls fail, as if the user had no right to make them. A library that makes one only to find something out goes on.
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (filter == NULL) return "system calls";
    int error = ALLOW(filter, basic);
    if (error == 0) error = allow_own(filter);
    if (kind != scan_sandbox_decoder && error == 0) error = allow_threads(filter);
    if (kind == scan_sandbox_program && error == 0) error = allow_reading(filter);
    if (error == 0) error = seccomp_load(filter);
    seccomp_release(filter);
    return error == 0 ? NULL : "system calls";
}

// MARK: Programs

bool scan_sandbox_set_input(const void *bytes, size_t size) {
    const int file = memfd_create("input", MFD_CLOEXEC);
    if (file < 0) return false;
    size_t written = 0;
    while (written < size) {
        const ssize_t count = write(file, (const char *)bytes + written, size - written);
        if (count <= 0) break;
        written += (size_t)count;
    }
    const bool is_set = written == size && lseek(file, 0, SEEK_SET) == 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO;
    close(file);
    return is_set;
}

void scan_sandbox_run(const char *path, const char *const arguments[]) {
    char *const environment[] = {NULL};
    execve(path, (char *const *)arguments, environment);
}

long scan_sandbox_milliseconds_used(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return 0;
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

long scan_sandbox_milliseconds_passed(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0) return 0;
    return (time.tv_sec - start.tv_sec) * 1000 + (time.tv_nsec - start.tv_nsec) / 1000000;
}
