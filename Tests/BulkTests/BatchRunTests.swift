import CredentialReports
import Credentials
import Cryptography
import Encodings
import Evidence
import FHIR
import Foundation
import SMARTHealthCards
import SystemPackage
import TestSupport
import Testing
import Verification

@testable import Bulk

/// A batch in this process, with many threads: what `.ci/deep thread` looks at.
@Suite(.timeLimit(.minutes(30))) struct BatchRunTests {
    private func verdicts(
        on lines: [String], precomputation: Precomputation?
    ) async throws -> (tally: BatchTally, verdicts: [JSONValue]) {
        let folder = try TemporaryDirectory()
        let file = try FileDescriptor.open(
            FilePath(folder.url.path).appending("output"), .readWrite, options: [.create],
            permissions: [.ownerReadWrite])
        defer { try? file.close() }
        let now = try #require(NumericDate(text: "2026-06-01T00:00:00Z"))
        var policy = VerificationPolicy(VerificationTime(.given(now), madeAt: now))
        policy.requiresTrust = false
        policy.cards.hintsAtOtherKeys = false
        policy.cards.givenKeys.add(try JWKSet(VectorFiles.bytes("keys/issuer-a.jwks.json")))
        let form = BatchForm(
            source: "lines",
            cards: CardJSON(names: .builtIn, tool: Tool(name: "test", version: "1"), hasBundle: false, isLine: true),
            isQuiet: false, escapesUnprintable: false, observer: nil)
        let run = BatchRun(
            policy: policy,
            store: EvidenceStore(
                source: IssuerClient(by: nil, limits: .init()), limits: .lines(for: policy.cards.trustedIssuers)),
            form: form, jobs: 8,
            precomputation: precomputation, output: LineOutput(file), progress: { _ in })
        let input = try LineInput(folder.write(lines.joined(separator: "\n"), to: "lines"), source: "lines")
        let result = await run.run(input.reader(), from: 1, journal: nil)
        let written = try Data(contentsOf: folder.url.appending(path: "output"))
        return (result.tally, try written.split(separator: 0x0A).map { try JSONDocument.parse(Array($0)) })
    }

    @Test(arguments: [true, false]) func verdictsKeepTheOrderOfTheLines(isPrecomputing: Bool) async throws {
        let card = String(decoding: try VectorFiles.bytes("cards/inputs/jws.jws").filter { $0 > 0x20 }, as: UTF8.self)
        let forged = String(
            decoding: try VectorFiles.bytes("cards/signature/payload-changed.jws").filter { $0 > 0x20 }, as: UTF8.self)
        let lines = (1...2000).map { number in
            number % 7 == 0 ? card : number % 11 == 0 ? forged : "{\"id\":\(number)}"
        }
        let (tally, verdicts) = try await verdicts(
            on: lines, precomputation: isPrecomputing ? Precomputation() : nil)
        #expect(tally.lines == 2000 && tally.verified == 2000 / 7)
        #expect(verdicts.compactMap { $0["line"]?.number?.integer } == Array(1...2000))
        for (index, verdict) in verdicts.enumerated() {
            let number = index + 1
            let reason = number % 7 == 0 ? nil : number % 11 == 0 ? "signature-invalid" : "empty-input"
            #expect(verdict["reason"]?["code"]?.string?.description == reason)
        }
    }
}
