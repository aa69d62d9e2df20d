import Encodings
import Foundation
import TestSupport
import Testing

/// VCI's directory from a server, and the real one. Tests/Sessions/directories.md has the rest.
@Suite(.timeLimit(.minutes(30))) struct DirectoryTests {
    static let issuer = OutputTests.issuer
    static let card = Paths.vector("cards/inputs/jws.jws")
    static let at = ["--offline", "--at", "2026-06-01T00:00:00Z"]

    /// A published directory and its signer, made for these tests. The two snapshots are a month apart.
    struct Published: Sendable {
        let directory: TemporaryDirectory
        var path: String { directory.url.path }
        var certificate: [String] { ["--certificate", "\(path)/signer.pem"] }

        static let shared = Result { () throws -> Published in
            let directory = try TemporaryDirectory()
            let keys = try JSONDocument.parse(Paths.bytes(Paths.vector("keys/issuer-a.jwks.json")))
            let snapshot = { (time: String) in
                #"""
                {"directory":"https://directory.example","time":"\#(time)","issuerInfo":[
                  {"issuer":{"iss":"\#(issuer)","name":"Example Issuer A"},"keys":\#(keys["keys"]?.compact ?? "[]"),
                   "lastRetrieved":"\#(time)"},
                  {"issuer":{"iss":"https://former.example","name":"Former"},"keys":[],"lastRetrieved":"\#(time)"}]}
                """#
            }
            try directory.write(snapshot("2026-05-01T00:00:00Z"), to: "vci_snapshot.json")
            try directory.write(snapshot("2026-04-01T00:00:00Z"), to: "older.json")
            try directory.write(
                #"{"participating_issuers":[{"iss":"\#(issuer)","name":"Example Issuer A","website":"https://a.example"},"#
                    + #"{"iss":"https://unsigned.example","name":"In the list alone"}]}"#, to: "vci-issuers.json")
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            process.arguments = [
                "-B", Paths.root.appendingPathComponent("Tests/TestSupport/sign_snapshot.py").path, directory.url.path,
            ]
            try process.run()
            process.waitUntilExit()
            return Published(directory: directory)
        }
    }

    private let published: Published
    private let data = try? TemporaryDirectory()

    init() throws {
        published = try Published.shared.get()
    }

    private func run(_ arguments: [String]) async throws -> Shcverify.Result {
        try await Shcverify.run(arguments, environment: ["XDG_DATA_HOME": data?.url.path])
    }

    @Test func fetchesAndInstallsADirectory() async throws {
        let server = try TestIssuer.shared.get()
        let path = "/\(UUID().uuidString)"
        for (name, file) in [
            ("vci-issuers.json", "vci-issuers.json"), ("vci_snapshot.json", "logs/vci_snapshot.json"),
            ("vci_snapshot.sig", "logs/vci_snapshot.sig"),
        ] {
            let content = try Data(contentsOf: published.directory.url.appendingPathComponent(name))
            try server.serve(content, at: "\(path)/\(file)")
        }
        let network = ["--ca-file", server.authorityFile, "--timeout", "600"]
        let update = ["directory", "update", "--url", server.url(path)] + published.certificate + network
        #expect(try await run(update).exitCode == 20, "loopback is refused unless it is allowed")
        let result = try await run(update + ["--allow-private-network"])
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(try await run([Self.card, "--directory", "vci", "-q"] + Self.at).exitCode == 0)
        // If the files never belong together, the command gives up after some attempts.
        try server.serve("{}", at: "\(path)/logs/vci_snapshot.json")
        #expect(try await run(update + ["--allow-private-network"]).exitCode == 11)
        #expect(try server.requests(for: "\(path)/logs/vci_snapshot.json").count == 4)
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)")) func realSnapshotVerifiesAndAFlippedByteDoesNot()
        async throws
    {
        let snapshot = SharedData.path("vci/vci_snapshot.json")
        let signature = ["--signature", SharedData.path("vci/vci_snapshot.sig")]
        let genuine = try await run(["directory", "verify", snapshot] + signature)
        #expect(genuine.exitCode == 0, "\(genuine.stderr)")
        var bytes = try Paths.bytes(snapshot)
        bytes[bytes.count / 2] ^= 1
        let changed = try TemporaryDirectory()
        let file = changed.url.appendingPathComponent("changed.json")
        try Data(bytes).write(to: file)
        #expect(try await run(["directory", "verify", file.path] + signature).exitCode == 11)
        let certificate = ["--certificate", "\(published.path)/signer.pem"]
        #expect(try await run(["directory", "verify", snapshot] + signature + certificate).exitCode == 11)
    }
}
