import Encodings
import TestSupport
import Testing

@testable import Cryptography

/// Certificates whose DER is complete, but of which a part cannot be read.
@Suite struct UnreadableCertificateTests {
    /// The sample with some of its bytes replaced by others of the same number.
    private func certificate(_ old: [UInt8], _ new: [UInt8]) throws -> Certificate {
        let der = try Base64.decode(Array(Samples.certificate.utf8))
        let changed = der.replacing(old, with: new)
        try #require(changed != der && changed.count == der.count)
        return try Certificate(der: changed)
    }

    @Test func reportsAKeyOfAnUnknownKind() throws {
        // The last arc of id-ecPublicKey.
        let certificate = try certificate([0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01], [0x86, 0x48, 0xCE, 0x3D, 0x02, 0x7F])
        let problems = certificate.problems(of: try Samples.key(), for: "https://issuer.example")
        #expect(problems.first?.reason == .malformed)
        #expect(problems.first?.description.contains("has a key that cannot be read") == true)
    }

    @Test func reportsAnUnreadableDate() throws {
        let certificate = try certificate(Array("220101000000Z".utf8), Array("22010100xx00Z".utf8))
        let problems = certificate.problems(at: 0)
        #expect(problems.map(\.reason) == [.malformed])
        #expect(problems.first?.description.contains("has a validity that cannot be read") == true)
    }

    @Test func rejectsTooManyCertificates() throws {
        let der = try Base64.decode(Array(Samples.certificate.utf8))
        let anchors = try CertificateAnchors([try Certificate(der: der)])
        let error = #expect(throws: CertificateError.self) {
            try anchors.validate(
                Array(repeating: der, count: CertificateAnchors.maximumCount + 1), of: Samples.key(),
                for: "https://issuer.example", at: 0)
        }
        #expect(error?.reason == .tooLarge)
    }

    @Test(arguments: ["issuer.example", "", "https:issuer.example", "https//issuer.example:"])
    func findsNoHostInTextThatIsNotAURL(_ url: String) {
        #expect(ConstrainedHost(in: url) == nil)
    }
}
