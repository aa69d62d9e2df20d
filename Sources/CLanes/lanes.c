#define _GNU_SOURCE

#include "lanes.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MARK: The processor

#if defined(__x86_64__) && defined(__linux__)

#include <cpuid.h>

// In leaf 7. Releases of the library are compiled for Ice Lake, whose compiler switch permits all of these instructions, so all are
// required and not only those of which the library itself asks.
#define LEAF_7_EBX                                                                                                              \
    (1u << 3 /* BMI1 */ | 1u << 5 /* AVX2 */ | 1u << 8 /* BMI2 */ | 1u << 16 /* AVX512F */ | 1u << 17 /* AVX512DQ */            \
     | 1u << 19 /* ADX */ | 1u << 21 /* AVX512IFMA */ | 1u << 28 /* AVX512CD */ | 1u << 30 /* AVX512BW */                       \
     | 1u << 31 /* AVX512VL */)
#define LEAF_7_ECX                                                                                                              \
    (1u << 1 /* VBMI */ | 1u << 6 /* VBMI2 */ | 1u << 8 /* GFNI */ | 1u << 9 /* VAES */ | 1u << 10 /* VPCLMULQDQ */             \
     | 1u << 11 /* VNNI */ | 1u << 12 /* BITALG */ | 1u << 14 /* VPOPCNTDQ */)
// In leaf 1: FMA, MOVBE, POPCNT, AVX, F16C.
#define LEAF_1_ECX (1u << 12 | 1u << 22 | 1u << 23 | 1u << 28 | 1u << 29)
// In leaf 1: the system has enabled XGETBV.
#define OSXSAVE (1u << 27)
// In leaf 0x80000001: LZCNT.
#define LEAF_81_ECX (1u << 5)
// XCR0: the system keeps the registers of SSE and AVX, the masks, and both parts of the registers of AVX-512.
#define REGISTERS (1u << 1 | 1u << 2 | 1u << 5 | 1u << 6 | 1u << 7)

static unsigned kept_registers(void) {
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

int lanes_processor(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & LEAF_1_ECX) != LEAF_1_ECX) return LANES_NO_INSTRUCTIONS;
    int has_registers = (c & OSXSAVE) != 0 && (kept_registers() & REGISTERS) == REGISTERS;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & LEAF_7_EBX) != LEAF_7_EBX || (c & LEAF_7_ECX) != LEAF_7_ECX)
        return LANES_NO_INSTRUCTIONS;
    if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || (c & LEAF_81_ECX) != LEAF_81_ECX) return LANES_NO_INSTRUCTIONS;
    return has_registers ? LANES_READY : LANES_NO_REGISTERS;
}

#else

int lanes_processor(void) { return LANES_NO_INSTRUCTIONS; }

#endif

// MARK: The library

// As in crypto_mb/ec_nistp256.h, defs.h, cpu_features.h and version.h, of which no part is needed to build this program.
typedef uint32_t verify_function(
    const uint8_t *const r[LANES_COUNT], const uint8_t *const s[LANES_COUNT], const uint8_t *const digest[LANES_COUNT],
    const uint64_t *const x[LANES_COUNT], const uint64_t *const y[LANES_COUNT], const uint64_t *const z[LANES_COUNT],
    uint8_t *scratch);
typedef int applicable_function(unsigned long long features);
typedef struct {
    int major, minor, revision;
    const char *name, *date, *text;
} library_version;
typedef const library_version *version_function(void);

struct lanes_library {
    verify_function *verify;
    int version[3];
};

const lanes_library *lanes_open(const char *path, bool runs_anywhere, int *outcome, char *why, size_t size) {
    if (size > 0) why[0] = '\0';
    *outcome = runs_anywhere ? LANES_READY : lanes_processor();
    if (*outcome != LANES_READY) return NULL;
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == NULL) {
        const char *words = dlerror();
        snprintf(why, size, "%s", words == NULL ? "" : words);
        *outcome = LANES_NOT_LOADED;
        return NULL;
    }
    verify_function *verify = (verify_function *)dlsym(handle, "mbx_nistp256_ecdsa_verify_mb8");
    applicable_function *applicable = (applicable_function *)dlsym(handle, "mbx_is_crypto_mb_applicable");
    version_function *version = (version_function *)dlsym(handle, "mbx_getversion");
    const library_version *found = version == NULL ? NULL : version();
    if (verify == NULL || applicable == NULL || found == NULL) {
        *outcome = LANES_OTHER_INTERFACE;
        return NULL;
    }
    // 0 means that the library looks at the processor itself.
    if (applicable(0) != 1) {
        *outcome = LANES_NOT_APPLICABLE;
        return NULL;
    }
    lanes_library *library = malloc(sizeof *library);
    if (library == NULL) {
        *outcome = LANES_NOT_LOADED;
        return NULL;
    }
    library->verify = verify;
    library->version[0] = found->major;
    library->version[1] = found->minor;
    library->version[2] = found->revision;
    return library;
}

void lanes_version(const lanes_library *library, int version[3]) { memcpy(version, library->version, sizeof library->version); }

// MARK: Groups

struct lanes_group {
    uint8_t r[LANES_COUNT][32], s[LANES_COUNT][32], digest[LANES_COUNT][32];
    // Little-endian.
    uint64_t x[LANES_COUNT][4], y[LANES_COUNT][4];
    /// The lanes that were filled, one bit each.
    unsigned filled;
};

lanes_group *lanes_group_new(void) {
    // The library needs no alignment. With this one, no number lies on two lines of the processor's cache.
    size_t size = (sizeof(lanes_group) + 63) / 64 * 64;
    lanes_group *group = aligned_alloc(64, size);
    if (group != NULL) memset(group, 0, size);
    return group;
}

void lanes_group_free(lanes_group *group) { free(group); }

/// The digest as a number below n, which makes no difference to a signature. The library refuses others. No digest is 2 · n or more.
static void put_digest(uint8_t to[32], const uint8_t *digest) {
    static const uint8_t order[32] = {
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    };
    memcpy(to, digest, 32);
    if (memcmp(digest, order, 32) < 0) return;
    int borrow = 0;
    for (int place = 31; place >= 0; place--) {
        int difference = digest[place] - order[place] - borrow;
        borrow = difference < 0;
        to[place] = (uint8_t)difference;
    }
}

static void put_coordinate(uint64_t to[4], const uint8_t *bytes) {
    for (int word = 0; word < 4; word++) {
        uint64_t value = 0;
        for (int place = 0; place < 8; place++) value = value << 8 | bytes[(3 - word) * 8 + place];
        to[word] = value;
    }
}

void lanes_group_put(
    lanes_group *group, unsigned lane, const uint8_t *signature, const uint8_t *digest, const uint8_t *x, const uint8_t *y) {
    if (lane >= LANES_COUNT) return;
    memcpy(group->r[lane], signature, 32);
    memcpy(group->s[lane], signature + 32, 32);
    put_digest(group->digest[lane], digest);
    put_coordinate(group->x[lane], x);
    put_coordinate(group->y[lane], y);
    group->filled |= 1u << lane;
}

unsigned lanes_group_verify(const lanes_group *group, const lanes_library *library) {
    const uint8_t *r[LANES_COUNT], *s[LANES_COUNT], *digest[LANES_COUNT];
    const uint64_t *x[LANES_COUNT], *y[LANES_COUNT];
    if (group->filled != (1u << LANES_COUNT) - 1) return 0;
    for (int lane = 0; lane < LANES_COUNT; lane++) {
        r[lane] = group->r[lane];
        s[lane] = group->s[lane];
        digest[lane] = group->digest[lane];
        x[lane] = group->x[lane];
        y[lane] = group->y[lane];
    }
    // Four bits for each lane, of which 0 is the only one that means "good". NULL for z: the coordinates are affine. The scratch
    // buffer is not used by any version so far, and may be NULL.
    uint32_t status = library->verify(r, s, digest, x, y, NULL, NULL);
    unsigned good = 0;
    for (int lane = 0; lane < LANES_COUNT; lane++)
        if ((status >> (4 * lane) & 0xF) == 0) good |= 1u << lane;
    return good;
}
