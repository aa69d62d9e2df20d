public import JSON

/// A JWK as an issuer publishes it (RFC 7517), not yet judged.
///
/// Any JSON can be wrapped: a set may hold keys of other kinds and malformed ones, and they are nobody's business
/// until a card names them.
public struct JWK: Sendable {
    /// The key's members, or whatever stands in a key's place.
    public let value: JSONValue
    /// The key's `kid`; nil if that is missing or not a string.
    public let keyID: KeyID?

    /// Wraps a value.
    public init(_ value: JSONValue) {
        self.value = value
        keyID = value["kid"].flatMap { KeyID($0) }
    }

    /// Whether the private half is published: there is a member `d`, whatever its value.
    public var hasPrivatePart: Bool { value["d"] != nil }

    /// Imports the key, if it may verify SMART Health Cards (SHC-K1, SHC-K3).
    ///
    /// `use` and `alg` may be missing, as real issuers leave them out, but not be something else. Coordinates that
    /// lack their leading zeros are filled up. Whether `kid` is the thumbprint is not looked at.
    ///
    /// - Throws: `JWKError` for the first rule that the key departs from. Whether another entry publishes this key's
    ///   private half is for `JWKSet` to know.
    public func publicKey() throws(JWKError) -> P256PublicKey {
        try P256PublicKey(point())
    }

    /// Checks all that `publicKey()` does, save that the point is on the curve, which costs most by far.
    package func checkForm() throws(JWKError) {
        _ = try point()
    }

    /// The key's point, after all rules that need no curve have been checked.
    func point() throws(JWKError) -> P256Point {
        guard !hasPrivatePart else {
            throw JWKError(
                .privateKey, #"the key is published with its private half ("d"), so anyone can sign with it"#)
        }
        try check("kty", is: "EC", else: .wrongKty)
        if value.optional("use") != nil { try check("use", is: "sig", else: .wrongUse) }
        if value.optional("alg") != nil { try check("alg", is: "ES256", else: .wrongAlg) }
        if let operations = value.optional("key_ops") { try check(operations: operations) }
        try check("crv", is: "P-256", else: .wrongCrv)
        return try P256Point(x: coordinate("x"), y: coordinate("y"))
    }

    private func check(_ name: String, is expected: String, else reason: JWKError.Reason) throws(JWKError) {
        guard let found = value[name] else {
            throw JWKError(reason, #"the key has no "\#(name)", a signing key has "\#(expected)""#)
        }
        guard found.isString(expected) else {
            throw JWKError(reason, #"the key's "\#(name)" is \#(found.excerpt), a signing key has "\#(expected)""#)
        }
    }

    private func check(operations: JSONValue) throws(JWKError) {
        guard let elements = operations.elements else {
            throw JWKError(.wrongKeyOps, #"the key's "key_ops" is an array, this is \#(operations.excerpt)"#)
        }
        guard elements.contains(where: { $0.isString("verify") }) else {
            throw JWKError(.wrongKeyOps, #"the key's "key_ops" does not hold "verify""#)
        }
    }

    /// A coordinate of 32 bytes (RFC 7518 §6.2.1.2). Some issuers leave leading zeros out; they are put back.
    func coordinate(_ name: String) throws(JWKError) -> [UInt8] {
        guard let found = value[name] else {
            throw JWKError(.malformedCoordinate, #"the key has no "\#(name)""#)
        }
        guard let text = found.stringBytes else {
            throw JWKError(.malformedCoordinate, #"the key's "\#(name)" is a string, this is \#(found.excerpt)"#)
        }
        let bytes: [UInt8]
        do {
            bytes = try Base64URL.decode(text)
        } catch {
            throw JWKError(.malformedCoordinate, #"the key's "\#(name)" is not base64url: \#(error)"#)
        }
        guard (1...P256Point.coordinateLength).contains(bytes.count) else {
            throw JWKError(.malformedCoordinate, #"the key's "\#(name)" has 32 bytes, this has \#(bytes.count)"#)
        }
        return [UInt8](repeating: 0, count: P256Point.coordinateLength - bytes.count) + bytes
    }
}
