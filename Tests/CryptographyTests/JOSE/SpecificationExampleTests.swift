import Cryptography
import Encodings
import TestSupport
import Testing

/// The specification's own keys and cards.
@Suite(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
struct SpecificationExampleTests {
    private func issuer() throws -> JWKSet { try JWKSet(SharedData.bytes("spec-examples/issuer.jwks.json")) }

    @Test func keyIDsAreThumbprints() throws {
        let keys = try issuer().keys
        #expect(keys.count == 2)
        for key in keys { #expect(try key.publicKey().thumbprint == key.keyID) }
    }

    @Test func theLeafCertificateIsForTheKey() throws {
        let key = try #require(try issuer().keys.last)
        let certificates = try key.certificates
        #expect(certificates.count == 3)
        #expect(try key.publicKey().matches(certificate: certificates[0]) == .same)
        #expect(try key.publicKey().matches(certificate: certificates[1]) == .different)
    }

    @Test func recognisesALeafCertificateOfAnotherKey() throws {
        let set = try JWKSet(SharedData.bytes("cases/cert_mismatch.public.json"))
        let key = try #require(set.keys.first)
        #expect(try key.publicKey().matches(certificate: #require(key.certificates.first)) == .different)
    }

    @Test(arguments: 0...3)
    func signaturesVerify(_ example: Int) throws {
        var text = try SharedData.bytes("spec-examples/example-0\(example)-d-jws.txt")
        while text.last == UInt8(ascii: "\n") { text.removeLast() }
        let jws = try CompactJWS(text)
        let header = try JOSEHeader(jws.headerBytes)
        guard case .found(let keys, areAll: true) = try issuer().resolve(header.keyID) else {
            Issue.record("the key is not in the set")
            return
        }
        #expect(keys.count == 1)
        #expect(keys[0].isValid(try ES256Signature(jws.signature), for: jws.signingInput))
    }

    @Test func everyKeyOfTheDirectoryIsUsable() throws {
        let snapshot = try Samples.json(
            String(decoding: SharedData.bytes("vci/vci_snapshot.json"), as: UTF8.self))
        var count = 0
        for issuer in try #require(snapshot["issuerInfo"]?.elements) {
            for key in try #require(issuer["keys"]?.elements) {
                #expect(throws: Never.self) { try JWK(key).publicKey() }
                count += 1
            }
        }
        #expect(count == 961)
    }
}
