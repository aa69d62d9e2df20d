import Bytes
internal import COpenSSL

extension PEM {
    /// What identifies the public half of a private key.
    package enum PublicHalf: Sendable, Equatable {
        /// The first coordinate of a point on P-256.
        case p256([UInt8])
        /// The modulus of an RSA key, without leading zeros.
        case rsa([UInt8])
    }

    /// The public halves of the private keys in a text. Everyone who reads the text can sign with them.
    ///
    /// Encrypted keys, keys of other kinds and blocks that cannot be read are skipped.
    package static func publicHalvesOfPrivateKeys(in text: [UInt8]) -> [PublicHalf] {
        var halves: [PublicHalf] = []
        var block: [UInt8]?
        for line in text[...].trimmingByteOrderMarks().split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = line.trimmingWhiteSpace()
            if line.starts(with: "-----BEGIN ".utf8) {
                block = line.suffix(16).elementsEqual("PRIVATE KEY-----".utf8) ? [] : nil
            }
            guard var lines = block else { continue }
            lines += line + [0x0A]
            // A private key of the largest kind that is used has a few thousand bytes.
            guard lines.count <= maximumPrivateKeyLength, halves.count < maximumPrivateKeys else {
                block = nil
                continue
            }
            if line.starts(with: "-----END ".utf8) {
                if let half = publicHalf(of: lines) { halves.append(half) }
                block = nil
            } else {
                block = lines
            }
        }
        return halves
    }

    private static let maximumPrivateKeyLength = 64 << 10
    private static let maximumPrivateKeys = 1000

    private static func publicHalf(of block: [UInt8]) -> PublicHalf? {
        defer { ERR_clear_error() }
        // Unsafe: the buffer outlives the reader. Reader and key are freed on every path. The callback gives no passphrase, so that
        // OpenSSL asks nobody for one.
        return unsafe block.withUnsafeBytes { bytes -> PublicHalf? in
            guard let reader = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else {
                return nil
            }
            defer { unsafe BIO_free(reader) }
            guard let key = unsafe PEM_read_bio_PrivateKey(reader, nil, { _, _, _, _ in -1 }, nil) else { return nil }
            defer { unsafe EVP_PKEY_free(key) }
            if unsafe EVP_PKEY_is_a(key, "RSA") == 1 || EVP_PKEY_is_a(key, "RSA-PSS") == 1 {
                return unsafe number(OSSL_PKEY_PARAM_RSA_N, of: key).map { .rsa(Array($0.drop { $0 == 0 })) }
            }
            guard unsafe EVP_PKEY_is_a(key, "EC") == 1, unsafe EVP_PKEY_get_bits(key) == 256,
                let d = unsafe number(OSSL_PKEY_PARAM_PRIV_KEY, of: key), d.count <= P256Point.coordinateLength
            else { return nil }
            let padded = [UInt8](repeating: 0, count: P256Point.coordinateLength - d.count) + d
            return P256Point.firstCoordinate(ofPrivateKey: padded).map { .p256($0) }
        }
    }

    /// A number of a key, big-endian; nil if the key has none of this name.
    ///
    /// Unsafe: takes a pointer to a key.
    @unsafe
    private static func number(_ name: String, of key: OpaquePointer) -> [UInt8]? {
        var number: OpaquePointer?
        // Unsafe: the call writes a number that is freed here. The array has room for all of its bytes.
        guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1, let found = unsafe number else { return nil }
        defer { unsafe BN_clear_free(found) }
        var bytes = [UInt8](repeating: 0, count: Int(unsafe BN_num_bits(found) + 7) / 8)
        return unsafe BN_bn2bin(found, &bytes) == bytes.count ? bytes : nil
    }
}
