// What URLSession cannot say on Linux, said to libcurl directly.
//
// swift-corelibs-foundation makes each of its transfers with `curl_easy_init`. hook.c defines a function of that name,
// which stands in front of libcurl's own: it calls that one and sets the options below on the new handle. URLSession
// then sets its options over ours; none of those below is among them.
//
// In a dynamic build the executable must export the symbol, so that libFoundationNetworking.so finds it first
// (`-Xlinker --export-dynamic-symbol=curl_easy_init`). In a static one the linker binds it by itself.

#ifndef CURL_HOOK_H
#define CURL_HOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The versions of TLS that a server is offered.
typedef enum curl_hook_tls {
    /// 1.2 or later.
    curl_hook_tls_standard,
    curl_hook_tls_only_1_3,
    curl_hook_tls_only_1_2,
    /// 1.0 or 1.1, at OpenSSL's lowest security level: to find out whether a server accepts them, and for nothing else.
    curl_hook_tls_legacy,
} curl_hook_tls;

/// What is set on every handle from now on.
typedef struct curl_hook_configuration {
    /// How long the whole transfer may take, in milliseconds.
    long timeout_milliseconds;
    /// The largest Content-Length that is accepted, in bytes. It also keeps URLSession from a number on which it traps.
    int64_t maximum_body_size;
    /// How fast the body is read, in bytes per second. Any finite value keeps URLSession's work queue responsive.
    int64_t maximum_bytes_per_second;
    /// The proxy to use, as in the environment's `https_proxy`; empty for none. The environment is not asked again.
    const char *proxy;
    /// PEM certificates, all of the TLS roots there are; NULL for libcurl's own.
    const void *roots;
    size_t roots_length;
    /// Whether a connection to this address (4 or 16 bytes) is refused; NULL where every address may be contacted.
    bool (*refuses)(const uint8_t *address, size_t length);
    /// The versions of TLS that the server is offered. A proxy is offered 1.2 or later in any case.
    curl_hook_tls tls;
} curl_hook_configuration;

/// Whether URLSession's calls of `curl_easy_init` arrive at the hook. Where they do not, nothing must be sent.
bool curl_hook_is_in_place(void);

/// Has one byte written to a file when a connection is opened for the first time. What happens to the process before that
/// is no server's doing.
void curl_hook_announce(int file, uint8_t byte);

/// Configures every handle that is made from now on. The configuration is copied.
///
/// There is one configuration in a process: a hook in front of a C function has no other place to keep it. A caller
/// must know that no other transfer of the process is about to begin; shcverify-fetch makes one at a time.
///
/// Returns false where there is no memory for the copy.
bool curl_hook_configure(const curl_hook_configuration *configuration);

/// The number of the first option that libcurl did not accept since the last configuration; 0 where it took them all.
/// A handle that lacks an option opens no connection.
int curl_hook_rejected_option(void);

/// The address that was refused last since the last configuration.
///
/// Returns how many bytes of `address` were written: 4, 16, or 0 where none was refused.
size_t curl_hook_refused_address(uint8_t address[16]);

#endif
