import Foundation
import StrictJSON
import TestSupport
import Testing

/// `directory update` of WHO's list, with a server that stands for both of WHO's hosts: list and key are installed together, or nothing is.
@Suite(.timeLimit(.minutes(10))) struct ListUpdateTests {
    private let server: TestIssuer
    private let lists: TemporaryDirectory
    private let data: TemporaryDirectory

    private static let path = "/v2/trustlist/did.json"
    private static let keys = "/WHO/signing/DID/did.json"

    init() throws {
        server = try TestIssuer()
        lists = try TemporaryDirectory()
        data = try TemporaryDirectory()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-B", Paths.root.appendingPathComponent("Tests/TestSupport/sign_list.py").path, "\(server.port())",
            lists.url.path,
        ]
        try process.run()
        process.waitUntilExit()
        try serve("keys", at: Self.keys)
    }

    private func file(_ name: String) -> String { lists.url.appendingPathComponent("\(name).json").path }

    private func serve(_ name: String, at path: String = path) throws {
        try server.serve(Data(contentsOf: URL(fileURLWithPath: file(name))), at: path)
    }

    private func run(_ arguments: [String]) async throws -> Shcverify.Result {
        try await Shcverify.run(arguments, environment: ["XDG_DATA_HOME": data.url.path])
    }

    private func update(
        at path: String = path, isAllowed: Bool = true, _ options: String...
    ) async throws -> Shcverify.Result {
        let network = ["--ca-file", server.authorityFile, "--timeout", "60"]
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
        #expect(try server.requests(for: Self.keys).count == 1)
        // Unless the signer has another one by now.
        try serve("rotated")
        try serve("other-keys", at: Self.keys)
        #expect(try await update().exitCode == 0)
        try expectInstalled("rotated", hasKeys: true)
        #expect(try server.requests(for: Self.keys).count == 2)
        let verify = try await run(
            ["verify", Paths.vector("hcert/cards/valid-vaccination.hc1"), "--directory", "gdhcn", "--offline", "-v"])
        #expect(verify.stderr.contains("trace: gdhcn: proof of \"did:web:localhost%3A"), "\(verify.stderr)")
        #expect(verify.stderr.contains("verified by the key"))
    }

    /// What is refused, with its exit code. Each leaves the installed list and key as they were.
    @Test(
        arguments: [
            ("stripped", 10, "no proof"), ("member", 10, "\"more\""), ("part", 10, "the address asks for"),
            ("no-signers", 10, "no signers"), ("future", 10, "clock"), ("two-environments", 10, "contradicts itself"),
            ("older", 10, "remove "), ("changed", 11, "does not verify"), ("unknown", 12, "not known"),
            ("version-1", 10, "v2:trustlist"), ("rotated", 11, "does not verify"),
            ("elsewhere", 20, "could not be fetched"),
            ("dev", 64, "--allow-test-lists"),
        ] as [(String, Int32, String)])
    func refusesWithoutATrace(_ name: String, _ code: Int32, _ words: String) async throws {
        try serve("good")
        #expect(try await update("--quiet").exitCode == 0)
        let before = installed()
        try serve(name)
        let refused = try await update()
        #expect(refused.exitCode == code, "\(refused.stderr)")
        #expect(refused.stderr.contains(words), "\(refused.stderr)")
        #expect(refused.stdout.isEmpty)
        #expect(installed() == before)
    }

    /// The same without an installed list: nothing is installed.
    @Test(
        arguments: [
            ("stripped", 10), ("member", 10), ("part", 10), ("changed", 11), ("unknown", 12), ("elsewhere", 20),
            ("dev", 64),
        ] as [(String, Int32)])
    func installsNothingThatIsRefused(_ name: String, _ code: Int32) async throws {
        try serve(name)
        #expect(try await update().exitCode == code)
        #expect(installed().isEmpty)
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
        #expect(try server.requests(for: Self.keys).isEmpty, "no key is fetched")
        try expectInstalled("good", hasKeys: true)
        #expect(try await update("--list-key", file("missing")).exitCode == 66)
        #expect(try await update("--list-key", Paths.vector("gdhcn/keys/private.jwk.json")).exitCode == 64)
        #expect(
            try await run(["directory", "update", "--list-key", uat]).exitCode == 64,
            "VCI's directory has another signer")
    }

    @Test func aCopyIsCheckedByTheInstalledKey() async throws {
        // Without any key, a copy is as good as its carrier.
        let first = try await from("good")
        #expect(first.exitCode == 0)
        #expect(first.stderr.contains("the proof of the list was not checked"), "\(first.stderr)")
        try expectInstalled("good", hasKeys: false)
        #expect(try await from("stripped").exitCode == 10)
        #expect(try await from("member").exitCode == 10)
        // With one, it is not.
        let second = try await from("newer", "--list-key", file("keys"))
        #expect(second.exitCode == 0 && second.stderr.isEmpty, "\(second.stderr)")
        try expectInstalled("newer", hasKeys: true)
        for (name, code) in [
            ("older", 10), ("good", 10), ("part", 10), ("changed", 11), ("rotated", 11), ("unknown", 12),
            ("version-1", 10),
        ]
            as [(String, Int32)]
        {
            let refused = try await from(name)
            #expect(refused.exitCode == code, "\(name): \(refused.stderr)")
            try expectInstalled("newer", hasKeys: true)
        }
        #expect(try await from("newer").exitCode == 0, "the same list again")
        #expect(try await from("rotated", "--list-key", file("other-keys")).exitCode == 0)
        #expect(try await from("newer", "--list-key", file("keys")).exitCode == 10, "older than the installed list")
    }

    @Test func listsOfTheFirstVersionAreInstalledOnlyWithoutAnyKey() async throws {
        try serve("version-1", at: "/trustlist/did.json")
        let first = try await update(at: "/trustlist/did.json")
        #expect(first.exitCode == 0, "\(first.stderr)")
        #expect(first.stderr.contains("was not checked"))
        try expectInstalled("version-1", hasKeys: false)
        #expect(try await update(at: "/trustlist/did.json", "--list-key", file("keys")).exitCode == 10)
    }

    @Test func listsForTestsAreInstalledOnlyByPermission() async throws {
        try serve("dev")
        let refused = try await update()
        #expect(refused.exitCode == 64 && refused.stderr.contains(" dev"), "\(refused.stderr)")
        let allowed = try await update("--allow-test-lists")
        #expect(allowed.exitCode == 0, "\(allowed.stderr)")
        let card = Paths.vector("hcert/cards/valid-vaccination.hc1")
        let use = ["verify", card, "--directory", "gdhcn", "--offline", "--at", "2022-06-01T00:00:00Z"]
        let without = try await run(use)
        #expect(without.exitCode == 64)
        #expect(without.stderr.contains("--allow-test-lists") && without.stderr.contains("dev"), "\(without.stderr)")
        let with = try await run(use + ["--allow-test-lists"])
        #expect(with.exitCode == 0, "\(with.stderr)")
        #expect(with.headline.hasPrefix("PASS (TEST"), "\(with.headline)")
    }

    /// The installed list is checked at each use.
    @Test func anInstalledListThatWasChangedIsNotUsed() async throws {
        try serve("good")
        #expect(try await update().exitCode == 0)
        let use = ["verify", Paths.vector("hcert/cards/valid-vaccination.hc1"), "--directory", "gdhcn", "--offline"]
        #expect(try await run(use).exitCode != 64)
        let status = try await run(["status", "--format", "json"])
        #expect(
            status.stdout.contains("proof of") && status.stdout.contains("\"date\": \"2026-05-20T12:00:01Z\""),
            "\(status.stdout)")
        try FileManager.default.copyItem(atPath: file("changed"), toPath: place.appendingPathComponent("x").path)
        try Data(contentsOf: URL(fileURLWithPath: file("changed"))).write(to: place.appendingPathComponent("did.json"))
        let refused = try await run(use)
        #expect(refused.exitCode == 64 && refused.stderr.contains("does not verify"), "\(refused.stderr)")
        #expect(try await run(["status", "--format", "json"]).stdout.contains("unusable"))
        #expect(try await from("older").exitCode == 10, "no older list repairs it")
        #expect(try await update().exitCode == 0)
        #expect(try await run(use).exitCode != 64)
    }
}
