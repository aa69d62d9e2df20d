import Foundation
import TestSupport
import Testing

/// The GitHub action (action.yml) and the hooks of pre-commit (.pre-commit-hooks.yaml), which run `shcverify lint`.
@Suite(.timeLimit(.minutes(30))) struct ContinuousIntegrationTests {
    /// The steps run as GitHub and pre-commit run them, with file names and inputs that a shell could misread.
    @Test func actionAndHooksPassOnWhatTheyAreGiven() async throws {
        let script = Paths.root.appendingPathComponent("Tests/TestSupport/ci.py").path
        let result = try await Shcverify.run(["-B", script, Shcverify.path], executable: "/usr/bin/python3")
        #expect(result.exitCode == 0, "\(result.stderr)")
    }
}
