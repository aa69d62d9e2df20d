import CLibraries
package import Encodings

/// Certificates as text (RFC 7468), read by OpenSSL.
package enum PEM {
    /// The certificates in a text, in DER.
    ///
    /// Text between the certificates is skipped, and so are other things in PEM, such as keys.
    ///
    /// - Returns: at least one certificate.
    /// - Throws: `Malformed`: `noCertificate`; `malformed` if a certificate has no end, is not base64, or is of
    ///   OpenSSL's own kind with trust settings, which would have no effect here; or `failed`.
    package static func certificates(in text: [UInt8]) throws(Malformed) -> [[UInt8]] {
        let lines = certificateBlocks(in: text)
        var certificates: [[UInt8]] = []
        // Unsafe: the buffer outlives the reader, which does not write to it.
        let failure = unsafe lines.withUnsafeBytes { bytes -> Malformed? in
            guard let reader = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else {
                return Malformed("there is no memory to read the file")
            }
            defer { unsafe BIO_free(reader) }
            do throws(Malformed) {
                while let (kind, content) = try unsafe next(reader, number: certificates.count) {
                    guard kind != "TRUSTED CERTIFICATE" else {
                        throw Malformed(
                            "\(ordinal(certificates.count)) is a TRUSTED CERTIFICATE, whose settings are OpenSSL's own; "
                                + "openssl x509 turns it into a plain one")
                    }
                    certificates.append(content)
                }
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
        guard !certificates.isEmpty else { throw nothingFound(in: text) }
        return certificates
    }

    /// The blocks of certificates in a text, with one form of line ends.
    ///
    /// OpenSSL reads long lines in pieces, and would find a block in the middle of a comment. So it gets nothing but the blocks,
    /// without indentation and blank lines. A line that cannot be base64 becomes one that is not base64.
    private static func certificateBlocks(in text: [UInt8]) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(text.count + 1)
        // Whether the current block is a certificate; nil outside of blocks.
        var isCertificate: Bool?
        for line in text[...].trimmingByteOrderMarks().split(whereSeparator: isLineEnd) {
            let line = line.trimmingWhiteSpace()
            if isCertificate != true, let kind = kind(ofBlockThatBegins: line) {
                isCertificate = certificateKinds.contains(where: kind.elementsEqual)
                if isCertificate == true { lines += line + [0x0A] }
            } else if isCertificate == true {
                let isBoundary = line.starts(with: "-----".utf8)
                let isPlain = !line.contains { $0 == 0 || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "-") }
                if isBoundary || isPlain { lines += line } else { lines.append(UInt8(ascii: "!")) }
                lines.append(0x0A)
                if line.starts(with: end) { isCertificate = nil }
            } else if line.starts(with: end) {
                isCertificate = nil
            }
        }
        return lines
    }

    /// Whether a line of a text begins something in PEM. Elsewhere in a line, the same words are content.
    package static func hasBlock(_ text: [UInt8]) -> Bool { !kinds(ofBlocksIn: text).isEmpty }

    /// What a text in PEM holds that has no certificate, in words; nil if it has one, or nothing in PEM.
    package static func wordsWithoutCertificate(_ text: [UInt8]) -> String? {
        let kinds = kinds(ofBlocksIn: text)
        let isOf = { (name: String) in kinds.contains { $0.suffix(name.utf8.count).elementsEqual(name.utf8) } }
        guard !kinds.isEmpty, !isOf("CERTIFICATE") else { return nil }
        return isOf("PRIVATE KEY")
            ? "a private key in PEM, which only its owner may have"
            : isOf("PUBLIC KEY") ? "a public key in PEM" : "keys or other things in PEM"
    }

    /// The kinds of the blocks that lines of a text begin.
    private static func kinds(ofBlocksIn text: [UInt8]) -> [ArraySlice<UInt8>] {
        text[...].trimmingByteOrderMarks().split(whereSeparator: isLineEnd).compactMap {
            kind(ofBlockThatBegins: $0.trimmingWhiteSpace())
        }
    }

    private static let begin = "-----BEGIN ".utf8
    private static let end = "-----END ".utf8
    private static let certificateKinds = ["CERTIFICATE".utf8, "X509 CERTIFICATE".utf8, "TRUSTED CERTIFICATE".utf8]

    /// The kind of the block that a line begins; nil if it begins none.
    private static func kind(ofBlockThatBegins line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.starts(with: begin), line.dropFirst(begin.count).suffix(5).elementsEqual("-----".utf8) else {
            return nil
        }
        return line.dropFirst(begin.count).dropLast(5)
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// The next thing in PEM; nil at the end.
    private static func next(
        _ reader: OpaquePointer, number: Int
    ) throws(Malformed) -> (kind: String, content: [UInt8])? {
        var kind: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var content: UnsafeMutablePointer<UInt8>?
        var count = 0
        defer {
            // Unsafe: OpenSSL allocated these, or left them null; they are not used after this.
            unsafe CRYPTO_free(kind, nil, 0)
            unsafe CRYPTO_free(header, nil, 0)
            unsafe CRYPTO_free(content, nil, 0)
        }
        // Unsafe: the reader is valid, and the call writes to the variables, which live for it.
        guard unsafe PEM_read_bio(reader, &kind, &header, &content, &count) == 1, let kind = unsafe kind else {
            let reason = ERR_GET_REASON(ERR_peek_last_error())
            ERR_clear_error()
            switch reason {
            case PEM_R_NO_START_LINE: return nil
            case PEM_R_BAD_BASE64_DECODE:
                throw Malformed("\(ordinal(number)) is not base64")
            default:
                throw Malformed(
                    "after \(number) whole certificates the file has a line -----BEGIN without content and an -----END of its kind"
                )
            }
        }
        // Unsafe: the string ends in a null byte, and the content has so many bytes; both are copied.
        return unsafe (String(cString: kind), Array(UnsafeBufferPointer(start: content, count: count)))
    }

    private static func nothingFound(in text: [UInt8]) -> Malformed {
        let words =
            if let found = wordsWithoutCertificate(text) {
                "the file holds \(found), and no certificate"
            } else if text.first == 0x30, text.contains(0) {
                "the file is not PEM; it looks like DER, which openssl x509 -inform DER turns into PEM"
            } else {
                "the file is not PEM: it has no line -----BEGIN CERTIFICATE-----"
            }
        return Malformed(words)
    }

    static func ordinal(_ index: Int) -> String { "certificate \(index + 1) of the file" }
}

extension PEM {
    /// The certificates in a text, parsed; at least one.
    ///
    /// - Throws: `Malformed`, as `certificates(in:)`, and if one does not parse.
    static func parsed(_ text: [UInt8]) throws(Malformed) -> [Certificate] {
        var parsed: [Certificate] = []
        for der in try certificates(in: text) {
            do {
                parsed.append(try Certificate(der: der))
            } catch {
                throw Malformed("\(ordinal(parsed.count)) cannot be used: \(error)")
            }
        }
        return parsed
    }
    /// The certificate in a text, parsed.
    ///
    /// - Throws: `Malformed`, as `parsed`, and if there are several.
    static func onlyCertificate(in text: [UInt8]) throws(Malformed) -> Certificate {
        let certificates = try parsed(text)
        guard certificates.count == 1 else {
            throw Malformed("the file holds \(certificates.count) certificates, expected one")
        }
        return certificates[0]
    }

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
