#include "build.h"

// Package.swift defines these from the environment. Only this file depends on them, so another commit compiles nothing else again.
#ifndef SHCVERIFY_COMMIT
#define SHCVERIFY_COMMIT "unknown"
#endif

#ifndef SHCVERIFY_MAINTAINER
#define SHCVERIFY_MAINTAINER ""
#endif
#ifndef SHCVERIFY_HOMEPAGE
#define SHCVERIFY_HOMEPAGE ""
#endif

const char *build_commit(void) {
    return SHCVERIFY_COMMIT;
}

const char *build_maintainer(void) {
    return SHCVERIFY_MAINTAINER;
}

const char *build_homepage(void) {
    return SHCVERIFY_HOMEPAGE;
}
