import JSON

/// A JWS in compact serialization (RFC 7515 §7.1), taken apart. Nothing in it has been verified.
///
/// The parts are decoded once and the text is kept as it came: what is verified is the text that was signed, never
/// a header or payload that was written again.
public struct CompactJWS: Sendable {
    /// The text, as given.
    public let text: [UInt8]
    /// The header's bytes, decoded.
    public let headerBytes: [UInt8]
    /// The payload's bytes, decoded (and in a SMART Health Card still compressed).
    public let payload: [UInt8]
    /// The signature's bytes, decoded. Whether they can be a signature is for `ES256Signature` to say.
    public let signature: [UInt8]

    private let signingInputCount: Int
    /// How many characters an ES256 signature has.
    private static let signatureTextCount = 86

    /// The header as it is written, in base64url.
    package var headerText: ArraySlice<UInt8> { text[..<headerTextCount] }
    private let headerTextCount: Int

    /// The bytes that were signed: the text up to the second dot (RFC 7515 §5.2).
    public var signingInput: ArraySlice<UInt8> { text[..<signingInputCount] }

    /// Takes a compact JWS apart.
    ///
    /// - Parameter text: the JWS and nothing else, no white space around it. A part may be empty.
    /// - Throws: `JWSError` with the reason `malformed`, unless there are three parts, each in base64url.
    public init(_ text: [UInt8]) throws(JWSError) {
        try self.init(text) { _ in nil }
    }

    /// The same for who meets one header again and again.
    ///
    /// - Parameter knownHeader: the bytes that the header's text, which it is given, was decoded to before; nil if it
    ///   was not.
    package init(_ text: [UInt8], knownHeader: (ArraySlice<UInt8>) -> [UInt8]?) throws(JWSError) {
        let dot = UInt8(ascii: ".")
        // The first and the last dot are near the ends, the last right before the signature, where it has its length. Another
        // one is found when the parts are decoded.
        let usual = text.count - CompactJWS.signatureTextCount - 1
        guard let first = text.span.firstIndex(of: dot),
            let second = first < usual && text[usual] == dot ? usual : text.lastIndex(of: dot), first < second
        else { throw CompactJWS.wrongNumberOfParts(in: text) }
        let headerText = text[..<first]
        headerTextCount = first
        headerBytes =
            if let known = knownHeader(headerText) { known } else {
                try CompactJWS.decode(headerText, "header", of: text)
            }
        payload = try CompactJWS.decode(text[(first + 1)..<second], "payload", of: text)
        self.signature = try CompactJWS.decode(text[(second + 1)...], "signature", of: text)
        signingInputCount = second
        self.text = text
    }

    private static func decode(
        _ part: ArraySlice<UInt8>, _ name: String, of text: [UInt8]
    ) throws(JWSError) -> [UInt8] {
        do {
            return try Base64URL.decode(part)
        } catch {
            guard text.count(where: { $0 == UInt8(ascii: ".") }) == 2 else { throw wrongNumberOfParts(in: text) }
            // The reader has the whole JWS before him, so offsets count from its start.
            let inText = Base64Error(error.reason, at: part.startIndex + error.offset)
            throw JWSError(.malformed, "the \(name) is not base64url: \(inText)")
        }
    }

    private static func wrongNumberOfParts(in text: [UInt8]) -> JWSError {
        let count = text.count { $0 == UInt8(ascii: ".") } + 1
        let guess = count == 5 ? " (a JWE?)" : ""
        return JWSError(.malformed, "a compact JWS has three parts separated by dots, this has \(count)\(guess)")
    }
}
