package import Encodings

/// A parsed JWE in compact serialization (RFC 7516 §7.1), with direct encryption (`dir`) and A256GCM. It is the form of the
/// files of a SMART Health Link. Nothing in it is authenticated before `open(with:)` succeeds.
package struct CompactJWE: Sendable {
    /// The header. It is authenticated when the JWE is opened.
    package let header: JSONValue
    /// Whether the plaintext is compressed with raw DEFLATE (`zip`, RFC 7516 §4.1.3).
    package let isCompressed: Bool

    /// The header as it stands, which is the additional data (RFC 7516 §5.1).
    private let headerText: [UInt8]
    private let initializationVector: [UInt8]
    private let ciphertext: [UInt8]
    private let tag: [UInt8]

    /// The content type in the header (`cty`); nil if there is none, or if it is no string.
    package var contentType: UTF8Text? { header["cty"]?.string }

    /// The largest header in bytes.
    static let headerSize = 64 << 10

    /// Parses a compact JWE.
    ///
    /// - Parameter text: the JWE without white space around it.
    /// - Throws: `JWEError`: `malformed` if the header is wrong, then `unsupportedEncryption`, then `malformed` if another part is
    ///   wrong, then `unsupportedCompression`.
    package init(_ text: ArraySlice<UInt8>) throws(JWEError) {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 5 else {
            let count = text.count { $0 == UInt8(ascii: ".") } + 1
            let guess = count == 3 ? " (a JWS, which is signed and not encrypted)" : ""
            throw JWEError(.malformed, "a compact JWE has five parts separated by dots, this has \(count)\(guess)")
        }
        headerText = Array(parts[0])
        header = try Self.header(Self.decode(parts[0], "header"))
        for (name, expected) in [("alg", "dir"), ("enc", "A256GCM")] where header[name]?.isString(expected) != true {
            let found = header[name].map { "is \($0.excerpt)" } ?? "is missing"
            throw JWEError(.unsupportedEncryption, "the header's \"\(name)\" \(found), expected \"\(expected)\"")
        }
        guard parts[1].isEmpty else {
            throw JWEError(.malformed, "the encrypted key must be empty, because the link's key is used directly")
        }
        initializationVector = try Self.decode(parts[2], "initialization vector")
        guard initializationVector.count == AES256GCM.initializationVectorLength else {
            let advice = initializationVector.count == 16 ? "; some libraries make 16 by mistake" : ""
            throw JWEError(
                .malformed,
                "the initialization vector has \(initializationVector.count) bytes instead of "
                    + "\(AES256GCM.initializationVectorLength) (RFC 7518 §5.3)\(advice)")
        }
        tag = try Self.decode(parts[4], "authentication tag")
        guard tag.count == AES256GCM.tagLength else {
            throw JWEError(
                .malformed, "the authentication tag has \(tag.count) bytes instead of \(AES256GCM.tagLength)")
        }
        ciphertext = try Self.decode(parts[3], "ciphertext")
        switch header.optional("zip") {
        case nil: isCompressed = false
        case let zip? where zip.isString("DEF"): isCompressed = true
        case let zip?:
            throw JWEError(.unsupportedCompression, "the header's \"zip\" is \(zip.excerpt), expected \"DEF\" or none")
        }
    }

    /// Decrypts the content, which may still be compressed.
    ///
    /// - Returns: the plaintext; nil if the key does not open it, or if it was altered.
    package func open(with key: SecretBytes) -> [UInt8]? {
        AES256GCM.open(
            ciphertext, initializationVector: initializationVector, tag: tag, additionalData: headerText[...], key: key)
    }

    private static func decode(_ part: ArraySlice<UInt8>, _ name: String) throws(JWEError) -> [UInt8] {
        try Result { () throws(Base64Error) in try Base64URL.decode(part) }
            .mapError { JWEError(.malformed, "the \(name) is not base64url: \($0)") }.get()
    }

    private static func header(_ bytes: [UInt8]) throws(JWEError) -> JSONValue {
        guard bytes.count <= headerSize else {
            throw JWEError(.malformed, "the header is larger than \(headerSize) bytes")
        }
        let value = try Result { () throws(JSONError) in try JSONDocument.parse(bytes, maximumDepth: 32) }
            .mapError { JWEError(.malformed, "the header is not acceptable JSON: \($0)") }.get()
        guard value.kind == .object else { throw JWEError(.malformed, "the header is not a JSON object") }
        // RFC 7516 §4.1.13: none of the extensions that "crit" can name is supported here.
        guard value["crit"] == nil else {
            throw JWEError(.malformed, #"the header names extensions ("crit"), none of which is supported"#)
        }
        return value
    }
}

/// Why text was rejected as a JWE.
package typealias JWEError = Rejected<JWEProblem>

/// The reasons of `JWEError`.
package enum JWEProblem: Sendable {
    /// The text is not a compact JWE of this kind (RFC 7516 §7.1).
    case malformed
    /// `alg` is not `dir`, or `enc` is not A256GCM.
    case unsupportedEncryption
    /// `zip` is there, and is not DEF.
    case unsupportedCompression
}
