import Cryptography
import Encodings
import Foundation
import TestSupport
import Testing

/// The specification's own certificates, and the directory's snapshot.
@Suite(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
struct SharedCertificateTests {
    /// 2022-05-31T00:00:00Z, a day before the example's certificate expired.
    private static let moment: Int64 = 1_653_955_200

    private static let example = "https://spec.smarthealth.cards/examples/issuer"

    private func key(_ path: String) throws -> JWK {
        let keys = try JWKSet(SharedData.bytes(path)).keys
        return try #require(keys.first { $0.value["x5c"] != nil })
    }

    /// One certificate of a key's, in PEM.
    private func pem(_ key: JWK, _ index: Int) throws -> [UInt8] {
        let text = try #require(key.value["x5c"]?.elements.map { Array($0) }?[index].string)
        return Array("-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n".utf8)
    }

    @Test(arguments: [
        ("spec-examples/issuer.jwks.json", Self.example),
        ("cases/valid_key_with_x5c.json", "https://smarthealth.cards/examples/issuer"),
    ])
    func theExampleChainsAreValid(_ path: String, issuer: String) throws {
        let key = try key(path)
        // Valid with the root, with the authority below it, and with the issuer's own certificate as anchor.
        for (index, count) in [(2, 3), (1, 2), (0, 1)] {
            let anchors = try CertificateAnchors(pem: pem(key, index))
            let path = try anchors.validate(key, for: issuer, at: Self.moment)
            #expect(path.leafSubject == #""CN=SMART Health Card Example Issuer""#)
            #expect(path.count == count)
        }
        #expect(key.certificateProblems(for: issuer, at: Self.moment).isEmpty)
    }

    @Test func theExampleExpired() throws {
        let key = try key("spec-examples/issuer.jwks.json")
        let anchors = try CertificateAnchors(pem: pem(key, 2))
        let error = #expect(throws: CertificateError.self) {
            try anchors.validate(key, for: Self.example, at: Self.moment + 2 * 86400)
        }
        #expect(error?.reason == .expired)
        #expect(error?.depth == 0)
        #expect(
            error?.message
                == #"the certificate "CN=SMART Health Card Example Issuer" (depth 0) expired at 2022-06-01T15:50:09Z"#)
        // The authority expires years later.
        let later = #expect(throws: CertificateError.self) {
            try anchors.validate(key, for: Self.example, at: MadeChains.moment)
        }
        #expect(later?.reason == .expired)
        #expect(later?.depth == 1)
    }

    /// The roots of three examples have the same name, but different keys.
    @Test func theExamplesRootsAreDifferent() throws {
        let key = try key("spec-examples/issuer.jwks.json")
        let anchors = try CertificateAnchors(pem: pem(self.key("cases/valid_key_with_x5c.json"), 2))
        let error = #expect(throws: CertificateError.self) {
            try anchors.validate(key, for: Self.example, at: Self.moment)
        }
        #expect(error?.reason == .unknownRoot)
    }

    @Test(arguments: [
        ("cases/cert_mismatch.public.json", 2, CertificateError.Reason.otherKey),
        ("cases/invalid_DNS_SAN.public.json", 1, .otherName),
    ])
    func theBrokenExampleChainsAreInvalid(_ path: String, root: Int, reason: CertificateError.Reason) throws {
        let key = try key(path)
        let issuer = "https://smarthealth.cards/examples/issuer"
        let error = #expect(throws: CertificateError.self) {
            try CertificateAnchors(pem: pem(key, root)).validate(key, for: issuer, at: Self.moment)
        }
        #expect(error?.reason == reason)
        #expect(key.certificateProblems(for: issuer, at: Self.moment).map(\.reason) == [reason])
    }

    // MARK: The directory
}
