internal import CLibraries
import Encodings

extension PEM {
    /// The public halves of the private keys in a text. Everyone who reads the text can sign with them.
    ///
    /// Encrypted keys, keys of other kinds and blocks that cannot be read are skipped.
    package static func publicHalvesOfPrivateKeys(in text: [UInt8]) -> [KeyNumber] {
        var halves: [KeyNumber] = []
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

    private static func publicHalf(of block: [UInt8]) -> KeyNumber? {
        defer { ERR_clear_error() }
        // Unsafe: the buffer outlives the reader. Reader and key are freed on every path. The callback gives no passphrase, so that
        // OpenSSL asks nobody for one.
        return unsafe block.withUnsafeBytes { bytes -> KeyNumber? in
            guard let reader = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else {
                return nil
            }
            defer { unsafe BIO_free(reader) }
            guard let key = unsafe PEM_read_bio_PrivateKey(reader, nil, { _, _, _, _ in -1 }, nil) else { return nil }
            defer { unsafe EVP_PKEY_free(key) }
            for algorithm in SignatureAlgorithm.supported {
                if let half = unsafe algorithm.publicHalf(ofPrivateKey: key) { return half }
            }
            return nil
        }
    }

    /// A number of a key, big-endian; nil if the key has none of this name.
    ///
    /// Unsafe: takes a pointer to a key.
    @unsafe
    static func number(_ name: String, of key: OpaquePointer) -> [UInt8]? {
        var number: OpaquePointer?
        // Unsafe: the call writes a number that is freed here. The array has room for all of its bytes.
        guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1, let found = unsafe number else { return nil }
        defer { unsafe BN_clear_free(found) }
        var bytes = [UInt8](repeating: 0, count: Int(unsafe BN_num_bits(found) + 7) / 8)
        return unsafe BN_bn2bin(found, &bytes) == bytes.count ? bytes : nil
    }
}
