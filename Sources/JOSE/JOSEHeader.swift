public import JSON

/// The header of a SMART Health Card's JWS (RFC 7515 §4, SHC-J1): ES256, DEF, and the id of the key.
///
/// The algorithm is not the header's to choose. It is read only to turn away what this library does not verify.
///
/// An object, since all cards of a key may share one.
public final class JOSEHeader: Sendable {
    /// The header's members.
    public let value: JSONValue
    /// The id of the key that the card says it was signed with.
    public let keyID: KeyID
    /// The names of members that carry a key or say where to get one, in the order `jwk`, `jku`, `x5u`, `x5c`.
    ///
    /// They are never used: a key that comes with the card proves nothing about the issuer.
    public let ignoredKeyMembers: [String]

    /// Reads a header.
    ///
    /// - Parameter bytes: the header's JSON, decoded from base64url.
    /// - Throws: `JWSError`, for the first of these that does not hold: strict JSON; an object; no `crit`; `alg` is
    ///   ES256; `zip` is DEF; `kid` is a string that is not empty.
    public init(_ bytes: [UInt8]) throws(JWSError) {
        let value: JSONValue
        do {
            value = try JSONDocument.parse(bytes)
        } catch {
            throw JWSError(.malformed, "the header is not acceptable JSON: \(error)")
        }
        guard value.kind == .object else {
            throw JWSError(.malformed, "the header is a JSON object, this is \(JOSEHeader.name(of: value.kind))")
        }
        // RFC 7515 §4.1.11: who does not understand an extension named here rejects the JWS, and we understand none.
        guard value["crit"] == nil else {
            throw JWSError(.malformed, #"the header names extensions ("crit") that a verifier has to understand"#)
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
            throw JWSError(.malformed, #"the header's "kid" is a string, this is \#(value.excerpt)"#)
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
