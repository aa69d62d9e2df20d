import Encodings
import Foundation
import TestSupport
import Testing

/// What `make scanner` builds.
enum ScannerProducts {
    static let areBuilt = FileManager.default.fileExists(atPath: BuiltProduct.program("shcverify-scan"))
    static let sandboxProbe = Paths.root.appendingPathComponent("Scanner/.build/release/SandboxProbe").path
    static let hasSandboxProbe = FileManager.default.fileExists(atPath: sandboxProbe)
}

/// What `lint` says of the symbols of QR codes, and pictures of others. `pictures.md` of Tests/Sessions has the rest.
@Suite(.enabled(if: ScannerProducts.areBuilt, "needs make scanner")) struct PictureTests {
    static let keys = OutputTests.keys

    static func picture(_ name: String) -> String { Paths.vector("pictures/\(name)") }

    /// Whether the library that reads QR codes tells their version and segments. ZXing 2 does not.
    @Sendable private static func symbolsAreTold() async throws -> Bool {
        let result = try await Shcverify.run(["lint", "--offline", picture("card.png")])
        return !result.stdout.contains("the QR code itself was not checked")
    }

    @Test(
        .enabled("needs ZXing 1", symbolsAreTold),
        arguments: [
            ("version-23.png", "invalid-qr-version"), ("single-segment.png", "invalid-qr"),
            ("no-quiet-zone.png", "invalid-qr"),
        ])
    func lintChecksTheSymbol(name: String, code: String) async throws {
        #expect(try await codes(of: name).contains(code))
    }

    @Test(.enabled("needs ZXing 1", symbolsAreTold)) func lintFindsNothingWrongWithAGoodSymbol() async throws {
        #expect(!(try await codes(of: "card.png").contains { $0.contains("qr") }))
    }

    private func codes(of name: String) async throws -> [String] {
        LintTests.codes(try await LintTests.json(["--offline", Self.picture(name)]).0)
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
    func picturesOfOthersAreJudgedAsExpected() async throws {
        let folder = "pictures/test-example-00-g-qr-code-0-"
        let code = { (name: String) in
            try await Shcverify.run([
                SharedData.path(folder + name), "--jwks", SharedData.path("spec-examples/issuer.jwks.json"), "--at",
                "2022-06-01T00:00:00Z", "--offline", "--quiet",
            ]).exitCode
        }
        #expect(try await code("scaled-85.jpg") == 0)
        let drawing = try await Shcverify.run([
            SharedData.path("spec-examples/example-00-g-qr-code-0.svg"), "--jwks",
            SharedData.path("spec-examples/issuer.jwks.json"), "--offline", "--quiet",
        ])
        #expect(drawing.exitCode == 0 || drawing.stderr.contains("revocation"))
        #expect(try await code("single_qr_segment.png") == 0)
        #expect(try await code("corrupted.png") == 27)
        let link = try await Shcverify.run([SharedData.path("pictures/shlink-qr.png"), "--offline"])
        #expect(link.exitCode == 10 && link.stderr.contains("malformed-link"))
    }
}
