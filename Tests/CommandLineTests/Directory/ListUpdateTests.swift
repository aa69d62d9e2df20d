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
        try await Shcverify.run(
            arguments,
            environment: ["XDG_DATA_HOME": data.url.path, "SHCVERIFY_SYSTEM_DIR": data.url.path + "/system"])
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
        let page = try await run(["records"] + use.dropFirst() + ["--allow-test-lists", "--format", "html"])
        #expect(page.stdout.contains("<p>TEST: ") && page.stdout.contains(">TEST. Card <"), "\(page.stdout)")
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

    /// A list chooses the document with the keys, so only its own host may give it.
    @Test(arguments: [("moved-away-302", 20), ("redirect-1", 0)] as [(String, Int32)])
    func theDocumentComesFromTheHostOfItsDID(_ name: String, _ code: Int32) async throws {
        try serve(name)
        try serve("\(name)-keys", at: Self.keys)
        let result = try await update()
        #expect(result.exitCode == code, "\(result.stderr)")
        #expect(installed().isEmpty == (code != 0))
    }

    // MARK: Two places

    private var use: [String] {
        ["verify", Paths.vector("hcert/cards/valid-vaccination.hc1"), "--directory", "gdhcn", "--offline", "-v"]
    }

    /// An unchecked list of the user, however new, does not take the place of a verified one of the machine.
    @Test func aVerifiedListIsUsedBeforeAnUncheckedOne() async throws {
        // The user's comes first. Afterwards it would be refused.
        #expect(try await from("version-1").exitCode == 0)
        #expect(try await !run(use).stderr.contains("verified by the key"))
        let system = try await from("good", "--system", "--list-key", file("keys"))
        #expect(system.exitCode == 0, "\(system.stderr)")
        let verify = try await run(use)
        #expect(verify.stderr.contains("trace: gdhcn: proof of \"did:web:localhost%3A"), "\(verify.stderr)")
        #expect(verify.stderr.contains("verified by the key"), "\(verify.stderr)")
        let status = try await run(["status"])
        #expect(
            status.stdout.contains("not used, since the proof of that of the system was verified"), "\(status.stdout)")
    }

    /// The key that is installed for the machine checks what a user installs, and no older list takes its place.
    @Test func theMachinesKeyCountsForItsUsers() async throws {
        #expect(try await from("good", "--system", "--list-key", file("keys")).exitCode == 0)
        for (name, code) in [("version-1", 10), ("older", 10), ("part", 10), ("changed", 11), ("stripped", 10)]
            as [(String, Int32)]
        {
            let refused = try await from(name)
            #expect(refused.exitCode == code, "\(name): \(refused.stderr)")
            #expect(installed().isEmpty, "\(name)")
        }
        let newer = try await from("newer")
        #expect(newer.exitCode == 0 && newer.stderr.isEmpty, "\(newer.stderr)")
        try expectInstalled("newer", hasKeys: true)
    }

    /// An installation that has lost its keys is not taken for one whose proof was never checked.
    @Test func aVerifiedListWithoutItsKeysIsNotUsed() async throws {
        #expect(try await from("good", "--list-key", file("keys")).exitCode == 0)
        try FileManager.default.removeItem(at: place.appendingPathComponent("list-keys.json"))
        let refused = try await run(use)
        #expect(refused.exitCode == 66 && refused.stderr.contains("list-keys.json"), "\(refused.stderr)")
        #expect(try await run(["status"]).stdout.contains("list-keys.json"))
        for name in ["version-1", "older", "newer"] {
            let update = try await from(name)
            #expect(update.exitCode == 66 && update.stderr.contains("nothing was installed"), "\(update.stderr)")
        }
        // Nor does an unchecked list in the other place stand in for it.
        #expect(try await from("version-1", "--system").exitCode == 0)
        #expect(try await run(use).exitCode == 66)
        #expect(try await from("newer", "--system", "--list-key", file("keys")).exitCode == 0)
        let other = try await run(use)
        #expect(other.stderr.contains("verified by the key"), "\(other.stderr)")
        #expect(other.stderr.contains("left out"), "\(other.stderr)")
    }

    /// Another user's hand may have been at work in such a folder. It is refused, and its key is not forgotten.
    @Test func anInstallationThatOthersMayWriteToIsNotReplaced() async throws {
        #expect(try await from("good", "--list-key", file("keys")).exitCode == 0)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: place.resolvingSymlinksInPath().path)
        #expect(try await run(use).exitCode == 66)
        // Nor does a list that nobody has checked stand in for it.
        #expect(try await from("version-1", "--system").exitCode == 0)
        #expect(try await run(use).exitCode == 66)
        for name in ["version-1", "newer"] {
            let refused = try await from(name)
            #expect(refused.exitCode == 66 && refused.stderr.contains("nothing was installed"), "\(refused.stderr)")
        }
    }

    // MARK: Interruptions

    /// Whenever an update is killed, list and key are there, and belong together.
    @Test func aKilledUpdateLeavesAWholeInstallation() async throws {
        #expect(try await from("good", "--list-key", file("keys")).exitCode == 0)
        for delay in 0..<40 {
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
            let verify = try await run(use)
            #expect(verify.stderr.contains("verified by the key"), "after \(delay) ms: \(verify.stderr)")
        }
        #expect(try await from("newer").exitCode == 0)
        try expectInstalled("newer", hasKeys: true)
        // What the killed updates have left is gone. The previous installation stays for those who read it.
        let left = try FileManager.default.contentsOfDirectory(atPath: place.deletingLastPathComponent().path)
        #expect(left.count { $0.hasPrefix("gdhcn-") } <= 2, "\(left)")
    }

    // MARK: Batch

    /// A list is checked once for a batch, and its key is part of the policy that `--resume` compares.
    @Test func aBatchChecksAListOnce() async throws {
        let card = try String(contentsOfFile: Paths.vector("hcert/cards/valid-vaccination.hc1"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let input = data.url.appendingPathComponent("cards").path
        try Array(repeating: card, count: 3_000).joined(separator: "\n").write(
            toFile: input, atomically: true, encoding: .utf8)
        let state = data.url.appendingPathComponent("state").path
        let arguments = [
            "batch", input, "--directory", file("good"), "--offline", "--at", "2022-06-01T00:00:00Z", "--resume", state,
        ]
        let result = try await run(arguments + ["--list-key", file("keys"), "-v"])
        #expect(result.exitCode == 0, "\(result.stderr.prefix(2_000))")
        #expect(result.stderr.split(separator: "\n").count { $0.contains("verified by the key") } == 1)
        for other in [[], ["--list-key", file("keys"), "--allow-test-lists"]] {
            let refused = try await run(arguments + other)
            #expect(refused.exitCode == 64 && refused.stderr.contains("differs in trust"), "\(refused.stderr)")
        }
    }
}
