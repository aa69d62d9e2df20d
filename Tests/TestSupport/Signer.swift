import CLibraries
package import Cryptography

/// A key pair for signing, made by OpenSSL.
package final class Signer {
    package struct Failure: Error {}

    package let key: P256PublicKey
    private let pair: OpaquePointer

    package init() throws {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw Failure() }
        defer { EVP_PKEY_CTX_free(context) }
        var pair: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            EVP_PKEY_generate(context, &pair) == 1, let pair
        else { throw Failure() }
        self.pair = pair
        var point = [UInt8](repeating: 0, count: 65)
        var length = 0
        guard EVP_PKEY_get_octet_string_param(pair, "pub", &point, point.count, &length) == 1, length == 65 else {
            throw Failure()
        }
        key = try P256PublicKey(x: Array(point[1..<33]), y: Array(point[33...]))
    }

    deinit { EVP_PKEY_free(pair) }

    package func sign(_ message: [UInt8]) throws -> ES256Signature {
        guard let context = EVP_MD_CTX_new() else { throw Failure() }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 80)
        var length = signature.count
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pair) == 1,
            EVP_DigestSign(context, &signature, &length, message, message.count) == 1
        else { throw Failure() }
        return try ES256Signature(der: Array(signature[..<length]))
    }

    /// Signs a message with this digest. Any digest can be chosen.
    package func sign(digest: [UInt8]) throws -> ES256Signature {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, pair, nil) else { throw Failure() }
        defer { EVP_PKEY_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 80)
        var length = signature.count
        guard EVP_PKEY_sign_init(context) == 1,
            EVP_PKEY_sign(context, &signature, &length, digest, digest.count) == 1
        else { throw Failure() }
        return try ES256Signature(der: Array(signature[..<length]))
    }

    /// EVP's verdict on a signature, in one call without any kept state.
    package func isValid(_ signature: ES256Signature, for message: [UInt8]) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        let der = signature.der
        return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, pair) == 1
            && EVP_DigestVerify(context, der, der.count, message, message.count) == 1
    }
}
