import Foundation
import TestSupport
import Testing

/// Text that takes quadratic time where it is compared or hashed as Unicode, in every member that is read: whoever made a
/// card, or a QR code, chooses it.
@Suite(.timeLimit(.minutes(5))) struct CombiningMarkTests {
    private static let keys = ["--offline", "--jwks", Paths.vector("keys/issuer-a.jwks.json")]

    /// Has cards made, with so many marks in one member each.
    private static func withCards<T>(_ marks: Int, _ body: ([String]) async throws -> T) async throws -> T {
        try await Paths.withTemporaryDirectory { folder in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            let script = Paths.root.appendingPathComponent("Tests/TestSupport/combining_marks.py")
            process.arguments = ["-B", script.path, "\(marks)", folder.path]
            try process.run()
            process.waitUntilExit()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            return try await body(names.map { folder.appendingPathComponent($0).path })
        }
    }

    /// Compared as Unicode, each of these cards would take minutes.
    @Test(arguments: [
        ["--format", "json"], ["--format", "text"], ["--quiet", "--record-type", "covid19", "--since", "2020"],
        ["records", "--format", "csv"], ["records", "--format", "json"], ["records"], ["inspect"],
        ["inspect", "--format", "json"], ["lint"], ["lint", "--format", "sarif"],
    ])
    func endsSoonWhateverMemberHoldsThem(_ command: [String]) async throws {
        try await Self.withCards(30_000) { cards in
            #expect(cards.count > 150)
            let options = command.first == "inspect" ? [] : Self.keys
            // One run takes only so many bytes of payload.
            for start in stride(from: 0, to: cards.count, by: 90) {
                let result = try await Shcverify.run(command + options + cards[start...].prefix(90))
                #expect([0, 10, 12, 17].contains(result.exitCode), "\(result.stderr.prefix(500))")
            }
        }
    }

    @Test func batchEndsSoonToo() async throws {
        try await Self.withCards(30_000) { cards in
            let lines = try cards.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n")
            let result = try await Shcverify.run(
                ["batch", "--records", "--record-type", "covid19", "--since", "2020"] + Self.keys,
                stdin: Array(lines.utf8))
            #expect(result.stdout.utf8.split(separator: UInt8(ascii: "\n")).count == cards.count)
        }
    }

    /// As many as a payload may hold.
    @Test func aWholePayloadOfThemEndsSoon() async throws {
        try await Self.withCards(2_000_000) { cards in
            for card in [0, 30, 60, 90, 120, 150].map({ cards[$0] }) {
                for command in [["--format", "json"], ["records"], ["lint"], ["inspect"]] {
                    let result = try await Shcverify.run(command + (command == ["inspect"] ? [] : Self.keys) + [card])
                    #expect([0, 10, 12].contains(result.exitCode))
                }
            }
        }
    }
}
