#include "program_arguments.h"

#include <stddef.h>

static int count;
static char **arguments;

/// glibc passes main's arguments to every constructor.
__attribute__((constructor)) static void take(int argc, char **argv) {
    count = argc;
    arguments = argv;
}

int program_argument_count(void) {
    return count;
}

const char *program_argument(int number) {
    return number >= 0 && number < count ? arguments[number] : NULL;
}
