import Encodings
import Foundation
import TestSupport
import Testing

/// `directory update` of WHO's list, with a server that stands for both of WHO's hosts: list and key are installed together, or nothing is.
/// Tests/Sessions/trust-lists.md has the rest. All tests use the same paths of the server.
@Suite(.timeLimit(.minutes(30)), .serialized) struct ListUpdateTests {
    private let server: TestIssuer
    private let data: TemporaryDirectory
    /// How many requests there were for keys before the test.
    private let earlierRequests: Int

    private static let path = "/v2/trustlist/did.json"
    private static let keys = "/WHO/signing/DID/did.json"

    /// The lists, which are signed for the server. That takes a second or two.
    private static let lists = Result {
        let (lists, process) = (try TemporaryDirectory(), Process())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-B", Paths.root.appendingPathComponent("Tests/TestSupport/sign_list.py").path,
            "\(try TestIssuer.shared.get().port())", lists.url.path,
        ]
        try process.run()
        process.waitUntilExit()
        return lists
    }

    init() throws {
        server = try TestIssuer.shared.get()
        data = try TemporaryDirectory()
        earlierRequests = try server.requests(for: Self.keys).count
        _ = try Self.lists.get()
        try serve("keys", at: Self.keys)
    }

    private var requestsForKeys: Int { get throws { try server.requests(for: Self.keys).count - earlierRequests } }

    private func file(_ name: String) -> String {
        ((try? Self.lists.get())?.url.path ?? "") + "/\(name).json"
    }

    private func serve(_ name: String, at path: String = path) throws {
        try server.serve(Data(contentsOf: URL(fileURLWithPath: file(name))), at: path)
    }

    private func run(_ arguments: [String]) async throws -> Shcverify.Result {
        try await Shcverify.run(
            arguments,
            environment: ["XDG_DATA_HOME": data.url.path, "SHCVERIFY_SYSTEM_DIR": data.url.path + "/system"])
    }

    private func update(
        at path: String = path, isAllowed: Bool = true, _ options: String...
    ) async throws -> Shcverify.Result {
        let network = ["--ca-file", server.authorityFile, "--timeout", "600"]
        return try await run(
            ["directory", "update", "--url", server.url(path)] + network
                + (isAllowed ? ["--allow-private-network"] : []) + options)
    }

    private func from(_ name: String, _ options: String...) async throws -> Shcverify.Result {
        try await run(["directory", "update", "--from", file(name)] + options)
    }

    private var place: URL { data.url.appendingPathComponent("shcverify/gdhcn") }

    /// The installed files.
    private func installed() -> [String: Data] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                (try? Data(contentsOf: place.appendingPathComponent(name))).map { (name, $0) }
            })
    }

    private func expectInstalled(_ name: String, hasKeys: Bool) throws {
        let files = installed()
        #expect(files["did.json"] == (try Data(contentsOf: URL(fileURLWithPath: file(name)))), "\(name)")
        #expect((files["list-keys.json"] != nil) == hasKeys, "\(name)")
    }

    @Test func listAndKeyAreFetchedAndInstalledTogether() async throws {
        try serve("good")
        #expect(try await update(isAllowed: false).exitCode == 20, "a private address")
        let first = try await update()
        #expect(first.exitCode == 0, "\(first.stderr)")
        #expect(first.stdout.contains("as of 2026-05-20T12:00:01Z, proof of \"did:web:localhost%3A"), "\(first.stdout)")
        try expectInstalled("good", hasKeys: true)
        // The installed key is enough for the next list.
        try serve("newer")
        #expect(try await update("--quiet").exitCode == 0)
        try expectInstalled("newer", hasKeys: true)
        #expect(try requestsForKeys == 1)
        // Unless the signer has another one by now.
        try serve("rotated")
        try serve("other-keys", at: Self.keys)
        #expect(try await update().exitCode == 0)
        try expectInstalled("rotated", hasKeys: true)
        #expect(try requestsForKeys == 2)
        let verify = try await run(
            ["verify", Paths.vector("hcert/cards/valid-vaccination.hc1"), "--directory", "gdhcn", "--offline", "-v"])
        #expect(verify.stderr.contains("trace: gdhcn: proof of \"did:web:localhost%3A"), "\(verify.stderr)")
        #expect(verify.stderr.contains("verified by the key"))
    }

    /// What is refused, with its exit code.
    private static let refused: [(name: String, code: Int32, words: String)] = [
        ("stripped", 10, "no proof"), ("member", 10, "\"more\""), ("part", 10, "the address asks for"),
        ("no-signers", 10, "no signers"), ("future", 10, "clock"), ("two-environments", 10, "contradicts itself"),
        ("changed", 11, "does not verify"), ("unknown", 12, "not known"), ("version-1", 10, "v2:trustlist"),
        ("elsewhere", 20, "could not be fetched"), ("dev", 64, "--allow-test-lists"),
    ]

    /// Nothing is installed, and what is installed stays as it was.
    @Test func refusesWithoutATrace() async throws {
        for (name, code, words) in Self.refused {
            try serve(name)
            let refused = try await update()
            #expect(refused.exitCode == code && refused.stdout.isEmpty, "\(name): \(refused.stderr)")
            // Without an installed list, the message may be about the key.
            #expect(name == "version-1" || refused.stderr.contains(words), "\(name): \(refused.stderr)")
            #expect(installed().isEmpty, "\(name)")
        }
        try serve("good")
        #expect(try await update("--quiet").exitCode == 0)
        let before = installed()
        for (name, code, words) in Self.refused + [("older", 10, "remove "), ("rotated", 11, "does not verify")] {
            try serve(name)
            let refused = try await update()
            #expect(refused.exitCode == code && refused.stdout.isEmpty, "\(name): \(refused.stderr)")
            #expect(refused.stderr.contains(words), "\(name): \(refused.stderr)")
            #expect(installed() == before, "\(name)")
        }
    }

    @Test func theDocumentHasToHaveTheKeyOfTheDID() async throws {
        try serve("good")
        for (name, code) in [("keys-of-another", 12), ("other-keys", 11), ("good", 12)] as [(String, Int32)] {
            try serve(name, at: Self.keys)
            let refused = try await update()
            #expect(refused.exitCode == code, "\(name): \(refused.stderr)")
            #expect(installed().isEmpty)
        }
    }

    @Test func anotherListIsInstalledOnlyAfterTheFolderIsRemoved() async throws {
        try serve("good")
        try serve("part", at: "/v2/trustlist/DCC/did.json")
        #expect(try await update().exitCode == 0)
        let refused = try await update(at: "/v2/trustlist/DCC/did.json")
        #expect(refused.exitCode == 10)
        #expect(refused.stderr.contains("remove \(place.path) first"), "\(refused.stderr)")
        try expectInstalled("good", hasKeys: true)
        try FileManager.default.removeItem(at: place)
        #expect(try await update(at: "/v2/trustlist/DCC/did.json").exitCode == 0)
        try expectInstalled("part", hasKeys: true)
    }

    @Test func givenKeysDecideAlone() async throws {
        try serve("good")
        let uat = Paths.vector("gdhcn/keys/uat.did.json")
        for (key, code) in [
            (uat, 12), (Paths.vector("gdhcn/keys/other.did.json"), 12), (file("other-keys"), 11), (file("keys"), 0),
        ] as [(String, Int32)] {
            #expect(try await update("--list-key", key).exitCode == code, "\(key)")
        }
        #expect(try requestsForKeys == 0, "no key is fetched")
        try expectInstalled("good", hasKeys: true)
        #expect(try await update("--list-key", file("missing")).exitCode == 66)
        #expect(try await update("--list-key", Paths.vector("gdhcn/keys/private.jwk.json")).exitCode == 64)
        #expect(
            try await run(["directory", "update", "--list-key", uat]).exitCode == 64,
            "VCI's directory has another signer")
    }

    @Test func listsOfTheFirstVersionAreInstalledOnlyWithoutAnyKey() async throws {
        try serve("version-1", at: "/trustlist/did.json")
        let first = try await update(at: "/trustlist/did.json")
        #expect(first.exitCode == 0, "\(first.stderr)")
        #expect(first.stderr.contains("was not checked"))
        try expectInstalled("version-1", hasKeys: false)
        #expect(try await update(at: "/trustlist/did.json", "--list-key", file("keys")).exitCode == 10)
    }

    /// A list chooses the document with the keys, so only its own host may give it.
    @Test(arguments: [("moved-away-302", 20), ("redirect-1", 0)] as [(String, Int32)])
    func theDocumentComesFromTheHostOfItsDID(_ name: String, _ code: Int32) async throws {
        try serve(name)
        try serve("\(name)-keys", at: Self.keys)
        let result = try await update()
        #expect(result.exitCode == code, "\(result.stderr)")
        #expect(installed().isEmpty == (code != 0))
    }

    // MARK: Interruptions

    /// Whenever an update is killed, list and key are there, and belong together.
    @Test func aKilledUpdateLeavesAWholeInstallation() async throws {
        #expect(try await from("good", "--list-key", file("keys")).exitCode == 0)
        for delay in stride(from: 0, to: 40, by: 2) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Shcverify.path)
            process.arguments = ["directory", "update", "--from", file("newer"), "--quiet"]
            process.environment = [
                "XDG_DATA_HOME": data.url.path, "SHCVERIFY_SYSTEM_DIR": data.url.path + "/system", "PATH": "/usr/bin",
            ]
            process.standardError = FileHandle.nullDevice
            try process.run()
            usleep(UInt32(delay) * 1_000)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let verify = try await run([
                "verify", Paths.vector("hcert/cards/valid-vaccination.hc1"), "--directory", "gdhcn", "--offline", "-v",
            ])
            #expect(verify.stderr.contains("verified by the key"), "after \(delay) ms: \(verify.stderr)")
        }
        #expect(try await from("newer").exitCode == 0)
        try expectInstalled("newer", hasKeys: true)
        // What the killed updates have left is gone. The previous installation stays for those who read it.
        let left = try FileManager.default.contentsOfDirectory(atPath: place.deletingLastPathComponent().path)
        #expect(left.count { $0.hasPrefix("gdhcn-") } <= 2, "\(left)")
    }
}
