import Encodings
import Foundation
import TestSupport
import Testing

/// A card does not verify if any one of its characters was changed.
@Suite struct FlippedCharacterTests {
    static let options = [
        "--offline", "--at", "2024-06-01T00:00:00Z", "--jwks", SharedData.path("spec-examples/issuer.jwks.json"),
        "--crl", SharedData.path("spec-examples/issuer.crl.json"),
    ]

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"), arguments: ["00", "01", "02", "03"])
    func specificationExampleWithAnyCharacterChangedFails(_ number: String) async throws {
        let jws = try Paths.bytes(SharedData.path("spec-examples/example-\(number)-d-jws.txt"))
        // Every position; the replacements take turns.
        let cards = Self.changed(jws).enumerated().filter { $0.offset % 3 == $0.offset / 3 % 3 }.map(\.element)
        try await expectNoneVerifies(cards, options: Self.options)
    }

    @Test func vectorWithAnyCharacterChangedFails() async throws {
        let jws = try Paths.bytes(Paths.vector("cards/inputs/jws.jws"))
        let options = [
            "--offline", "--at", "2026-06-01T00:00:00Z", "--jwks", Paths.vector("keys/issuer-a.jwks.json"),
        ]
        try await expectNoneVerifies(Self.changed(jws), options: options)
    }

    /// The text with each character in turn replaced, once by a character of the alphabet and once by another one.
    private static func changed(_ jws: [UInt8]) -> [[UInt8]] {
        jws.indices.flatMap { index in
            [UInt8(ascii: jws[index] == UInt8(ascii: "A") ? "B" : "A"), jws[index] ^ 1, UInt8(ascii: "*")].map {
                var text = jws
                text[index] = $0
                return text
            }
        }
    }

    private func expectNoneVerifies(_ cards: [[UInt8]], options: [String]) async throws {
        try await Paths.withTemporaryDirectory { directory in
            // All of them in one file, since all cards of a file are verified.
            var writer = JSONWriter()
            writer.object { writer in
                writer.name("verifiableCredential")
                writer.array { writer in
                    for card in cards { writer.value(String(decoding: card, as: UTF8.self)) }
                }
            }
            let file = directory.appendingPathComponent("cards.smart-health-card")
            try Data(writer.bytes).write(to: file)
            let result = try await Shcverify.run([file.path, "--quiet"] + options)
            #expect(result.exitCode != 0)
            // Standard error has one line for each card that did not verify.
            #expect(result.errorLines.count == cards.count)

            // A few of them alone, as users give them.
            for card in stride(from: 0, to: cards.count, by: cards.count / 12).map({ cards[$0] }) {
                let result = try await Shcverify.run(["-", "--quiet"] + options, stdin: card)
                #expect(result.exitCode != 0)
                #expect(result.stdout.isEmpty)
                #expect(result.errorLines.count == 1)
            }
        }
    }
}
