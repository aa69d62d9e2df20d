package import Credentials
package import Cryptography
package import Encodings

/// Opens the encrypted files of a link.
package struct FileOpener {
    private let key: SecretBytes
    private let inflater: Inflater

    /// The largest file in bytes, encrypted or decrypted.
    package static let fileSize = 16 << 20

    package init(key: SecretBytes, inflater: Inflater) {
        self.key = key
        self.inflater = inflater
    }

    /// Decrypts and inflates a file.
    ///
    /// - Parameters:
    ///   - text: a compact JWE, with or without white space around it.
    ///   - budget: what the links of the input may still use. The bytes of the plaintext are subtracted.
    /// - Returns: the plaintext, and the content type in the header.
    /// - Throws: `VerificationFailure` with the first thing that is wrong.
    package func open(
        _ text: [UInt8], within budget: inout ContainerBudget
    ) throws(VerificationFailure) -> (plaintext: [UInt8], contentType: UTF8Text?) {
        let text = text[...].trimmingWhiteSpace()
        guard text.count <= Self.fileSize else { throw Self.tooLong }
        if let words = Self.unencrypted(text) { throw VerificationFailure(.malformedJWE, words) }
        let jwe = try Result { () throws(JWEError) in try CompactJWE(text) }.mapError { VerificationFailure($0) }.get()
        guard var plaintext = jwe.open(with: key) else {
            throw VerificationFailure(
                .decryptionFailed, "the link's key does not open the file, or the file was altered")
        }
        if jwe.isCompressed { plaintext = try inflated(plaintext, upTo: min(Self.fileSize, budget.size)) }
        try budget.spend(plaintext.count)
        return (plaintext, jwe.contentType)
    }

    /// The failure of a file that is too large.
    package static var tooLong: VerificationFailure {
        VerificationFailure(.malformedJWE, "the file is larger than \(fileSize >> 20) MiB")
    }

    /// What a file is that cannot be an encrypted one, in words; nil if it may be one.
    private static func unencrypted(_ text: ArraySlice<UInt8>) -> String? {
        if text.first == UInt8(ascii: "<") {
            return
                "there is a page for a browser and no encrypted file: its address may be that at which the owner manages the link. Ask the "
                + "person for the link itself, or for its QR code"
        }
        guard text.first == UInt8(ascii: "{"), !Array(text).holdsMoreJSONValues(than: Bounds.inputValues),
            let value = try? JSONDocument.parse(Array(text), maximumDepth: Bounds.nesting)
        else { return nil }
        if value["files"]?.elements != nil {
            return
                "there is a manifest and no encrypted file. The link says by its flag U that its address is that of a single file: its maker "
                + "leaves out the flag, or puts the file there"
        }
        let what = value["resourceType"]?.string.map { "a FHIR \($0.quoted(upTo: 64)) resource" } ?? "JSON"
        return "the file is \(what) that is not encrypted. Files of a link must be encrypted, so it was not read"
    }

    private func inflated(_ bytes: [UInt8], upTo size: Int) throws(VerificationFailure) -> [UInt8] {
        do {
            return try inflater.inflate(bytes, maximumSize: size)
        } catch {
            switch error.reason {
            case .tooLarge:
                throw VerificationFailure(
                    .payloadTooLarge,
                    "the file inflates to more than \(Self.fileSize >> 20) MiB, or the files of the links of this input to more "
                        + "than \(Bounds.containerSize >> 20) MiB together")
            default: throw VerificationFailure(.inflateFailed, "the file cannot be inflated: \(error)")
            }
        }
    }
}

extension VerificationFailure {
    /// The failure of a file that cannot be read as a JWE.
    package init(_ error: JWEError) {
        switch error.reason {
        case .malformed: self.init(.malformedJWE, error.message)
        case .unsupportedEncryption: self.init(.unsupportedEncryption, error.message)
        case .unsupportedCompression: self.init(.unsupportedCompression, error.message)
        }
    }
}
