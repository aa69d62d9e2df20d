#include "sanitizer.h"

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)

bool has_shadow_memory(void) { return true; }

// shcverify-fetch inherits no environment, nobody reads its standard error, and it ends with _exit. So what a sanitizer
// finds in it has to end it at once: then there is no answer, and the test fails. The report stands on standard error
// of a fetcher that is started by hand. These functions are called by the sanitizers; no header of theirs is there for
// every compiler.

__attribute__((visibility("default"))) const char *__asan_default_options(void) {
    // Swift tags the pointers to its objects, by which the search for leaks does not find them.
    return "detect_leaks=0:abort_on_error=1";
}

__attribute__((visibility("default"))) const char *__tsan_default_options(void) {
    return "halt_on_error=1";
}

#else

bool has_shadow_memory(void) { return false; }

#endif
