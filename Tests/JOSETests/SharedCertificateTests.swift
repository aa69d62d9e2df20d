import Foundation
import JOSE
import JSON
import Testing

/// The specification's own certificates, and the directory's snapshot.
@Suite(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
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
        // By the root, by the authority below it, and by the issuer's own certificate.
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
        // And years later its authority.
        let later = #expect(throws: CertificateError.self) {
            try anchors.validate(key, for: Self.example, at: MadeChains.moment)
        }
        #expect(later?.reason == .expired)
        #expect(later?.depth == 1)
    }

    /// Three examples have roots of one name and different keys.
    @Test func theExamplesRootsAreNotEachOthers() throws {
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
    func theBrokenExamplesAreNot(_ path: String, root: Int, reason: CertificateError.Reason) throws {
        let key = try key(path)
        let issuer = "https://smarthealth.cards/examples/issuer"
        let error = #expect(throws: CertificateError.self) {
            try CertificateAnchors(pem: pem(key, root)).validate(key, for: issuer, at: Self.moment)
        }
        #expect(error?.reason == reason)
        #expect(key.certificateProblems(for: issuer, at: Self.moment).map(\.reason) == [reason])
    }

    // MARK: The directory

    @Test func theSnapshotIsSigned() throws {
        let snapshot = try SharedData.bytes("vci/vci_snapshot.json")
        let signature = try SharedData.bytes("vci/vci_snapshot.sig")
        let given = try P521PublicKey(certificate: SharedData.bytes("vci/vci_snapshot.crt"))
        let pinned = try VCISigner.publicKey()
        #expect(given.fingerprint == pinned.fingerprint)
        #expect(throws: Never.self) { try given.verify(signature, over: snapshot) }
        #expect(throws: Never.self) { try pinned.verify(signature, over: snapshot) }
    }

    @Test func aSnapshotWithAByteChangedIsNotSigned() throws {
        let snapshot = try SharedData.bytes("vci/vci_snapshot.json")
        let signature = try SharedData.bytes("vci/vci_snapshot.sig")
        let key = try VCISigner.publicKey()
        for position in [0, 1, 127, 128, 4096, snapshot.count / 2, snapshot.count - 2, snapshot.count - 1] {
            var changed = snapshot
            changed[position] ^= 0x20
            #expect(throws: DetachedSignatureError.notVerified) { try key.verify(signature, over: changed) }
        }
        for changed in [[], Array(snapshot.dropLast()), snapshot + [0x0A], Array(snapshot.dropFirst())] {
            #expect(throws: DetachedSignatureError.notVerified) { try key.verify(signature, over: changed) }
        }
        for position in signature.indices {
            var changed = signature
            changed[position] ^= 1
            #expect(throws: DetachedSignatureError.self) { try key.verify(changed, over: snapshot) }
        }
    }

    /// SHC-D2, and REAL-WORLD 6: all of them are expired.
    @Test func everyKeyOfTheSnapshotImportsAndEveryCertificateIsJudged() throws {
        let snapshot = try Samples.json(String(decoding: SharedData.bytes("vci/vci_snapshot.json"), as: UTF8.self))
        var keys = 0
        var certified = 0
        for entry in try #require(snapshot["issuerInfo"]?.elements) {
            let issuer = try #require(entry["issuer"]?["iss"]?.string)
            for value in try #require(entry["keys"]?.elements) {
                let key = JWK(value)
                #expect(throws: Never.self) { try key.publicKey() }
                keys += 1
                guard value["x5c"] != nil else { continue }
                certified += 1
                let problems = key.certificateProblems(for: issuer.description, at: MadeChains.moment)
                #expect(problems.contains { $0.reason == .expired }, "\(issuer): \(problems)")
                #expect(
                    !problems.contains { $0.reason == .otherKey || $0.reason == .malformed }, "\(issuer): \(problems)")
            }
        }
        #expect(keys == 961)
        #expect(certified == 11)
    }
}
