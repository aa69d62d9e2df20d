#include "sanitizer.h"

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)

bool has_shadow_memory(void) { return true; }

// shcverify-fetch inherits no environment, nobody reads its standard error, and it ends with _exit. So if a sanitizer
// finds an error, it must end the process at once: then there is no answer, and the test fails. To see the report,
// start shcverify-fetch by hand. The sanitizers call these functions. Not every compiler has a header for them.

__attribute__((visibility("default"))) const char *__asan_default_options(void) {
    // Swift tags the pointers to its objects, so the search for leaks does not recognise them.
    return "detect_leaks=0:abort_on_error=1";
}

__attribute__((visibility("default"))) const char *__tsan_default_options(void) {
    return "halt_on_error=1";
}

#else

bool has_shadow_memory(void) { return false; }

#endif
