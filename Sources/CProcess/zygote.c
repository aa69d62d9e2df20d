#define _GNU_SOURCE

#include "zygote.h"
#include "serving.h"

#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>

void zygote_serve(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    serving_close_others();
    char byte;
    int ends[2], count;
    while (serving_receive(STDIN_FILENO, &byte, sizeof byte, ends, &count) == sizeof byte && count == 2) {
        int handle;
        const int32_t process = serving_copy(0, &handle);
        if (process == 0) {
            // From here on, the copy has nothing in common with the zygote: the socket is closed with its standard input.
            if (dup2(ends[0], STDIN_FILENO) < 0 || dup2(ends[1], STDOUT_FILENO) < 0) _exit(1);
            close(ends[0]);
            close(ends[1]);
            return;
        }
        close(ends[0]);
        close(ends[1]);
        // The handle goes to who may have to end the copy.
        const int error = serving_send(STDIN_FILENO, &process, sizeof process, &handle, handle >= 0 ? 1 : 0);
        if (handle >= 0) close(handle);
        if (error != 0) break;
    }
    _exit(0);
}
