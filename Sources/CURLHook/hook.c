#define _GNU_SOURCE

#include "hook.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// The declarations of libcurl that are needed here. Its headers belong to a package (libcurl4-openssl-dev) that is
// otherwise only needed to link a static build. The numbers are part of libcurl's ABI and never change. They are in
// `enum CURLoption` in curl/curl.h: the base of the option's type plus the option's own number.

typedef void CURL;
typedef void CURLM;
typedef int CURLcode;
typedef int CURLMcode;

enum {
    base_long = 0,
    base_object = 10000,
    base_function = 20000,
    base_off_t = 30000,
    base_blob = 40000,

    CURLOPT_SSLVERSION = base_long + 32,
    CURLOPT_HTTP_VERSION = base_long + 84,
    CURLOPT_NOSIGNAL = base_long + 99,
    CURLOPT_TIMEOUT_MS = base_long + 155,
    CURLOPT_CONNECTTIMEOUT_MS = base_long + 156,
    CURLOPT_PROXY_SSLVERSION = base_long + 250,
    CURLOPT_SUPPRESS_CONNECT_HEADERS = base_long + 265,
    CURLOPT_PROXY = base_object + 4,
    CURLOPT_SSL_CIPHER_LIST = base_object + 83,
    CURLOPT_NOPROXY = base_object + 177,
    CURLOPT_HEADERFUNCTION = base_function + 79,
    CURLOPT_OPENSOCKETFUNCTION = base_function + 163,
    CURLOPT_MAXFILESIZE_LARGE = base_off_t + 117,
    CURLOPT_MAX_RECV_SPEED_LARGE = base_off_t + 146,
    CURLOPT_CAINFO_BLOB = base_blob + 309,
    CURLOPT_PROXY_CAINFO_BLOB = base_blob + 310,

    CURLMOPT_SOCKETFUNCTION = base_function + 1,

    CURL_POLL_IN = 1,
    CURL_POLL_OUT = 2,
    CURL_POLL_REMOVE = 4,
    CURL_SSLVERSION_TLSv1_0 = 4,
    CURL_SSLVERSION_TLSv1_2 = 6,
    CURL_SSLVERSION_TLSv1_3 = 7,
    CURL_SSLVERSION_MAX_TLSv1_1 = 5 << 16,
    CURL_SSLVERSION_MAX_TLSv1_2 = 6 << 16,
    CURL_SSLVERSION_MAX_TLSv1_3 = 7 << 16,
    CURL_HTTP_VERSION_1_1 = 2,
    CURL_BLOB_COPY = 1,
    CURL_SOCKET_BAD = -1,
};

struct curl_blob {
    void *data;
    size_t len;
    unsigned int flags;
};

struct curl_sockaddr {
    int family;
    int socktype;
    int protocol;
    unsigned int addrlen;
    struct sockaddr addr; // of addrlen bytes
};

typedef CURL *(*easy_init_function)(void);
typedef CURLcode (*easy_setopt_function)(CURL *, int, ...);
typedef CURLMcode (*multi_setopt_function)(CURLM *, int, ...);
typedef int (*socket_function)(CURL *, int socket, int events, void *context, void *sources);
typedef size_t (*header_function)(char *line, size_t size, size_t count, void *context);

CURL *curl_easy_init(void);
CURLcode curl_easy_setopt(CURL *, int, ...);
CURLMcode curl_multi_setopt(CURLM *, int, ...);

// The only configuration, and its results.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static curl_hook_configuration configuration;
static bool is_configured;
static int rejected_option;
static uint8_t refused_address[16];
static size_t refused_length;
static int announced_to = -1;
static uint8_t announcement;

void curl_hook_announce(int file, uint8_t byte) {
    pthread_mutex_lock(&lock);
    announced_to = file;
    announcement = byte;
    pthread_mutex_unlock(&lock);
}

bool curl_hook_is_in_place(void) {
    // The symbol that libraries loaded later will find. libcurl itself is loaded after the executable.
    return dlsym(RTLD_DEFAULT, "curl_easy_init") == (void *)curl_easy_init
        && dlsym(RTLD_NEXT, "curl_easy_init") != NULL && dlsym(RTLD_NEXT, "curl_easy_setopt") != NULL;
}

bool curl_hook_configure(const curl_hook_configuration *wanted) {
    char *proxy = strdup(wanted->proxy ? wanted->proxy : "");
    void *roots = NULL;
    if (wanted->roots != NULL) {
        roots = malloc(wanted->roots_length + 1);
        if (roots != NULL) memcpy(roots, wanted->roots, wanted->roots_length);
    }
    if (proxy == NULL || (wanted->roots != NULL && roots == NULL)) {
        free(proxy);
        free(roots);
        return false;
    }
    pthread_mutex_lock(&lock);
    free((void *)configuration.proxy);
    free((void *)configuration.roots);
    configuration = *wanted;
    configuration.proxy = proxy;
    configuration.roots = roots;
    is_configured = true;
    rejected_option = 0;
    refused_length = 0;
    pthread_mutex_unlock(&lock);
    return true;
}

int curl_hook_rejected_option(void) {
    pthread_mutex_lock(&lock);
    int option = rejected_option;
    pthread_mutex_unlock(&lock);
    return option;
}

size_t curl_hook_refused_address(uint8_t address[16]) {
    pthread_mutex_lock(&lock);
    size_t length = refused_length;
    memcpy(address, refused_address, length);
    pthread_mutex_unlock(&lock);
    return length;
}

/// Finds the IP address in a socket address. Returns its length in bytes, or 0 for another kind of address.
static size_t ip_address(const struct curl_sockaddr *address, const uint8_t **bytes) {
    const void *generic = &address->addr;
    switch (address->family) {
    case AF_INET:
        *bytes = (const uint8_t *)&((const struct sockaddr_in *)generic)->sin_addr;
        return address->addrlen >= sizeof(struct sockaddr_in) ? 4 : 0;
    case AF_INET6:
        *bytes = (const uint8_t *)&((const struct sockaddr_in6 *)generic)->sin6_addr;
        return address->addrlen >= sizeof(struct sockaddr_in6) ? 16 : 0;
    default:
        *bytes = NULL;
        return 0;
    }
}

/// libcurl calls this to get a socket, and passes the address that it will connect to. An address that is refused here
/// is never contacted, no matter which name resolved to it.
static int open_socket(void *context, int purpose, struct curl_sockaddr *address) {
    (void)context;
    (void)purpose;
    const uint8_t *bytes = NULL;
    size_t length = ip_address(address, &bytes);
    pthread_mutex_lock(&lock);
    bool (*refuses)(const uint8_t *, size_t) = configuration.refuses;
    bool refused = rejected_option != 0 || (refuses != NULL && (length == 0 || refuses(bytes, length)));
    if (refused && length != 0) {
        memcpy(refused_address, bytes, length);
        refused_length = length;
    }
    if (!refused && announced_to >= 0) {
        // An error is ignored: if nobody reads this byte, nobody reads the answer either.
        if (write(announced_to, &announcement, 1) == 1) announced_to = -1;
    }
    pthread_mutex_unlock(&lock);
    if (refused) return CURL_SOCKET_BAD;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// Sets an option, and remembers the first one that is not accepted.
#define SET(handle, option, value)                                                                                     \
    do {                                                                                                               \
        if (setopt((handle), (option), (value)) != 0 && rejected_option == 0) rejected_option = (option);              \
    } while (0)

/// The lowest version of TLS, and the highest if there is one, in the form of libcurl's option.
static long tls_versions(curl_hook_tls tls) {
    switch (tls) {
    case curl_hook_tls_only_1_3: return CURL_SSLVERSION_TLSv1_3 | CURL_SSLVERSION_MAX_TLSv1_3;
    case curl_hook_tls_static_rsa:
    case curl_hook_tls_ffdhe:
    case curl_hook_tls_strong_ffdhe:
    case curl_hook_tls_only_1_2: return CURL_SSLVERSION_TLSv1_2 | CURL_SSLVERSION_MAX_TLSv1_2;
    case curl_hook_tls_legacy: return CURL_SSLVERSION_TLSv1_0 | CURL_SSLVERSION_MAX_TLSv1_1;
    case curl_hook_tls_standard: break;
    }
    return CURL_SSLVERSION_TLSv1_2;
}

/// The ciphers that are offered, for OpenSSL; NULL for the usual ones. At a higher security level, OpenSSL would refuse
/// what the server is to be tested for.
static const char *tls_ciphers(curl_hook_tls tls) {
    switch (tls) {
    case curl_hook_tls_legacy: return "DEFAULT@SECLEVEL=0";
    case curl_hook_tls_static_rsa: return "kRSA:@SECLEVEL=0";
    case curl_hook_tls_ffdhe: return "kDHE:@SECLEVEL=0";
    // Level 2 is 112 bits of security, which is 2048 bits in a finite field.
    case curl_hook_tls_strong_ffdhe: return "kDHE:@SECLEVEL=2";
    case curl_hook_tls_only_1_3:
    case curl_hook_tls_only_1_2:
    case curl_hook_tls_standard: break;
    }
    return NULL;
}

static bool configure(CURL *handle, easy_setopt_function setopt) {
    // This comes first, because without it there is no address policy. With it, no connection is opened if another
    // option fails.
    if (setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket) != 0) return false;
    SET(handle, CURLOPT_TIMEOUT_MS, configuration.timeout_milliseconds);
    SET(handle, CURLOPT_CONNECTTIMEOUT_MS, configuration.timeout_milliseconds);
    SET(handle, CURLOPT_MAXFILESIZE_LARGE, configuration.maximum_body_size);
    SET(handle, CURLOPT_MAX_RECV_SPEED_LARGE, configuration.maximum_bytes_per_second);
    SET(handle, CURLOPT_NOSIGNAL, 1L);
    SET(handle, CURLOPT_SSLVERSION, tls_versions(configuration.tls));
    const char *ciphers = tls_ciphers(configuration.tls);
    if (ciphers != NULL) SET(handle, CURLOPT_SSL_CIPHER_LIST, ciphers);
    SET(handle, CURLOPT_PROXY_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    // The limits were tested with HTTP/1.1, so no other version is used.
    SET(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    // The header of a proxy's answer to CONNECT does not come from the server.
    SET(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    // The proxy has already been chosen. libcurl must not find another one in the environment, because the address
    // policy depends on it. An empty string means no proxy.
    SET(handle, CURLOPT_PROXY, configuration.proxy);
    SET(handle, CURLOPT_NOPROXY, "");
    if (configuration.roots != NULL) {
        struct curl_blob roots = {(void *)configuration.roots, configuration.roots_length, CURL_BLOB_COPY};
        SET(handle, CURLOPT_CAINFO_BLOB, &roots);
        SET(handle, CURLOPT_PROXY_CAINFO_BLOB, &roots);
    }
    return true;
}

/// Replaces libcurl's function of the same name.
__attribute__((visibility("default"))) CURL *curl_easy_init(void) {
    easy_init_function next = (easy_init_function)dlsym(RTLD_NEXT, "curl_easy_init");
    easy_setopt_function setopt = (easy_setopt_function)dlsym(RTLD_NEXT, "curl_easy_setopt");
    // A handle without its socket function could connect anywhere, so none is returned. URLSession then traps, which is
    // the safe outcome.
    if (next == NULL || setopt == NULL) return NULL;
    CURL *handle = next();
    if (handle == NULL) return NULL;
    pthread_mutex_lock(&lock);
    bool is_safe = !is_configured || configure(handle, setopt);
    pthread_mutex_unlock(&lock);
    return is_safe ? handle : NULL;
}

// libcurl tells URLSession which events of a socket it waits for. URLSession starts to watch for the events that are
// named, but never stops watching for the others. So after one write, a connection is reported as writable again and
// again while the server keeps it waiting, which takes a whole processor. Therefore each change is made in two steps
// that URLSession does follow: the socket is removed, and added again.
static _Atomic(socket_function) urlsession_socket_function;

static int watch_socket(CURL *handle, int socket, int events, void *context, void *sources) {
    if (sources != NULL && (events == CURL_POLL_IN || events == CURL_POLL_OUT)) {
        urlsession_socket_function(handle, socket, CURL_POLL_REMOVE, context, sources);
        sources = NULL;
    }
    return urlsession_socket_function(handle, socket, events, context, sources);
}

/// Replaces libcurl's function of the same name. Options that are not about sockets are passed on unchanged.
__attribute__((visibility("default"))) CURLMcode curl_multi_setopt(CURLM *multi, int option, ...) {
    multi_setopt_function next = (multi_setopt_function)dlsym(RTLD_NEXT, "curl_multi_setopt");
    if (next == NULL) abort();
    va_list arguments;
    va_start(arguments, option);
    CURLMcode result;
    if (option == CURLMOPT_SOCKETFUNCTION) {
        // All sessions use the same function; only its context differs.
        socket_function function = va_arg(arguments, socket_function);
        urlsession_socket_function = function;
        result = next(multi, option, function != NULL ? watch_socket : NULL);
    } else if (option >= base_off_t) {
        result = next(multi, option, va_arg(arguments, int64_t));
    } else if (option >= base_object) {
        result = next(multi, option, va_arg(arguments, void *));
    } else {
        result = next(multi, option, va_arg(arguments, long));
    }
    va_end(arguments);
    return result;
}

// URLSession traps on a header line that comes after the end of the header. Any server may send such lines: they are
// the trailer of a chunked body (RFC 9112 §7.1.2). So they are not passed on: after an empty line, a header begins only
// with a status line.
enum { most_transfers = 8 };
static _Atomic(header_function) urlsession_header_function;
static struct {
    void *context;
    bool has_ended;
} headers[most_transfers];
static int next_header;

static size_t take_header(char *line, size_t size, size_t count, void *context) {
    const size_t length = size * count;
    const bool is_status = length >= 5 && memcmp(line, "HTTP/", 5) == 0;
    const bool is_empty = length == 0 || line[0] == '\r' || line[0] == '\n';
    pthread_mutex_lock(&lock);
    int place = 0;
    while (place < most_transfers && headers[place].context != context) place++;
    if (place == most_transfers) {
        place = next_header;
        next_header = (next_header + 1) % most_transfers;
        headers[place].context = context;
        headers[place].has_ended = false;
    }
    const bool is_trailer = headers[place].has_ended && !is_status;
    headers[place].has_ended = is_empty || is_trailer;
    pthread_mutex_unlock(&lock);
    return is_trailer ? length : urlsession_header_function(line, size, count, context);
}

/// Replaces libcurl's function of the same name. Options that are not about headers are passed on unchanged.
__attribute__((visibility("default"))) CURLcode curl_easy_setopt(CURL *handle, int option, ...) {
    easy_setopt_function next = (easy_setopt_function)dlsym(RTLD_NEXT, "curl_easy_setopt");
    if (next == NULL) abort();
    va_list arguments;
    va_start(arguments, option);
    CURLcode result;
    if (option == CURLOPT_HEADERFUNCTION) {
        // All transfers use the same function; only its context differs.
        header_function function = va_arg(arguments, header_function);
        urlsession_header_function = function;
        result = next(handle, option, function != NULL ? take_header : NULL);
    } else if (option >= base_off_t && option < base_blob) {
        result = next(handle, option, va_arg(arguments, int64_t));
    } else if (option >= base_object) {
        result = next(handle, option, va_arg(arguments, void *));
    } else {
        result = next(handle, option, va_arg(arguments, long));
    }
    va_end(arguments);
    return result;
}
