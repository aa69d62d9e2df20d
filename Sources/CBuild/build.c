#include "build.h"

// Package.swift defines it from the environment. Only this file depends on it, so another commit compiles nothing else again.
#ifndef SHCVERIFY_COMMIT
#define SHCVERIFY_COMMIT "unknown"
#endif

const char *build_commit(void) {
    return SHCVERIFY_COMMIT;
}
