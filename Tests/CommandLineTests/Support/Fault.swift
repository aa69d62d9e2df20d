import Foundation
import TestSupport
import Testing

/// A fault around the program, made by a shell script, and the expected result.
///
/// In the script, `$S` is the program, `$C` a card (a file), `$J` a card (a JWS), and `"$@"` the options that verify
/// them. The current directory is empty.
struct Fault: Sendable {
    let name: String
    let script: String
    let exitCode: Int32
    /// Text that standard error must contain. If it is nil, standard error must be empty; if it is empty, anything is
    /// allowed.
    let words: String?

    init(_ name: String, _ script: String, _ exitCode: Int32, _ words: String? = nil) {
        self.name = name
        self.script = script
        self.exitCode = exitCode
        self.words = words
    }

    /// Runs the script and checks the result.
    @discardableResult
    func check() async throws -> Shcverify.Result {
        let directory = try TemporaryDirectory()
        let prelude =
            #"cd "$T" || exit 99; set -- --offline --jwks "$V/keys/issuer-a.jwks.json" --at 2026-06-01T00:00:00Z; "#
        let result = try await Shcverify.run(
            ["-c", prelude + script],
            environment: [
                "S": Shcverify.path, "C": OutputTests.card, "J": Paths.vector("cards/inputs/jws.jws"),
                "V": Paths.vectors.path, "T": directory.url.path, "HOME": directory.url.path, "XDG_CACHE_HOME": nil,
                // The report on a crash takes seconds, and the exit code is enough.
                "SWIFT_BACKTRACE": "enable=no",
            ], executable: "/bin/sh")
        #expect(result.exitCode == exitCode, "\(name): \(result.stderr)")
        if let words {
            #expect(words.isEmpty || result.stderr.contains(words), "\(name): \(result.stderr)")
        } else {
            #expect(result.stderr.isEmpty, "\(name): \(result.stderr)")
        }
        return result
    }

    /// Checks all faults, a few at a time.
    static func check(_ faults: [Fault]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, fault) in faults.enumerated() {
                if index >= 4 { try await group.next() }
                group.addTask { try await fault.check() }
            }
            try await group.waitForAll()
        }
    }
}
