// Sets options of libcurl that URLSession does not offer on Linux.
//
// swift-corelibs-foundation begins each transfer with `curl_easy_init`. hook.c defines a function of that name, which
// is found before libcurl's own. It calls libcurl's function and sets the options below on the new handle. URLSession
// sets its own options afterwards, but none of those below.
//
// In a dynamic build, the executable must export the symbol, so that libFoundationNetworking.so finds it first
// (`-Xlinker --export-dynamic-symbol=curl_easy_init`). In a static build, the linker finds it without that.

#ifndef CURL_HOOK_H
#define CURL_HOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The versions of TLS that are offered to a server.
typedef enum curl_hook_tls {
    /// 1.2 or later.
    curl_hook_tls_standard,
    curl_hook_tls_only_1_3,
    curl_hook_tls_only_1_2,
    /// 1.0 or 1.1, at OpenSSL's lowest security level. Only to find out whether a server accepts them.
    curl_hook_tls_legacy,
    /// 1.2 with static RSA key exchange alone. This and the following only find out what a server accepts.
    curl_hook_tls_static_rsa,
    /// 1.2 with finite-field Diffie-Hellman key exchange alone, in groups of any size.
    curl_hook_tls_ffdhe,
    /// The same in groups of at least 2048 bits.
    curl_hook_tls_strong_ffdhe,
} curl_hook_tls;

/// The settings of all handles.
typedef struct curl_hook_configuration {
    /// The time limit for the whole transfer, in milliseconds.
    long timeout_milliseconds;
    /// The largest Content-Length that is accepted, in bytes. It also protects URLSession from a number at which it
    /// traps.
    int64_t maximum_body_size;
    /// The speed limit for reading the body, in bytes per second. Any finite value keeps URLSession's work queue
    /// responsive.
    int64_t maximum_bytes_per_second;
    /// The proxy to use, in the form of the environment variable `https_proxy`. Empty for none. The environment is not
    /// read again.
    const char *proxy;
    /// All TLS roots, as PEM certificates. NULL for libcurl's own.
    const void *roots;
    size_t roots_length;
    /// Whether a connection to this address (4 or 16 bytes) is refused. NULL if every address may be contacted.
    bool (*refuses)(const uint8_t *address, size_t length);
    /// The versions of TLS that are offered to the server. A proxy is always offered 1.2 or later.
    curl_hook_tls tls;
} curl_hook_configuration;

/// Whether URLSession's calls of `curl_easy_init` reach the hook. If they do not, nothing must be sent.
bool curl_hook_is_in_place(void);

/// Sets a byte that is written to a file when the first connection is opened. If the process fails before that, no
/// server can be the cause.
void curl_hook_announce(int file, uint8_t byte);

/// Configures all handles that are created from now on. The configuration is copied.
///
/// There is one configuration for the whole process, because a hook for a C function has no other place for it. The
/// caller must make sure that no other transfer of the process is about to begin. shcverify-fetch makes only one at a
/// time.
///
/// Returns false if there is not enough memory for the copy.
bool curl_hook_configure(const curl_hook_configuration *configuration);

/// The number of the first option that libcurl did not accept since the last configuration, or 0 if it accepted all. A
/// handle that lacks an option opens no connection.
int curl_hook_rejected_option(void);

/// The address that was refused most recently since the last configuration.
///
/// Returns how many bytes of `address` were written: 4, 16, or 0 if no address was refused.
size_t curl_hook_refused_address(uint8_t address[16]);

#endif
