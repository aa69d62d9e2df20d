package import Encodings

/// A JWK as an issuer publishes it (RFC 7517). It has not been checked.
///
/// Any JSON value can be wrapped. A set may contain keys of other kinds and malformed ones, which do not matter until a
/// card names them.
package struct JWK: Sendable {
    /// The entry of the key set, normally an object.
    package let value: JSONValue
    /// The key's `kid`, or nil if it is missing or not a string.
    package let keyID: KeyID?

    /// Wraps a value. The value is not checked.
    package init(_ value: JSONValue) {
        self.value = value
        keyID = value["kid"].flatMap { KeyID($0) }
    }

    /// Whether the private half is published: there is a member `d` with any value, or one of the other private members of an
    /// RSA key (RFC 7518 §6.2.2, §6.3.2).
    package var hasPrivatePart: Bool { Self.hasPrivatePart(value) }

    /// Whether a value is a JWK whose private half is published; see `hasPrivatePart`.
    package static func hasPrivatePart(_ value: JSONValue) -> Bool {
        value["d"] != nil || privateMember(in: value) != nil
    }

    /// The name of a member beside `d` that holds a part of the private half of an RSA key; nil if there is none.
    package static func privateMember(in value: JSONValue) -> String? {
        value["kty"]?.isString("EC") == true ? nil : privateMembersOfRSA.first { value[$0] != nil }
    }

    private static let privateMembersOfRSA = ["p", "q", "dp", "dq", "qi", "oth"]

    /// Imports the key, if it may verify SMART Health Cards (SHC-K1, SHC-K3).
    ///
    /// `use` and `alg` may be missing, since real issuers leave them out, but may not have another value. If a
    /// coordinate lacks leading zeros, they are added, and padding is ignored. Whether `kid` is the thumbprint is not checked.
    ///
    /// - Throws: `JWKError` for the first rule that the key violates. Use `JWKSet` to find out whether another entry
    ///   publishes this key's private half.
    package func publicKey() throws(JWKError) -> P256PublicKey {
        try Self.publicKey(point())
    }

    /// Imports the point of a key whose form has been checked.
    static func publicKey(_ point: P256Point) throws(JWKError) -> P256PublicKey {
        guard let key = try? P256PublicKey(point) else {
            throw JWKError(.notOnCurve, #"the key's "x" and "y" are not a point on P-256"#)
        }
        return key
    }

    /// Checks everything that `publicKey()` checks, except that the point is on the curve. That is by far the slowest
    /// check.
    package func checkForm() throws(JWKError) {
        _ = try point()
    }

    /// The key's point. All rules are checked, except that the point is on the curve.
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
            throw JWKError(.wrongKeyOps, #"the key's "key_ops" must be an array, this is \#(operations.excerpt)"#)
        }
        guard elements.contains(where: { $0.isString("verify") }) else {
            throw JWKError(.wrongKeyOps, #"the key's "key_ops" does not contain "verify""#)
        }
    }

    /// Whether `x` or `y` is written with padding, which base64url in JOSE does not have (RFC 7515 §2). It is read all the same.
    package var hasPaddedCoordinate: Bool {
        ["x", "y"].contains { value[$0]?.stringBytes?.last == UInt8(ascii: "=") }
    }

    /// Reads a coordinate of 32 bytes (RFC 7518 §6.2.1.2). Some issuers leave out leading zeros, which are added here, or write
    /// padding.
    func coordinate(_ name: String) throws(JWKError) -> [UInt8] {
        let found = JWKCoordinate(value[name])
        if let bytes = found.padded { return bytes }
        switch found {
        case .missing: throw JWKError(.malformedCoordinate, #"the key has no "\#(name)""#)
        case .ofOtherType:
            let shown = value[name]?.excerpt ?? ""
            throw JWKError(.malformedCoordinate, #"the key's "\#(name)" must be a string, this is \#(shown)"#)
        case .notBase64URL(let error, nil):
            throw JWKError(.malformedCoordinate, #"the key's "\#(name)" is not base64url: \#(error)"#)
        case .notBase64URL(_, let bytes?), .bytes(let bytes):
            throw JWKError(
                .malformedCoordinate, #"the key's "\#(name)" must have 32 bytes, this has \#(bytes.count)"#)
        }
    }
}

/// A coordinate of a key on P-256, as it is written (RFC 7518 §6.2.1.2).
package enum JWKCoordinate: Sendable {
    case missing
    /// The value is not a string.
    case ofOtherType
    /// The text is not base64url, with its bytes if it only has padding, which base64url in JOSE does not have (RFC 7515 §2).
    case notBase64URL(Base64Error, [UInt8]?)
    case bytes([UInt8])

    /// Reads the value of `x` or `y`.
    package init(_ value: JSONValue?) {
        guard let value else {
            self = .missing
            return
        }
        guard let text = value.stringBytes else {
            self = .ofOtherType
            return
        }
        do throws(Base64Error) {
            self = .bytes(try Base64URL.decode(text))
        } catch {
            let isFilled = text.count.isMultiple(of: 4)
            let padding = isFilled ? text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count : 0
            self = .notBase64URL(error, padding > 0 ? try? Base64URL.decode(text.dropLast(padding)) : nil)
        }
    }

    /// The coordinate with its leading zeros, which some issuers leave out; nil if it has no valid length.
    package var padded: [UInt8]? {
        switch self {
        case .bytes(let bytes), .notBase64URL(_, let bytes?):
            guard (1...P256Point.coordinateLength).contains(bytes.count) else { return nil }
            return [UInt8](repeating: 0, count: P256Point.coordinateLength - bytes.count) + bytes
        default: return nil
        }
    }
}

extension JWK {
    /// Whether the entry is a signer of EU certificates, and so no key of cards: its key ID is eight bytes in padded base64, or in any
    /// base64 beside a certificate. Every other entry is a key of cards, and no signer.
    ///
    /// A given key set may have keys of both kinds. Those of one kind never vouch for the other.
    package var isOfCertificateSigner: Bool { signerKeyID != nil }

    /// The eight bytes of a signer's key ID; nil if the entry is a key of cards. See `isOfCertificateSigner`.
    package var signerKeyID: [UInt8]? {
        guard let text = value["kid"]?.stringBytes, let keyID = Base64.decodeInAnyAlphabet(text),
            keyID.count == Self.signerKeyIDLength
        else { return nil }
        let isPadded = text.last == UInt8(ascii: "=")
        return isPadded || value.optional("x5c") != nil ? keyID : nil
    }

    /// The number of bytes of a signer's key ID (HCERT §A.1).
    private static let signerKeyIDLength = 8

    /// A digest that tells keys apart, whatever else is wrong with them: the RFC 7638 thumbprint if the value has the coordinates of
    /// a key on P-256; else the SHA-256 digest of its JSON text.
    package var fingerprint: KeyID {
        if value["kty"]?.isString("EC") == true, value["crv"]?.isString("P-256") == true,
            let x = try? coordinate("x"), let y = try? coordinate("y")
        {
            return KeyID.thumbprint(x: x, y: y)
        }
        return KeyID(Base64URL.encode(SHA256.digest(Array(value.rawBytes))))
    }

    /// The certificates in `x5c`, leaf first, in DER (RFC 7517 §4.7, SHC-K7). Empty if there is no `x5c`.
    ///
    /// Only the encoding is checked. The certificates may have expired, have another key, or be malformed.
    ///
    /// - Throws: `JWKError` with the reason `malformedCertificates` if `x5c` is not an array of one or more strings in
    ///   base64.
    package var certificates: [[UInt8]] {
        get throws(JWKError) {
            guard let chain = value.optional("x5c") else { return [] }
            guard let elements = chain.elements, elements.count > 0 else {
                throw JWKError(.malformedCertificates, #"the key's "x5c" is not an array of certificates"#)
            }
            var certificates: [[UInt8]] = []
            for element in elements { certificates.append(try certificate(element, at: certificates.count)) }
            return certificates
        }
    }

    private func certificate(_ element: JSONValue, at index: Int) throws(JWKError) -> [UInt8] {
        guard let text = element.stringBytes else {
            throw JWKError(
                .malformedCertificates,
                #"the key's "x5c" must contain strings, element \#(index) is \#(element.excerpt)"#)
        }
        return try Result { () throws(Base64Error) in try Base64.decode(text) }.mapError {
            JWKError(.malformedCertificates, #"element \#(index) of the key's "x5c" is not base64: \#($0)"#)
        }.get()
    }

    /// Checks the key's own certificate, the leaf of `x5c`, when there are no anchors to validate it with.
    ///
    /// Without anchors, a certificate proves nothing. So none of these problems needs to fail a card, except that the
    /// certificate has another key (`otherKey`).
    ///
    /// - Parameters:
    ///   - issuer: the issuer's URL.
    ///   - moment: the time of the check, in seconds since 1970.
    /// - Returns: all problems. `malformed` or `tooLarge` is the only one. Otherwise, the order is `unusableKey` or
    ///   `otherKey`, `malformed`, `keyUsage`, `otherName`, `expired` or `notYetValid`. Empty if there is no `x5c`.
    package func certificateProblems(for issuer: String, at moment: Int64) -> [CertificateError] {
        guard value.optional("x5c") != nil else { return [] }
        do throws(CertificateError) {
            guard let der = try boundedCertificates().first else { return [.noCertificate] }
            let leaf = try Certificate(der: der)
            return leaf.problems(of: try certifiableKey(), for: issuer) + leaf.problems(at: moment)
        } catch {
            return [error]
        }
    }

    /// The key that a certificate in `x5c` should have.
    fileprivate func certifiableKey() throws(CertificateError) -> P256PublicKey {
        try Result { () throws(JWKError) in try publicKey() }
            .mapError { CertificateError(.unusableKey, "no certificate can be of this key: \($0)") }.get()
    }

    /// The certificates in `x5c`. Fails if there are more or longer ones than any real key has.
    func boundedCertificates() throws(CertificateError) -> [[UInt8]] {
        guard let chain = value.optional("x5c") else { throw .noCertificate }
        let elements = chain.elements
        if let count = elements?.count, count > CertificateAnchors.maximumCount {
            throw CertificateError(
                .tooLarge, #""x5c" has \#(count) certificates, more than \#(CertificateAnchors.maximumCount)"#)
        }
        // Base64 has four characters for three bytes. JSON text often writes a slash as two characters.
        let isTooLong = { (element: JSONValue) in element.rawBytes.count > 2 * Certificate.maximumLength }
        if let elements, elements.contains(where: isTooLong) {
            throw CertificateError(
                .tooLarge, #"a certificate in "x5c" has more than \#(Certificate.maximumLength) bytes"#)
        }
        return try Result { () throws(JWKError) in try certificates }
            .mapError { CertificateError(.malformed, $0.message) }.get()
    }

    /// The certificates in `x5c` in DER, each with what can be read of it.
    ///
    /// - Throws: as `boundedCertificates()`.
    package func certificateChain() throws(CertificateError) -> [(der: [UInt8], certificate: Certificate?)] {
        try boundedCertificates().map { ($0, try? Certificate(der: $0)) }
    }

    /// The moments at which the result of a certificate check can change, in seconds since 1970. Between two of them,
    /// `certificateProblems(for:at:)` and `CertificateAnchors` give the same result.
    package var certificateDates: [Int64] {
        guard let chain = try? certificateChain() else { return [] }
        return chain.compactMap(\.certificate).flatMap(\.dates)
    }
}

extension P256PublicKey {
    /// The key's RFC 7638 thumbprint. An issuer must use it as the `kid` (SHC-K2).
    package var thumbprint: KeyID { KeyID.thumbprint(x: x, y: y) }
}

extension KeyID {
    /// The RFC 7638 thumbprint of a point on P-256.
    fileprivate static func thumbprint(x: [UInt8], y: [UInt8]) -> KeyID {
        // The required members in lexicographic order, without white space (RFC 7638 §3.1, §3.2).
        let members =
            #"{"crv":"P-256","kty":"EC","x":"\#(Base64URL.encode(x))","y":"\#(Base64URL.encode(y))"}"#
        return KeyID(Base64URL.encode(SHA256.digest(Array(members.utf8))))
    }
}

/// Why a JWK cannot be used to verify a SMART Health Card.
package typealias JWKError = Rejected<JWKProblem>

/// The reasons of `JWKError`.
package enum JWKProblem: Sendable {
    /// `kty` is missing or not EC, or the entry is not a JSON object.
    case wrongKty
    /// `use` is present, but not sig.
    case wrongUse
    /// `alg` is present, but not ES256.
    case wrongAlg
    /// `key_ops` is present, but does not contain verify.
    case wrongKeyOps
    /// `crv` is missing or not P-256.
    case wrongCrv
    /// `x` or `y` is missing, is not base64url (padding is read), or does not have 1 to 32 bytes.
    case malformedCoordinate
    /// There is no point on P-256 with the coordinates `x` and `y`.
    case notOnCurve
    /// The key's private half is published, so anyone can sign with it.
    case privateKey
    /// `x5c` is not an array of certificates in base64.
    case malformedCertificates
}

extension CertificateAnchors {
    /// Validates the path from the certificate of an issuer's key to one of the anchors (SHC-K8); see
    /// `validate(_:of:for:at:refusing:)`.
    ///
    /// - Parameters:
    ///   - jwk: the key as published. If a key set has several entries for one key, validate the certificate of each.
    ///   - issuer: the issuer's URL.
    ///   - moment: the time of validation, in seconds since 1970.
    ///   - compromised: keys whose private half is published.
    /// - Returns: the path, as reports show it.
    /// - Throws: `CertificateError`: the first error that was found.
    package func validate(
        _ jwk: JWK, for issuer: String, at moment: Int64, refusing compromised: [CompromisedKeys] = []
    ) throws(CertificateError) -> CertificatePath {
        let certificates = try jwk.boundedCertificates()
        return try validate(certificates, of: jwk.certifiableKey(), for: issuer, at: moment) { certificate in
            compromised.contains { $0.contains(certificate) }
        }
    }
}
