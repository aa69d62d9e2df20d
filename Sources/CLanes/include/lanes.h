// Finds out whether the processor can run Intel's crypto_mb, loads that library while the program runs, and verifies up to eight
// ES256 signatures with one call of it.

#ifndef LANES_H
#define LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The number of signatures that the library verifies with one call.
#define LANES_COUNT 8

/// The library can be used.
#define LANES_READY 0
/// The processor does not have the instructions (AVX-512 IFMA and those that came with it).
#define LANES_NO_INSTRUCTIONS 1
/// The processor has the instructions, but the system does not keep the registers for them.
#define LANES_NO_REGISTERS 2
/// The library cannot be loaded.
#define LANES_NOT_LOADED 3
/// The library lacks a function, or has another interface than the one that is known here.
#define LANES_OTHER_INTERFACE 4
/// The library itself says that it cannot be used on this processor.
#define LANES_NOT_APPLICABLE 5

/// Returns whether this processor and this system can run the library: LANES_READY, LANES_NO_INSTRUCTIONS or LANES_NO_REGISTERS.
int lanes_processor(void);

/// The library, after it was loaded. It is never unloaded.
typedef struct lanes_library lanes_library;

/// Loads the library. Nothing of it runs unless `lanes_processor` returns LANES_READY.
///
/// - path: the absolute path of the file.
/// - runs_anywhere: whether the library needs none of these instructions, and is loaded whatever the processor has. Only that of a
///   test does not need them.
/// - outcome: gets LANES_READY, or why the library cannot be used.
/// - why: gets the words of the system if the library cannot be loaded.
/// - size: the size of `why`.
///
/// Returns the library, or NULL.
const lanes_library *lanes_open(const char *path, bool runs_anywhere, int *outcome, char *why, size_t size);

/// Returns the version of the library, such as 1, 0, 14.
void lanes_version(const lanes_library *library, int version[3]);

/// Up to eight signatures, with what they are verified with.
typedef struct lanes_group lanes_group;

/// Returns an empty group, or NULL if there is no memory.
lanes_group *lanes_group_new(void);

void lanes_group_free(lanes_group *group);

/// Puts a signature into a lane.
///
/// - lane: 0 to 7.
/// - signature: r and s, 32 bytes each, big-endian, both from 1 to n - 1.
/// - digest: the 32 bytes of the digest that is signed.
/// - x, y: the coordinates of the public key, 32 bytes each, big-endian. The point must be on the curve.
void lanes_group_put(
    lanes_group *group, unsigned lane, const uint8_t *signature, const uint8_t *digest, const uint8_t *x, const uint8_t *y);

/// Verifies the signatures in all eight lanes.
///
/// Returns a number whose bit `i` is 1 only if the library says that the signature in lane `i` is good. All bits are 0 if a lane has
/// never been filled.
unsigned lanes_group_verify(const lanes_group *group, const lanes_library *library);

#endif
