#define _GNU_SOURCE

#include "files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int files_room(int most) {
    int *files = calloc(most, sizeof *files);
    int opened = 0;
    if (files == NULL) return 0;
    while (opened < most) {
        // To open the same file again takes a tenth of the time. The root directory is there in any container.
        files[opened] = opened == 0 ? open("/", O_PATH | O_CLOEXEC) : fcntl(files[0], F_DUPFD_CLOEXEC, 0);
        if (files[opened] < 0) break;
        opened++;
    }
    for (int left = opened; left > 0; left--) close(files[left - 1]);
    free(files);
    return opened;
}
