import Foundation
import TestSupport
import Testing

/// Text that takes quadratic time to compare or hash as Unicode, in every member that is read. The maker of a card or a
/// QR code chooses that text.
@Suite(.timeLimit(.minutes(15))) struct CombiningMarkTests {
    private static let keys = ["--offline", "--jwks", Paths.vector("keys/issuer-a.jwks.json")]

    /// Makes cards. Each has this number of combining marks in one member.
    ///
    /// - Parameter step: makes only every `step`-th card.
    private static func withCards<T>(_ marks: Int, step: Int = 1, _ body: ([String]) async throws -> T) async throws
        -> T
    {
        try await Paths.withTemporaryDirectory { folder in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            let script = Paths.root.appendingPathComponent("Tests/TestSupport/combining_marks.py")
            process.arguments = ["-B", script.path, "\(marks)", folder.path, "\(step)"]
            try process.run()
            process.waitUntilExit()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            return try await body(names.map { folder.appendingPathComponent($0).path })
        }
    }

    private static let commands = [
        ["--format", "json"], ["--format", "text"], ["--quiet", "--record-type", "covid19", "--since", "2020"],
        ["records", "--format", "csv"], ["records", "--format", "json"], ["records"], ["inspect"],
        ["inspect", "--format", "json"], ["lint"], ["lint", "--format", "sarif"],
    ]

    /// Comparing one of these cards as Unicode would take minutes.
    @Test func endsSoonForEveryMember() async throws {
        try await Self.withCards(10_000) { cards in
            #expect(cards.count > 150)
            for command in Self.commands {
                let options = command.first == "inspect" ? [] : Self.keys
                // The total size of the payloads in one run is limited.
                for start in stride(from: 0, to: cards.count, by: 90) {
                    let result = try await Shcverify.run(command + options + cards[start...].prefix(90))
                    #expect([0, 10, 12, 17].contains(result.exitCode), "\(command) \(result.stderr.prefix(500))")
                }
            }
        }
    }

    @Test func batchEndsSoonToo() async throws {
        try await Self.withCards(10_000) { cards in
            let lines = try cards.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n")
            let result = try await Shcverify.run(
                ["batch", "--records", "--record-type", "covid19", "--since", "2020"] + Self.keys,
                stdin: Array(lines.utf8))
            #expect(result.stdout.utf8.split(separator: UInt8(ascii: "\n")).count == cards.count)
        }
    }

    /// The maximum number of marks in a payload.
    @Test func endsSoonForAPayloadFullOfMarks() async throws {
        try await Self.withCards(2_000_000, step: 60) { cards in
            #expect(cards.count > 2)
            for card in cards {
                for command in [["--format", "json"], ["records"], ["lint"], ["inspect"]] {
                    let result = try await Shcverify.run(command + (command == ["inspect"] ? [] : Self.keys) + [card])
                    #expect([0, 10, 12].contains(result.exitCode))
                }
            }
        }
    }
}
