import Foundation
import TestSupport
import Testing

/// Files that decide which cards pass, and that belong to another user.
@Suite struct GivenFileTests {
    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func fileOfAnotherUserIsNamed() async throws {
        let folder = try TemporaryDirectory()
        let keys = folder.url.appendingPathComponent("keys.json").path
        try FileManager.default.copyItem(atPath: Paths.vector("keys/issuer-a.jwks.json"), toPath: keys)
        #expect(chown(keys, 65534, 65534) == 0)
        let options = [OutputTests.card, "-q", "--offline", "--at", "2026-06-01T00:00:00Z", "--jwks", keys]
        let words = "it belongs to another user (uid 65534)"
        let warned = try await Shcverify.run(options)
        #expect(warned.exitCode == 0)
        #expect(
            warned.errorLines == [
                "shcverify: warning: --jwks \(keys): \(words), so not only you and root decide which cards pass"
            ])
        for required in [["--require-trusted"], []] {
            let environment = required.isEmpty ? ["SHCVERIFY_REQUIRE_TRUSTED": "1"] as [String: String?] : [:]
            let refused = try await Shcverify.run(options + required, environment: environment)
            #expect(refused.exitCode == 66 && refused.errorLines.count == 1)
            #expect(refused.stderr.hasPrefix("shcverify: --jwks \(keys): cannot be relied on: \(words). "))
        }
    }
}
