#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <zlib.h>

// What `SignatureConfirmation` needs of libcrypto and OpenSSL 3.0 has deprecated, or a macro hides from Swift. If the
// installed headers lack it, the functions say so and nothing is confirmed by them.
static inline int shc_has_precomputation(void) {
#if defined(OPENSSL_NO_DEPRECATED_3_0) || defined(OPENSSL_NO_EC)
    return 0;
#else
    return 1;
#endif
}

static inline int shc_precompute(EC_GROUP *group, BN_CTX *context) {
#if defined(OPENSSL_NO_DEPRECATED_3_0) || defined(OPENSSL_NO_EC)
    (void)group;
    (void)context;
    return 0;
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return EC_GROUP_precompute_mult(group, context);
#pragma GCC diagnostic pop
#endif
}

/// X and Z of Jacobian coordinates: the affine x is X / Z².
static inline int shc_projective(const EC_GROUP *group, const EC_POINT *point, BIGNUM *x, BIGNUM *z, BN_CTX *context) {
#if defined(OPENSSL_NO_DEPRECATED_3_0) || defined(OPENSSL_NO_EC)
    (void)group;
    (void)point;
    (void)x;
    (void)z;
    (void)context;
    return 0;
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return EC_POINT_get_Jprojective_coordinates_GFp(group, point, x, NULL, z, context);
#pragma GCC diagnostic pop
#endif
}
