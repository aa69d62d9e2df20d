#define _GNU_SOURCE

#include "files.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <unistd.h>

int files_room(int most) {
    int *files = calloc(most, sizeof *files);
    int opened = 0;
    if (files == NULL) return 0;
    while (opened < most) {
        // Duplicating a descriptor takes a tenth of the time of opening a file. The root directory exists in every
        // container.
        files[opened] = opened == 0 ? open("/", O_PATH | O_CLOEXEC) : fcntl(files[0], F_DUPFD_CLOEXEC, 0);
        if (files[opened] < 0) break;
        opened++;
    }
    for (int left = opened; left > 0; left--) close(files[left - 1]);
    free(files);
    return opened;
}

bool files_are_of_processes(const char *folder) {
    struct statfs system;
    return statfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}
