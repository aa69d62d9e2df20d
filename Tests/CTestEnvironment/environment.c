#include <stdlib.h>

// Before there are threads, since nothing may change the environment after that.
__attribute__((constructor)) static void begin(void) {
    // What the tester has set must not change a result.
    static const char *const unwanted[] = {
        "SHCVERIFY_REQUIRE_TRUSTED", "SHCVERIFY_REQUIRE_REVOCATION", "SHCVERIFY_PASSCODE", "SHCVERIFY_RECIPIENT",
        "SHCVERIFY_TOKEN",           "NO_COLOR",                     "https_proxy",        "HTTPS_PROXY",
    };
    for (size_t i = 0; i < sizeof unwanted / sizeof unwanted[0]; i++) unsetenv(unwanted[i]);
    // Tests must not share a cache, or use the tester's own. Nor are lists used that are installed on this machine.
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    setenv("XDG_DATA_HOME", "/dev/null", 1);
    setenv("SHCVERIFY_SYSTEM_DIR", "/dev/null", 1);
}
