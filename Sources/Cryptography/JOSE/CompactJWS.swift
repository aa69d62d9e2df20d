package import Encodings

/// A parsed JWS in compact serialization (RFC 7515 §7.1). Nothing in it has been verified.
///
/// The original text is kept, because the signature covers exactly that text and not a header or payload that was
/// encoded again.
package struct CompactJWS: Sendable {
    /// The text, as given.
    package let text: [UInt8]
    /// The header's bytes, decoded.
    package let headerBytes: [UInt8]
    /// The payload's bytes, decoded (and in a SMART Health Card still compressed).
    package let payload: [UInt8]
    /// The signature's bytes, decoded. `ES256Signature` checks whether they can be a signature.
    package let signature: [UInt8]

    private let signingInputCount: Int
    /// The number of characters of an ES256 signature in base64url.
    private static let signatureTextCount = 86

    /// The header in base64url, as it is in the text.
    package var headerText: ArraySlice<UInt8> { text[..<headerTextCount] }
    private let headerTextCount: Int

    /// The bytes that were signed: the text up to the second dot (RFC 7515 §5.2).
    package var signingInput: ArraySlice<UInt8> { text[..<signingInputCount] }

    /// Parses a compact JWS. The decoded header can be taken from a cache, which is faster if many cards share a
    /// header.
    ///
    /// - Parameters:
    ///   - text: the JWS without white space around it. A part may be empty.
    ///   - knownHeader: gets the header's text, and returns its decoded bytes or nil if it does not know them.
    /// - Throws: `JWSError` with the reason `malformed` if there are not exactly three parts in base64url.
    package init(
        _ text: [UInt8], knownHeader: (ArraySlice<UInt8>) -> [UInt8]? = { _ in nil }
    ) throws(JWSError) {
        let dot = UInt8(ascii: ".")
        // An ES256 signature has a fixed length, so the last dot usually is right before it. If there is another dot in
        // between, decoding the parts finds it.
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
            // Offsets count from the start of the whole JWS, since that is what the reader of the message has.
            let inText = Base64Error(error.reason, at: part.startIndex + error.offset)
            let isAtEnd = part.endIndex == text.endIndex && error.reason == .trailingBits
            throw JWSError(
                .malformed, "the \(name) is not base64url: \(inText)\(isAtEnd ? "; was the text cut off?" : "")")
        }
    }

    private static func wrongNumberOfParts(in text: [UInt8]) -> JWSError {
        let count = text.count { $0 == UInt8(ascii: ".") } + 1
        let guess = count == 5 ? " (a JWE?)" : count < 3 ? "; was the text cut off?" : ""
        return JWSError(.malformed, "a compact JWS has three parts separated by dots, this has \(count)\(guess)")
    }
}

/// The header of a SMART Health Card's JWS (RFC 7515 §4, SHC-J1), with ES256, DEF and a key ID.
///
/// The header does not choose the algorithm. `alg` is read only to reject other algorithms.
///
/// This is a class, because all cards with the same key may share one header.
package final class JOSEHeader: Sendable {
    /// The header's members.
    package let value: JSONValue
    /// The ID of the key that the card claims to be signed with.
    package let keyID: KeyID
    /// The names of members that contain a key or a link to one, in the order `jwk`, `jku`, `x5u`, `x5c`.
    ///
    /// They are never used. A key that comes with the card proves nothing about the issuer.
    package let ignoredKeyMembers: [String]

    /// Reads a header.
    ///
    /// - Parameter bytes: the header's JSON, decoded from base64url.
    /// - Throws: `JWSError` for the first of these rules that is violated: strict JSON; an object; no `crit`; `alg` is
    ///   ES256; `zip` is DEF; `kid` is a string that is not empty.
    package init(_ bytes: [UInt8]) throws(JWSError) {
        let value = try Result { () throws(JSONError) in try JSONDocument.parse(bytes) }
            .mapError { JWSError(.malformed, "the header is not acceptable JSON: \($0)") }.get()
        guard value.kind == .object else {
            throw JWSError(.malformed, "the header must be a JSON object, this is \(JOSEHeader.name(of: value.kind))")
        }
        // RFC 7515 §4.1.11: a JWS must be rejected if "crit" names an extension that is not supported. None is
        // supported here.
        guard value["crit"] == nil else {
            throw JWSError(.malformed, #"the header names extensions ("crit"), none of which is supported"#)
        }
        try JOSEHeader.check(value["alg"], "alg", is: "ES256", else: .unsupportedAlgorithm)
        try JOSEHeader.check(value["zip"], "zip", is: "DEF", else: .unsupportedCompression)
        keyID = try JOSEHeader.keyID(value["kid"])
        ignoredKeyMembers = ["jwk", "jku", "x5u", "x5c"].filter { value[$0] != nil }
        self.value = value
    }

    private static func check(
        _ value: JSONValue?, _ name: String, is expected: String, else reason: JWSError.Reason
    ) throws(JWSError) {
        guard let value else {
            throw JWSError(reason, #"the header has no "\#(name)", a SMART Health Card has "\#(expected)""#)
        }
        guard value.isString(expected) else {
            throw JWSError(
                reason, #"the header's "\#(name)" is \#(value.excerpt), a SMART Health Card has "\#(expected)""#)
        }
    }

    private static func keyID(_ value: JSONValue?) throws(JWSError) -> KeyID {
        guard let value else { throw JWSError(.malformed, #"the header has no "kid", so it names no key"#) }
        guard let keyID = KeyID(value) else {
            throw JWSError(.malformed, #"the header's "kid" must be a string, this is \#(value.excerpt)"#)
        }
        guard !keyID.bytes.isEmpty else { throw JWSError(.malformed, #"the header's "kid" is empty"#) }
        return keyID
    }

    private static func name(of kind: JSONValue.Kind) -> String {
        switch kind {
        case .array: "an array"
        case .object: "an object"
        case .null: "null"
        case .boolean, .number, .string: "a \(kind.rawValue)"
        }
    }
}

/// Why text was rejected as a JWS.
package typealias JWSError = Rejected<JWSProblem>

/// The reasons of `JWSError`.
package enum JWSProblem: Sendable {
    /// The text is not a compact JWS, or its header is malformed (RFC 7515 §4, §7.1).
    case malformed
    /// The header has no `alg`, or one other than ES256.
    case unsupportedAlgorithm
    /// The header has no `zip`, or one other than DEF.
    case unsupportedCompression
}
