import Foundation
import TestSupport
import Testing

/// WHO's list, fetched from a server. Tests/Sessions/certificates.md has the rest on EU certificates.
@Suite(.timeLimit(.minutes(30))) struct HealthCertificateTests {
    private static let certificate = Paths.vector("hcert/cards/valid-vaccination.hc1")
    private static let list = Paths.vector("hcert/trust/gdhcn-v2.did.json")
    /// A moment at which the certificate is valid.
    private static let at = ["--at", "2022-06-01T00:00:00Z"]

    /// Runs the program with lists installed in `folder`.
    private static func run(_ arguments: [String], in folder: URL) async throws -> Shcverify.Result {
        try await Shcverify.run(arguments, environment: ["XDG_DATA_HOME": folder.path])
    }

    /// The list is installed and shown. One without signers, or of another kind, does not replace it.
    @Test func installsAListOfSigners() async throws {
        let server = try TestIssuer()
        try server.serve(Data(contentsOf: URL(fileURLWithPath: Self.list)), at: "/v2/trustlist/did.json")
        try server.serve(
            Data(contentsOf: URL(fileURLWithPath: Paths.vector("hcert/trust/gdhcn-nothing.did.json"))),
            at: "/nothing/did.json")
        try server.serve(
            Data(contentsOf: URL(fileURLWithPath: Paths.vector("hcert/trust/gateway.json"))), at: "/gateway.json")
        try await Paths.withTemporaryDirectory { folder in
            let network = ["--ca-file", server.authorityFile, "--timeout", "60"]
            let update = { (path: String) in ["directory", "update", "--url", server.url(path)] + network }
            let allowed = ["--allow-private-network"]
            #expect(
                try await Self.run(update("/v2/trustlist/did.json"), in: folder).exitCode == 20, "loopback is refused")
            let installed = try await Self.run(update("/v2/trustlist/did.json") + allowed, in: folder)
            #expect(installed.exitCode == 0, "\(installed.stderr)")
            #expect(
                installed.stdout.hasPrefix(
                    "installed: 5 signers, 1 with an unusable key, 5 entries that are not for signers, as of "))
            #expect(installed.stderr.contains("the proof of the list was not checked"))
            let verify = [Self.certificate, "--directory", "gdhcn", "-q"] + Self.at
            #expect(try await Self.run(verify, in: folder).exitCode == 0)
            for path in ["/nothing/did.json", "/gateway.json", "/missing/did.json"] {
                let refused = try await Self.run(update(path) + allowed, in: folder)
                #expect(refused.exitCode == (path.hasPrefix("/missing") ? 20 : 10), "\(path): \(refused.stderr)")
                #expect(try await Self.run(verify, in: folder).exitCode == 0, "the installed list is still there")
            }
            let shown = try await Self.run(["directory", "show"], in: folder)
            #expect(shown.exitCode == 0)
            #expect(shown.stdout.split(separator: "\n").count == 6)
            #expect(shown.stderr.contains("gdhcn") || shown.stderr.contains("GDHCN"))
        }
    }
}
