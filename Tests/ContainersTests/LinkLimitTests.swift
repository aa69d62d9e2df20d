import Credentials
import Cryptography
import Encodings
import Foundation
import Testing

@testable import Containers

/// The limits on links, on their manifests and on their files.
@Suite struct LinkLimitTests {
    private static func reading(keyLength: Int) -> HealthLink {
        let key = Base64URL.encode([UInt8](repeating: 7, count: keyLength))
        return HealthLink(LinkVectorTests.link(["url": "https://a.example/", "key": key]))
    }

    @Test(arguments: [0, 16, 31, 33, 64]) func keyHasThirtyTwoBytes(_ count: Int) {
        let reading = Self.reading(keyLength: count)
        #expect(reading.target == nil && reading.keyLength == count)
        #expect(reading.problems.contains { $0.kind == .payload && $0.message.contains("instead of 32") })
        #expect(Self.reading(keyLength: 32).target?.key.count == 32)
    }

    @Test func filesOfAnInputShareALimit() throws {
        var budget = ContainerBudget()
        budget.size = 10
        try budget.spend(4)
        try budget.spend(6)
        #expect(budget.size == 0)
        let failure = #expect(throws: VerificationFailure.self) { try budget.spend(1) }
        #expect(failure?.code == .payloadTooLarge && budget.size == 0)
    }

    @Test func fileHasALimit() throws {
        let key = try #require(Self.reading(keyLength: 32).target?.key)
        let opener = FileOpener(key: key, inflater: try Inflater())
        var budget = ContainerBudget()
        let failure = #expect(throws: VerificationFailure.self) {
            try opener.open([UInt8](repeating: 65, count: FileOpener.fileSize + 1), within: &budget)
        }
        #expect(failure?.code == .malformedJWE && failure?.message.contains("larger than 16 MiB") == true)
    }

    @Test func manifestHasALimitedNumberOfFiles() throws {
        let manifest = { (count: Int) -> [UInt8] in
            let files = Array(repeating: #"{"embedded":"a"}"#, count: count).joined(separator: ",")
            return Array(#"{"files":[\#(files)]}"#.utf8)
        }
        #expect(
            try LinkClient.Manifest(manifest(LinkClient.Manifest.mostFiles)).entries.count
                == LinkClient.Manifest.mostFiles)
        let failure = #expect(throws: VerificationFailure.self) {
            try LinkClient.Manifest(manifest(LinkClient.Manifest.mostFiles + 1))
        }
        #expect(failure?.code == .malformedManifest)
    }

    /// What is a document for one program and the text of a card for another is neither.
    @Test func fileIsNoDocumentAndCardAtOnce() throws {
        let card = "eyJhbGciOiJFUzI1NiIsInppcCI6IkRFRiIsImtpZCI6IkEifQ.AAAA.\(String(repeating: "A", count: 86))"
        let failure = #expect(throws: VerificationFailure.self) {
            try LinkClient.Opening.File(Array("%PDF-1.4\n\(card)\n".utf8))
        }
        #expect(failure?.message.contains("at once") == true, "\(failure?.message ?? "")")
        #expect(try LinkClient.Opening.File(Array("%PDF-1.4\nno card\n".utf8)).summary.kind == .other)
    }
}
