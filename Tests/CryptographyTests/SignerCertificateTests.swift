import CLibraries
import Encodings
import Testing

@testable import Cryptography

/// The fields of certificates of health certificates' signers, which other parsers refuse for many reasons.
@Suite struct SignerCertificateTests {
    private func certificate(_ base64: String) throws -> Certificate {
        let certificate = try Certificate(listed: Base64.decode(Array(base64.utf8)))
        let whole = try Certificate(der: certificate.der)
        // Both read the same, whichever parser is used.
        #expect(certificate.publicKey == whole.publicKey)
        #expect(certificate.extendedKeyUsages == whole.extendedKeyUsages)
        #expect(certificate.subject == whole.subject)
        #expect(certificate.isSame(as: whole))
        return certificate
    }

    private func unusable(_ base64: String) throws -> String? {
        guard case .failure(let error) = try certificate(base64).publicKey else { return nil }
        return error.description
    }

    private func coordinates() -> (x: [UInt8], y: [UInt8]) {
        let bytes = { (text: String) in
            stride(from: 0, to: 64, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
        }
        return (bytes(SignerCertificates.x), bytes(SignerCertificates.y))
    }

    // MARK: Keys

    @Test(arguments: [SignerCertificates.p256, SignerCertificates.compressed])
    func readsKeysOnP256(_ base64: String) throws {
        let certificate = try certificate(base64)
        let (x, y) = coordinates()
        #expect(try certificate.publicKey == .success(.es256(P256PublicKey(x: x, y: y))))
    }

    @Test(arguments: [
        (SignerCertificates.rsa2048, PS256Vectors.rsa2048), (SignerCertificates.rsa3072, PS256Vectors.rsa3072),
        (SignerCertificates.pss, PS256Vectors.rsa2048), (SignerCertificates.pss256, PS256Vectors.rsa2048),
    ])
    func readsRSAKeys(_ base64: String, _ modulus: String) throws {
        let certificate = try certificate(base64)
        let modulus = try Base64.decode(Array(modulus.utf8))
        #expect(try certificate.publicKey == .success(.ps256(PS256PublicKey(modulus: modulus, exponent: [1, 0, 1]))))
    }

    @Test(arguments: [
        (SignerCertificates.notOnCurve, "an EC key whose point is not on P-256"),
        (SignerCertificates.compressedNotOnCurve, "an EC key whose point is not on P-256"),
        (SignerCertificates.hybrid, "an EC key whose point is not on P-256"),
        (
            SignerCertificates.explicit,
            "an EC key with explicit parameters of its curve, and only the name of P-256 is supported"
        ),
        (SignerCertificates.p384, "an EC key on P-384, and only P-256 is supported"),
        (SignerCertificates.ed25519, "an Ed25519 key, which is not supported"),
        (SignerCertificates.unknownKey, "a key of the kind 1.2.3.4, which is not supported"),
        (SignerCertificates.rsa1024, "an RSA key of 1024 bits, and at least 2048 are required"),
    ])
    func saysWhyAKeyCannotBeUsed(_ base64: String, _ words: String) throws {
        #expect(try unusable(base64) == words)
        #expect(ERR_peek_error() == 0)
    }

    @Test(arguments: [
        SignerCertificates.pss512, SignerCertificates.pssMask512, SignerCertificates.pssSalt64,
        SignerCertificates.pssSHA1,
    ])
    func refusesKeysThatMayNotMakeSuchSignatures(_ base64: String) throws {
        #expect(
            try unusable(base64)
                == "an RSA key that is restricted to RSASSA-PSS with other parameters than those of PS256")
    }

    // MARK: Other fields

    @Test(arguments: [
        SignerCertificates.version1, SignerCertificates.serial0, SignerCertificates.serialNegative,
        SignerCertificates.brokenExtension,
    ])
    func readsOddCertificates(_ base64: String) throws {
        let certificate = try certificate(base64)
        guard case .success(.es256) = certificate.publicKey else {
            Issue.record("the key is not read")
            return
        }
        #expect(certificate.subjectCountry == "XX")
        #expect(certificate.issuerCountry == "XX")
        #expect(certificate.notBefore == 1_609_459_200)
        #expect(certificate.notAfter == 1_893_456_000)
        #expect(certificate.extendedKeyUsages == .any)
    }

    @Test func identifiesACertificateByItsDigest() throws {
        let certificate = try certificate(SignerCertificates.p256)
        #expect(certificate.der == (try Base64.decode(Array(SignerCertificates.p256.utf8))))
        #expect(certificate.identifier.hexadecimal == SignerCertificates.identifier)
    }

    @Test func readsExtendedKeyUsages() throws {
        let usages = ["1.3.6.1.4.1.1847.2021.1.1", "1.3.6.1.4.1.0.1847.2021.1.3"]
        #expect(try certificate(SignerCertificates.p256).extendedKeyUsages == .named(usages))
        #expect(try certificate(SignerCertificates.twoUsages).extendedKeyUsages == .named(usages))
        #expect(try certificate(SignerCertificates.noUsages).extendedKeyUsages == .named([]))
        #expect(try certificate(SignerCertificates.brokenUsages).extendedKeyUsages == .unreadable)
        #expect(try certificate(SignerCertificates.compressed).extendedKeyUsages == .any)
    }

    @Test func readsCountriesOfTwoLettersOnly() throws {
        let odd = try certificate(SignerCertificates.oddName)
        #expect(odd.subjectCountry == "DE")
        #expect(odd.issuerCountry == nil)
        let long = try certificate(SignerCertificates.longName)
        #expect(long.subjectCountry == nil)
        #expect(long.issuerCountry == "AT")
        let two = try certificate(SignerCertificates.twoCountries)
        #expect(two.subjectCountry == nil)
        #expect(two.issuerCountry == nil)
    }

    @Test func readsAllCountriesOfASubject() throws {
        #expect(try certificate(SignerCertificates.p256).subjectCountries == ["XX"])
        #expect(try certificate(SignerCertificates.oddName).subjectCountries == ["DE"])
        #expect(try certificate(SignerCertificates.longName).subjectCountries == ["AUT"])
        #expect(try certificate(SignerCertificates.twoCountries).subjectCountries == ["AT", "DE"])
    }

    @Test func showsSubjectsSafely() throws {
        #expect(try certificate(SignerCertificates.p256).plainSubject == "CN=Signer,C=xx")
        let odd = try certificate(SignerCertificates.oddName).plainSubject
        #expect(odd == #"CN=s,O=Ärzte\, \"GmbH\"\1B[31m\0A\E2\80\AEX,C=DE"#)
        let long = try certificate(SignerCertificates.longName).plainSubject
        #expect(long.unicodeScalars.count == 301)
        #expect(long.hasSuffix("x…"))
    }

    @Test func readsDatesOfBothForms() throws {
        let certificate = try certificate(SignerCertificates.late)
        #expect(certificate.notBefore == 157_766_400)
        #expect(certificate.notAfter == 2_840_140_800)
        #expect(certificate.validFrom?.text == "1975-01-01T00:00:00Z")
        #expect(certificate.validTo?.text == "2060-01-01T00:00:00Z")
    }

    @Test(arguments: [
        "220101000000Z", "991231235959Z", "000229120000Z", "491231235959Z", "500101000000Z", "20220101000000Z",
        "00000101000000Z", "99991231235959Z", "20500228235959Z", "220230000000Z", "221301000000Z", "220101240000Z",
        "220101006000Z", "220101000060Z", "010229000000Z", "22010100000aZ", "220101000000",
    ])
    func readsDatesAsOpenSSLDoes(_ text: String) throws {
        let isShort = text.utf8.count < 15
        let time = try #require(unsafe ASN1_STRING_type_new(isShort ? V_ASN1_UTCTIME : V_ASN1_GENERALIZEDTIME))
        defer { unsafe ASN1_STRING_free(time) }
        #expect(unsafe ASN1_STRING_set(time, text, Int32(text.utf8.count)) == 1)
        let expected = unsafe CertificateDate(time)
        let tag = isShort ? DERReader.Tag.utcTime : DERReader.Tag.generalizedTime
        #expect(CertificateDate(tag: tag, Array(text.utf8)[...]) == expected)
    }

    // MARK: Malformed certificates

    @Test func rejectsCertificatesThatAreCutOrContinued() throws {
        let der = try Base64.decode(Array(SignerCertificates.p256.utf8))
        for count in der.indices {
            #expect(throws: CertificateError.self) { try Certificate(listed: Array(der[..<count])) }
        }
        #expect(throws: CertificateError.self) { try Certificate(listed: der + [0]) }
        let error = #expect(throws: CertificateError.self) {
            try Certificate(listed: [UInt8](repeating: 0x30, count: Certificate.maximumLength + 1))
        }
        #expect(error?.reason == .tooLarge)
    }

    /// Whatever is changed, nothing traps, and what OpenSSL reads is read in the same way.
    @Test func agreesWithOpenSSLAboutChangedCertificates() throws {
        let der = try Base64.decode(Array(SignerCertificates.p256.utf8))
        for index in der.indices {
            for change: UInt8 in [1, 0x20, 0x80, 0xFF] {
                var changed = der
                changed[index] ^= change
                guard let listed = try? Certificate(listed: changed) else { continue }
                _ = (listed.plainSubject, listed.subjectCountry, listed.extendedKeyUsages, listed.subject)
                guard let whole = try? Certificate(der: changed) else {
                    #expect(!listed.isSigned(by: listed))
                    continue
                }
                guard case .success(.es256(let key)) = listed.publicKey else { continue }
                #expect(key.matches(whole) == .same, "byte \(index)")
            }
        }
    }

    /// A certificate that the reader of fields takes and OpenSSL does not: its serial number has no bytes.
    static func withoutSerialNumber(_ base64: String) throws -> [UInt8] {
        var der = try Base64.decode(Array(base64.utf8))
        let place = try #require(der.firstRange(of: [2, 1, 5]))
        der[place.lowerBound + 1] = 0
        der.remove(at: place.lowerBound + 2)
        // The lengths of the certificate and of what is signed.
        der[3] &-= 1
        der[7] &-= 1
        #expect(throws: CertificateError.self) { try Certificate(der: der) }
        return der
    }

    /// OpenSSL's `X509_cmp` takes an empty certificate for equal to every other one.
    @Test func aCertificateThatOpenSSLCannotReadIsNoOther() throws {
        let listed = try Certificate(listed: Self.withoutSerialNumber(SignerCertificates.p256))
        let other = try Certificate(listed: Self.withoutSerialNumber(SignerCertificates.rsa3072))
        let ca = try certificate(SignerCertificates.ca)
        #expect(!listed.isReadByOpenSSL)
        #expect(listed.subject == "(no name)")
        #expect(listed.plainSubject == "CN=Signer,C=xx")
        #expect(listed.hasUnreadableExtension)
        #expect(listed.isSame(as: listed))
        for certificate in [ca, other] {
            #expect(!listed.isSame(as: certificate))
            #expect(!certificate.isSame(as: listed))
            #expect(!listed.namesAsIssuer(certificate))
            #expect(!listed.isSigned(by: certificate))
            #expect(!certificate.isSigned(by: listed))
        }
        guard
            case .failure(let error) = listed.isVouchedFor(
                by: try CertificateAnchors([ca]), at: 1_780_272_000, except: { _ in false })
        else {
            Issue.record("an anchor vouches for it")
            return
        }
        #expect(error.reason == .malformed)
        #expect(throws: Malformed.self) { try CertificateAnchors([ca, listed]) }
        #expect(ERR_peek_error() == 0)
    }

    @Test func readsDefiniteLengthsOnly() {
        let next = { (bytes: [UInt8]) in
            var reader = DERReader(bytes[...])
            return reader.next().map { Array($0.content) }
        }
        #expect(next([0x04, 0x01, 7]) == [7] && next([0x04, 0x81, 0x01, 7]) == [7] && next([0x04, 0x00]) == [])
        #expect(next([0x04, 0x84, 0, 0, 0, 1, 7]) == [7])
        #expect(next([0x24, 0x80, 0x04, 0x01, 7, 0, 0]) == nil)
        #expect(next([0x04, 0x85, 0, 0, 0, 0, 1, 7]) == nil && next([0x04, 0x02, 7]) == nil && next([0x04]) == nil)
        #expect(next([0x1F, 0x01, 7]) == nil && next([0x04, 0x82, 1]) == nil)
    }

    @Test func readsObjectIdentifiers() {
        #expect(DERReader.dotted(objectIdentifier: [0x2A, 0x86, 0x48]) == "1.2.840")
        #expect(DERReader.dotted(objectIdentifier: [0x88, 0x37]) == "2.999")
        #expect(DERReader.dotted(objectIdentifier: [0x00]) == "0.0")
        #expect(DERReader.dotted(objectIdentifier: []) == nil)
        #expect(DERReader.dotted(objectIdentifier: [0x2A, 0x80, 0x01]) == nil)
        #expect(DERReader.dotted(objectIdentifier: [0x2A, 0x86]) == nil)
        #expect(DERReader.dotted(objectIdentifier: [0x2A] + [UInt8](repeating: 0xFF, count: 9) + [0x7F]) == nil)
    }
}

/// Whether an authority vouches for a signer.
@Suite struct SignerVouchingTests {
    private func reason(
        _ signer: String, _ anchors: String..., at seconds: Int64 = 1_780_272_000
    ) throws -> CertificateError.Reason? {
        let read = { (base64: String) in try Certificate(listed: Base64.decode(Array(base64.utf8))) }
        let anchors = try CertificateAnchors(anchors.map(read))
        switch try read(signer).isVouchedFor(by: anchors, at: seconds, except: { _ in false }) {
        case .success: return nil
        case .failure(let error): return error.reason
        }
    }

    @Test(arguments: [
        SignerCertificates.p256, SignerCertificates.version1, SignerCertificates.serial0,
        SignerCertificates.serialNegative, SignerCertificates.authority, SignerCertificates.brokenExtension,
        SignerCertificates.rsa3072,
    ])
    func acceptsWhatAnAnchorHasSigned(_ signer: String) throws {
        #expect(try reason(signer, SignerCertificates.ca) == nil)
        #expect(try reason(signer, SignerCertificates.caOtherKey, SignerCertificates.ca) == nil)
        #expect(try reason(signer, SignerCertificates.caExpired, SignerCertificates.ca) == nil)
        #expect(try reason(signer, SignerCertificates.caVersion1) == nil)
    }

    @Test func acceptsAnAnchorThatIsTheSignerOnlyIfItIsNoAuthority() throws {
        #expect(try reason(SignerCertificates.p256, SignerCertificates.p256) == nil)
        #expect(try reason(SignerCertificates.ca, SignerCertificates.ca) == .issuerMissing)
    }

    /// RFC 5280 §7.1: another type of string, another case and other white space.
    @Test func acceptsANameInAnotherSpelling() throws {
        let read = { (base64: String) in try Certificate(listed: Base64.decode(Array(base64.utf8))) }
        #expect(try read(SignerCertificates.p256).isSigned(by: read(SignerCertificates.caOtherSpelling)))
        #expect(try reason(SignerCertificates.p256, SignerCertificates.caOtherSpelling) == nil)
    }

    @Test func acceptsAnAnchorItself() throws {
        #expect(try reason(SignerCertificates.p256, SignerCertificates.p256) == nil)
        #expect(try reason(SignerCertificates.signedSHA1, SignerCertificates.signedSHA1, at: 0) == nil)
    }

    @Test(arguments: [
        (SignerCertificates.p256, SignerCertificates.caOtherKey, CertificateError.Reason.badSignature),
        (SignerCertificates.otherIssuer, SignerCertificates.ca, .issuerMissing),
        (SignerCertificates.signedSHA1, SignerCertificates.ca, .tooWeak),
        (SignerCertificates.signedWeak, SignerCertificates.caWeak, .tooWeak),
        (SignerCertificates.p256, SignerCertificates.caExpired, .expired),
        (SignerCertificates.p256, SignerCertificates.caFuture, .notYetValid),
        (SignerCertificates.p256, SignerCertificates.caNot, .notAuthority),
        (SignerCertificates.p256, SignerCertificates.caNoSign, .keyUsage),
        (SignerCertificates.p256, SignerCertificates.caConstrained, .nameConstraint),
        (SignerCertificates.p256, SignerCertificates.caOdd, .unsupported),
    ])
    func refusesOtherAnchors(_ signer: String, _ anchor: String, _ expected: CertificateError.Reason) throws {
        #expect(try reason(signer, anchor) == expected)
        #expect(ERR_peek_error() == 0)
    }

    /// An anchor whose private half everyone has vouches for nobody. Another of the same name still does.
    @Test func refusesAnAnchorThatIsCompromised() throws {
        let read = { (base64: String) in try Certificate(listed: Base64.decode(Array(base64.utf8))) }
        let ca = try read(SignerCertificates.ca)
        let result = { (burnt: [Certificate]) in
            try read(SignerCertificates.p256).isVouchedFor(
                by: CertificateAnchors([read(SignerCertificates.caOtherKey), ca]), at: 1_780_272_000,
                except: { anchor in burnt.contains { $0.isSame(as: anchor) } })
        }
        guard case .failure(let error) = try result([ca]) else {
            Issue.record("an anchor vouches for it")
            return
        }
        #expect(error.reason == .tooWeak && error.message.contains("private half"))
        guard case .success = try result([read(SignerCertificates.caOtherKey)]) else {
            Issue.record("the other anchor has not signed it")
            return
        }
    }

    @Test func refusesWithoutAnchors() throws {
        #expect(try reason(SignerCertificates.p256) == .issuerMissing)
    }

    @Test func refusesAChangedSignature() throws {
        var der = try Base64.decode(Array(SignerCertificates.p256.utf8))
        der[der.count - 1] ^= 1
        let anchors = try CertificateAnchors([
            Certificate(der: Base64.decode(Array(SignerCertificates.ca.utf8)))
        ])
        let result = try Certificate(listed: der).isVouchedFor(by: anchors, at: 1_780_272_000, except: { _ in false })
        guard case .failure(let error) = result else {
            Issue.record("a changed signature verifies")
            return
        }
        #expect(error.reason == .badSignature)
    }
}
