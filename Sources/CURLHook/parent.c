#include "parent.h"

#include <signal.h>
#include <sys/prctl.h>

bool die_with_parent(void) {
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
}
