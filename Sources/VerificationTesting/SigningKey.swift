internal import CLibraries
import Credentials
import Cryptography

/// A key pair on P-256, made at random, that signs with ES256. It exists in memory alone.
///
/// The libraries that verify cannot sign. Only this target can, and no program links it.
@safe
final class SigningKey: @unchecked Sendable {
    /// The public key.
    let publicKey: P256PublicKey
    // Safe: not null, belongs to this object alone, and is not changed after `init`. OpenSSL lets several threads use a key.
    private let pair: OpaquePointer

    init() throws(TestingFailure) {
        // Unsafe: the context is freed on every path, and the key belongs to this object from the call that makes it.
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw .openSSL("a key") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1, unsafe EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            unsafe EVP_PKEY_generate(context, &made) == 1, let pair = unsafe made
        else { throw .openSSL("a key") }
        var point = [UInt8](repeating: 0, count: 1 + 2 * P256Point.coordinateLength)
        let size = point.count
        var count = 0
        let isRead = unsafe EVP_PKEY_get_octet_string_param(pair, OSSL_PKEY_PARAM_PUB_KEY, &point, size, &count) == 1
        guard isRead, count == size,
            let key = try? P256PublicKey(
                x: Array(point[1..<1 + P256Point.coordinateLength]),
                y: Array(point[(1 + P256Point.coordinateLength)...]))
        else {
            unsafe EVP_PKEY_free(pair)
            throw .openSSL("a key")
        }
        publicKey = key
        unsafe self.pair = pair
    }

    deinit {
        // Unsafe: the only free, of the key that `init` made.
        unsafe EVP_PKEY_free(pair)
    }

    /// The signature of a message: the numbers r and s with 32 bytes each (RFC 7518 §3.4).
    func signature(of message: [UInt8]) throws(TestingFailure) -> [UInt8] {
        // Unsafe: the context is freed on every path, and OpenSSL keeps none of the arrays. 80 bytes are more than a signature
        // on P-256 has in DER.
        guard let context = unsafe EVP_MD_CTX_new() else { throw .openSSL("a signature") }
        defer { unsafe EVP_MD_CTX_free(context) }
        var der = [UInt8](repeating: 0, count: 80)
        var count = der.count
        guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pair) == 1,
            unsafe EVP_DigestSign(context, &der, &count, message, message.count) == 1,
            let signature = try? ES256Signature(der: Array(der[..<count]))
        else { throw .openSSL("a signature") }
        return signature.bytes
    }

    /// A certificate (X.509) of this key in DER, without extensions.
    ///
    /// - Parameters:
    ///   - subject: whose key it is.
    ///   - issuer: who says so.
    ///   - authority: the issuer's key.
    ///   - seconds: the first and the last second in which it is valid, since 1970.
    func certificate(
        of subject: DistinguishedNames, by issuer: DistinguishedNames, signedBy authority: SigningKey,
        valid seconds: ClosedRange<Int64>
    ) throws(TestingFailure) -> [UInt8] {
        // Unsafe: all objects are freed on every path. The names and the serial number belong to the certificate, and OpenSSL
        // copies the key, the times and the texts.
        guard let certificate = unsafe X509_new() else { throw .openSSL("a certificate") }
        defer { unsafe X509_free(certificate) }
        let begin = unsafe ASN1_TIME_set(nil, time_t(seconds.lowerBound))
        defer { unsafe ASN1_TIME_free(begin) }
        let end = unsafe ASN1_TIME_set(nil, time_t(seconds.upperBound))
        defer { unsafe ASN1_TIME_free(end) }
        guard unsafe begin != nil && end != nil,
            unsafe X509_set_version(certificate, 2) == 1,
            unsafe ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1,
            unsafe X509_set1_notBefore(certificate, begin) == 1, unsafe X509_set1_notAfter(certificate, end) == 1,
            unsafe X509_set_pubkey(certificate, pair) == 1,
            unsafe subject.write(to: X509_get_subject_name(certificate)),
            unsafe issuer.write(to: X509_get_issuer_name(certificate)),
            unsafe X509_sign(certificate, authority.pair, EVP_sha256()) > 0
        else { throw .openSSL("a certificate") }
        let count = unsafe i2d_X509(certificate, nil)
        guard count > 0 else { throw .openSSL("a certificate") }
        var der = [UInt8](repeating: 0, count: Int(count))
        // Unsafe: OpenSSL writes the `count` bytes that it has announced, and advances its own copy of the pointer.
        let written = unsafe der.withUnsafeMutableBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe i2d_X509(certificate, &next)
        }
        guard written == count else { throw .openSSL("a certificate") }
        return der
    }
}

/// A name in a certificate: a country and a common name.
struct DistinguishedNames {
    let country: String
    let commonName: String

    /// Adds both to a name that belongs to a certificate. False if OpenSSL refuses one.
    ///
    /// Unsafe: the name has to live during the call.
    @unsafe
    fileprivate func write(to name: OpaquePointer?) -> Bool {
        // Unsafe: OpenSSL copies the texts, whose length it counts itself.
        for (attribute, text) in [("C", country), ("CN", commonName)] {
            guard unsafe X509_NAME_add_entry_by_txt(name, attribute, MBSTRING_FLAG | 1, text, -1, -1, 0) == 1 else {
                return false
            }
        }
        return true
    }
}

/// Why something for a test could not be made.
public struct TestingFailure: Error, Sendable, CustomStringConvertible {
    /// What could not be made, and why.
    public let description: String

    init(_ description: String) { self.description = description }

    static func openSSL(_ what: String) -> TestingFailure { TestingFailure("OpenSSL does not make \(what)") }
}
