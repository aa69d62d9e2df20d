import Foundation
import TestSupport
import Testing

/// What is handed over to a FHIR server: only what was verified, once, with labels that nobody can give himself.
/// Tests/Sessions/handover.md has the options.
@Suite(.timeLimit(.minutes(30))) struct HandoverTests {
    /// A script posts cards to a server that does conditional creates, and counts what is stored.
    @Test func postedTwiceEverythingIsStoredOnce() async throws {
        let script = Paths.root.appendingPathComponent("Examples/Intake/test_intake.py").path
        let result = try await Shcverify.run(["-B", script, Shcverify.path], executable: "/usr/bin/python3")
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
    }
}
