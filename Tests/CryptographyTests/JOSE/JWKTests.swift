import Cryptography
import Encodings
import TestSupport
import Testing

@Suite struct JWKTests {
    @Test func importsASigningKey() throws {
        let jwk = try Samples.jwk(Samples.jwkText())
        #expect(jwk.keyID == KeyID("A3"))
        #expect(!jwk.hasPrivatePart)
        #expect(try jwk.publicKey() == Samples.key())
    }

    @Test func acceptsKeysWithoutUseAndAlg() throws {
        let text = #"{"kty":"EC","crv":"P-256","x":"\#(Samples.x)","y":"\#(Samples.y)"}"#
        #expect(try Samples.jwk(text).publicKey() == Samples.key())
    }

    @Test(arguments: [
        #""crlVersion":"1","ctr":1,"date":1625167100000,"keySize":256,"hasPrivateKey":false,"sig":null"#,
        #""key_ops":["verify"]"#, #""key_ops":["sign","verify"]"#, #""x5c":"nonsense""#,
    ])
    func acceptsOtherMembersThatIssuersWrite(_ members: String) throws {
        #expect(try Samples.jwk(Samples.jwkText(members)).publicKey() == Samples.key())
    }

    /// RFC 7518 §6.2.2 and §6.3.2. The other private members are those of RSA keys only.
    @Test func noticesEveryPrivateMember() throws {
        for name in ["d", "p", "q", "dp", "dq", "qi", "oth"] {
            let rsa = try Samples.jwk(#"{"kty":"RSA","n":"AQ","\#(name)":"AQ"}"#)
            let null = try Samples.jwk(#"{"n":"AQ","\#(name)":null}"#)
            let ec = try Samples.jwk(Samples.jwkText(#""\#(name)":"AQ""#))
            #expect(rsa.hasPrivatePart && null.hasPrivatePart, "\(name)")
            #expect(ec.hasPrivatePart == (name == "d"), "\(name)")
        }
        #expect(try !Samples.jwk(#"{"kty":"RSA","n":"AQ","e":"AQAB"}"#).hasPrivatePart)
    }

    /// A key set may have keys of cards and signers of EU certificates. Each entry is one or the other.
    @Test func tellsSignersFromKeysOfCards() throws {
        let rows: [(keyID: String, members: String, isSigner: Bool)] = [
            ("AQIDBAUGBwg=", "", true), ("AQIDBAUGBwg=", #","x5c":["AA"]"#, true), ("AQIDBAUGBwg", "", false),
            ("AQIDBAUGBwg", #","x5c":null"#, false), ("AQIDBAUGBwg", #","x5c":["AA"]"#, true),
            ("AQIDBAUGBw==", #","x5c":["AA"]"#, false), ("AQIDBAUGBwgJ", #","x5c":["AA"]"#, false), ("A3", "", false),
        ]
        for row in rows {
            let key = try Samples.jwk(#"{"kid":"\#(row.keyID)"\#(row.members)}"#)
            #expect(key.isOfCertificateSigner == row.isSigner, "\(row.keyID)\(row.members)")
        }
    }

    @Test func fillsUpLeadingZerosThatAreMissing() throws {
        let stripped = try Samples.jwk(Samples.jwkText(x: Samples.strippedX, y: Samples.strippedY)).publicKey()
        let full = try Samples.jwk(Samples.jwkText(x: Samples.strippedXFull, y: Samples.strippedY)).publicKey()
        #expect(stripped == full)
        #expect(stripped.x.count == 32 && stripped.x[0] == 0)
        #expect(stripped.thumbprint == KeyID(Samples.strippedThumbprint))
    }

    @Test(arguments: [
        (#""kty":"RSA""#, JWKError.Reason.wrongKty), (#""kty":"ec""#, .wrongKty), (#""kty":null"#, .wrongKty),
        (#""kty":["EC"]"#, .wrongKty),
        (#""use":"enc""#, .wrongUse), (#""use":"SIG""#, .wrongUse),
        (#""alg":"ES384""#, .wrongAlg), (#""alg":"none""#, .wrongAlg), (#""alg":256"#, .wrongAlg),
        (#""key_ops":["sign"]"#, .wrongKeyOps), (#""key_ops":[]"#, .wrongKeyOps),
        (#""key_ops":"verify""#, .wrongKeyOps),
        (#""crv":"P-384""#, .wrongCrv), (#""crv":"secp256k1""#, .wrongCrv), (#""crv":"p-256""#, .wrongCrv),
        (#""crv":256"#, .wrongCrv),
        (#""x":null"#, .malformedCoordinate), (#""x":"""#, .malformedCoordinate), (#""y":"""#, .malformedCoordinate),
        (#""x":"AA=A""#, .malformedCoordinate), (#""y":7"#, .malformedCoordinate),
        (#""x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEV""#, .malformedCoordinate),
        (#""x":"AH_NzidxAPbEXUGDy-5v20t7WAczNXvp7xO6z248e9FU""#, .malformedCoordinate),
        (#""x":"AA""#, .notOnCurve), (#""y":"AQ""#, .notOnCurve),
        (#""x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEQ""#, .notOnCurve),
        (#""d":"x""#, .privateKey), (#""d":null"#, .privateKey), (#""d":1,"kty":"RSA""#, .privateKey),
    ])
    func refusesKeysThatDepartFromTheRules(_ members: String, _ reason: JWKError.Reason) throws {
        let jwk = try Samples.jwk(Samples.jwkText(members))
        let error = #expect(throws: JWKError.self) { try jwk.publicKey() }
        #expect(error?.reason == reason)
    }

    @Test(arguments: [
        (#"{}"#, #"the key has no "kty", a signing key has "EC""#),
        ("7", #"the key has no "kty", a signing key has "EC""#),
        (#"{"kty":"EC"}"#, #"the key has no "crv", a signing key has "P-256""#),
        (#"{"kty":"EC","crv":"P-256","y":"AA"}"#, #"the key has no "x""#),
        (
            #"{"kty":"EC","crv":"P-256","x":"AA=","y":"AA"}"#,
            #"the key's "x" is not base64url: padding ('=') at byte 2"#
        ),
        (#"{"kty":"EC","crv":"P-256","x":{},"y":"AA"}"#, #"the key's "x" must be a string, this is an object"#),
        (#"{"kty":"EC","alg":"\u001b"}"#, #"the key's "alg" is "\u001b", a signing key has "ES256""#),
        (#"{"kty":"EC","key_ops":["sign"]}"#, #"the key's "key_ops" does not contain "verify""#),
    ])
    func saysWhatIsWrong(_ text: String, _ message: String) throws {
        let error = #expect(throws: JWKError.self) { try Samples.jwk(text).publicKey() }
        #expect(error?.message == message)
    }

    @Test func readsPaddedCoordinates() throws {
        let plain = try Samples.jwk(Samples.jwkText())
        let (x, y) = (Samples.x, Samples.y)
        let key = try plain.publicKey()
        #expect(!plain.hasPaddedCoordinate)
        for (x, y) in [(x + "=", y), (x, y + "="), (x + "=", y + "=")] {
            let padded = try Samples.jwk(Samples.jwkText(x: x, y: y))
            #expect(try padded.publicKey() == key)
            #expect(padded.fingerprint == plain.fingerprint)
            #expect(padded.hasPaddedCoordinate)
        }
        for x in [x + "==", x + "===", x + "= ", "=" + x, String(x.dropLast()) + "=", "====", "="] {
            let error = #expect(throws: JWKError.self) { try Samples.jwk(Samples.jwkText(x: x)).publicKey() }
            #expect(error?.reason == .malformedCoordinate, "\(x)")
        }
    }

    @Test func neverQuotesThePrivateHalf() throws {
        let jwk = try Samples.jwk(Samples.jwkText(#""d":"\#(Samples.d)""#))
        #expect(jwk.hasPrivatePart)
        let error = #expect(throws: JWKError.self) { try jwk.publicKey() }
        #expect(error?.message.contains(Samples.d) == false)
    }

    @Test(arguments: ["{}", #"{"kid":7}"#, #"{"kid":null}"#, "[]", "null"])
    func hasNoKeyIDWithoutAString(_ text: String) throws {
        #expect(try Samples.jwk(text).keyID == nil)
    }

    // MARK: x5c

    @Test func readsCertificatesLeafFirst() throws {
        let jwk = try Samples.jwk(
            Samples.jwkText(#""x5c":["\#(Samples.certificate)","\#(Samples.certificateOnP384)"]"#))
        let certificates = try jwk.certificates
        #expect(certificates.count == 2)
        #expect(try Samples.key().matches(certificate: certificates[0]) == .same)
    }

    @Test func hasNoCertificatesWithoutX5C() throws {
        #expect(try Samples.jwk(Samples.jwkText()).certificates.isEmpty)
    }

    @Test(arguments: [
        ("[]", #"the key's "x5c" is not an array of certificates"#),
        (#""MII=""#, #"the key's "x5c" is not an array of certificates"#),
        (#"["MIIB",7]"#, #"the key's "x5c" must contain strings, element 1 is 7"#),
        (#"["MII"]"#, #"element 0 of the key's "x5c" is not base64: the padding ('=') at the end is missing"#),
        (#"["MI-B"]"#, #"element 0 of the key's "x5c" is not base64: '-' at byte 2, which is base64url, not base64"#),
        (#"["MIIB\n"]"#, #"element 0 of the key's "x5c" is not base64: white space at byte 4"#),
    ])
    func saysWhatIsWrongWithX5C(_ x5c: String, _ message: String) throws {
        let jwk = try Samples.jwk(Samples.jwkText(#""x5c":\#(x5c)"#))
        let error = #expect(throws: JWKError.self) { try jwk.certificates }
        #expect(error?.reason == .malformedCertificates)
        #expect(error?.message == message)
    }
}
