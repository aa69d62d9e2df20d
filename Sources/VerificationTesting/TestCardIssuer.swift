public import Credentials
public import Cryptography
import Encodings
public import SMARTHealthCards
public import Verification

/// An issuer of SMART Health Cards for tests, with a key of its own that is made at random.
///
///     let issuer = try TestCardIssuer()
///     var policy = VerificationPolicy()
///     policy.trust(issuer)
///     let upload = try issuer.card(of: bundle).file
///
/// Nobody else trusts it: its key exists in memory alone, and a card verifies only with a policy or a `TestSource` that names
/// the issuer.
public struct TestCardIssuer: Sendable {
    /// The URL of the issuer. Nothing has to be there.
    public let issuer: Issuer
    /// The revocation identifiers of the cards that it has revoked, in their order.
    public private(set) var revokedIDs: [String] = []
    private let key: SigningKey

    /// Makes an issuer with a new key.
    ///
    /// - Parameter issuer: the URL.
    /// - Throws: `TestingFailure` if OpenSSL makes no key.
    public init(_ issuer: Issuer = Issuer(unchecked: "https://issuer.example/cards")) throws(TestingFailure) {
        self.issuer = issuer
        key = try SigningKey()
    }

    // MARK: What an issuer publishes

    /// The ID of its key: the thumbprint (SHC "Generating and resolving cryptographic keys").
    package var keyID: KeyID { key.publicKey.thumbprint }

    /// Its key set as a file, as `--jwks` and a server of `/.well-known/jwks.json` have it. It says that there is a revocation
    /// list as soon as a card was revoked (`crlVersion`).
    public var keySetFile: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.array("keys") { writer in
                writer.object { writer in
                    writer.member("kty", "EC")
                    writer.member("kid", keyID.description)
                    writer.member("use", "sig")
                    writer.member("alg", "ES256")
                    writer.member("crv", "P-256")
                    writer.member("x", Base64URL.encode(key.publicKey.x))
                    writer.member("y", Base64URL.encode(key.publicKey.y))
                    if !revokedIDs.isEmpty { writer.member("crlVersion", revokedIDs.count) }
                }
            }
        }
        return writer.bytes
    }

    /// Its key set.
    public var keySet: JWKSet {
        guard let set = try? JWKSet(keySetFile) else { preconditionFailure("a key set that was just written is JSON") }
        return set
    }

    /// Revokes the cards with an identifier. Each counts as a new version of the list.
    public mutating func revoke(_ revocationID: String) { revokedIDs.append(revocationID) }

    /// Its revocation list as a file, as `--crl` and a server of `/.well-known/crl/KID.json` have it.
    public var revocationListFile: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("kid", keyID.description)
            writer.member("method", "rid")
            writer.member("ctr", max(1, revokedIDs.count))
            writer.array("rids") { writer in
                for id in revokedIDs { writer.value(id) }
            }
        }
        return writer.bytes
    }

    /// Its revocation list.
    package var revocationList: RevocationList {
        guard let list = try? RevocationList(revocationListFile) else {
            preconditionFailure("a revocation list that was just written is one")
        }
        return list
    }

    // MARK: Cards

    /// The type that every card has.
    public static let cardType = "https://smarthealth.cards#health-card"

    /// Signs a card.
    ///
    /// - Parameters:
    ///   - bundle: the FHIR Bundle, as JSON. Its white space is left out, and nothing else is changed or checked.
    ///   - issued: `nbf`; the current second if it is nil.
    ///   - expires: `exp`; nil for a card without one.
    ///   - revocationID: `vc.rid`; nil for a card without one.
    ///   - types: `vc.type`.
    ///   - fhirVersion: `vc.credentialSubject.fhirVersion`.
    /// - Throws: `TestingFailure` if the Bundle is not JSON.
    public func card(
        of bundle: [UInt8] = TestCard.sampleBundle, issued: NumericDate? = nil, expires: NumericDate? = nil,
        revocationID: String? = nil, types: [String] = [cardType], fhirVersion: String = "4.0.1"
    ) throws(TestingFailure) -> TestCard {
        let parsed: JSONValue
        do { parsed = try JSONDocument.parse(bundle) } catch {
            throw TestingFailure("the Bundle is not JSON: \(error)")
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("iss", issuer.url)
            writer.name("nbf")
            writer.number((issued ?? NumericDate.now.toTheSecond).digits)
            if let expires {
                writer.name("exp")
                writer.number(expires.digits)
            }
            writer.object("vc") { writer in
                writer.array("type") { writer in
                    for type in types { writer.value(type) }
                }
                writer.object("credentialSubject") { writer in
                    writer.member("fhirVersion", fhirVersion)
                    writer.name("fhirBundle")
                    writer.value(parsed)
                }
                if let revocationID { writer.member("rid", revocationID) }
            }
        }
        return try card(payload: writer.bytes)
    }

    /// Signs a card with any payload, also with one that no issuer may sign.
    ///
    /// - Parameters:
    ///   - payload: the payload before it is compressed.
    ///   - header: the protected header as JSON; nil for the right one.
    public func card(payload: [UInt8], header: [UInt8]? = nil) throws(TestingFailure) -> TestCard {
        let header = header ?? Array(#"{"alg":"ES256","zip":"DEF","kid":"\#(keyID)"}"#.utf8)
        // zlib's format is raw DEFLATE between a header of two bytes and a checksum of four (RFC 1950 §2.2).
        guard let stream = Deflater.deflate(payload, .small), stream.count > 6 else {
            throw TestingFailure("there is no memory to compress the payload")
        }
        let text = "\(Base64URL.encode(header)).\(Base64URL.encode(stream.dropFirst(2).dropLast(4)))"
        let signature = try key.signature(of: Array(text.utf8))
        return TestCard(jws: "\(text).\(Base64URL.encode(signature))")
    }
}

extension VerificationPolicy {
    /// Trusts an issuer of a test by its name, and takes its key and revocation list as given. Nothing has to be fetched for
    /// its cards.
    ///
    /// To test what is fetched, name the issuer in `cards.trustedIssuers`, and give the verifier a `TestSource`.
    public mutating func trust(_ issuer: TestCardIssuer) {
        cards.trust(issuer)
    }
}

extension CardPolicy {
    /// Trusts an issuer of a test by its name, and takes its key and revocation list as given.
    public mutating func trust(_ issuer: TestCardIssuer) {
        trustedIssuers.allow(issuer.issuer)
        givenKeys.add(issuer.keySet, for: issuer.issuer)
        if !issuer.revokedIDs.isEmpty { givenLists.append(issuer.revocationList) }
    }
}

extension NumericDate {
    /// The number of seconds since 1970, as JSON writes it.
    fileprivate var digits: String {
        let (seconds, attoseconds) = sinceEpoch.components
        guard attoseconds != 0 else { return String(seconds) }
        let isNegative = seconds < 0 || attoseconds < 0
        var fraction = String(attoseconds.magnitude)
        fraction = String(repeating: "0", count: 18 - fraction.utf8.count) + fraction
        while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
        return "\(isNegative ? "-" : "")\(seconds.magnitude).\(fraction)"
    }
}
