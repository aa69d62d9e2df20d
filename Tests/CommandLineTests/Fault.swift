import Foundation
import TestSupport
import Testing

/// Something that goes wrong around the program, brought about by a shell, and what has to come of it.
///
/// The script has the program as `$S`, a card as `$C` (a file) and `$J` (a JWS), the options that verify it as `"$@"`, and
/// a directory of its own, which is the current one.
struct Fault: Sendable {
    let name: String
    let script: String
    let exitCode: Int32
    /// What standard error has to say: nothing where it is nil, anything where it is empty.
    let words: String?

    init(_ name: String, _ script: String, _ exitCode: Int32, _ words: String? = nil) {
        self.name = name
        self.script = script
        self.exitCode = exitCode
        self.words = words
    }

    /// Brings it about.
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
                // A report on a crash takes seconds, and the exit code says it.
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

    /// Brings all of them about, some at a time.
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
