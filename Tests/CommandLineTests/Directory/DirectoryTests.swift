import Credentials
import Foundation
import SMARTHealthCards
import StrictJSON
import TestSupport
import Testing

/// Directories of issuers: installing, showing, checking and using them.
@Suite(.timeLimit(.minutes(10))) struct DirectoryTests {
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

    private func update() async throws -> Shcverify.Result {
        try await run(["directory", "update", "--from", published.path] + published.certificate)
    }

    @Test func installedDirectoryIsTrustedAndHasKeys() async throws {
        #expect(try await run([Self.card, "--directory", "vci"] + Self.at).exitCode == 66)
        let updated = try await update()
        #expect(updated.exitCode == 0, "\(updated.stderr)")
        let result = try await run([Self.card, "--directory", "vci", "--format", "json"] + Self.at)
        #expect(result.exitCode == 0, "\(result.stderr)")
        let card = try #require(try JSONDocument.parse(Array(result.stdout.utf8)).at("/cards/0"))
        #expect(card.at("/issuer/trust")?.words == "directory")
        #expect(card.at("/issuer/name")?.words == "Example Issuer A")
        #expect(card.at("/issuer/website")?.words == "https://a.example")
        #expect(card.at("/key/source")?.words == "directory")
        #expect(card.at("/key/retrieved")?.words == "2026-05-01T00:00:00Z")
    }

    @Test func updateReplacesTheWholeDirectory() async throws {
        for _ in 0..<3 { #expect(try await update().exitCode == 0) }
        let folder = try #require(data).url.appendingPathComponent("shcverify")
        let installed = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(installed.count == 3, "the link, what it leads to, and the installation before that: \(installed)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("vci").path)
        #expect(Set(files) == ["vci-issuers.json", "vci_snapshot.json", "vci_snapshot.sig"])
    }

    @Test func issuerOnlyInTheUnsignedListIsNotTrusted() async throws {
        let updated = try await update()
        #expect(updated.stderr.contains("not in the signed snapshot"))
        let shown = try await run(["directory", "show"])
        #expect(shown.stdout.contains("Example Issuer A"))
        #expect(!shown.stdout.contains("unsigned.example") && !shown.stdout.contains("former.example"))
    }

    @Test func refusesAnOlderSnapshot() async throws {
        #expect(try await update().exitCode == 0)
        let older = try TemporaryDirectory()
        for (from, to) in [
            ("older.json", "vci_snapshot.json"), ("older.sig", "vci_snapshot.sig"),
            ("vci-issuers.json", "vci-issuers.json"),
        ] {
            try FileManager.default.copyItem(
                at: published.directory.url.appendingPathComponent(from), to: older.url.appendingPathComponent(to))
        }
        let result = try await run(["directory", "update", "--from", older.url.path] + published.certificate)
        #expect(result.exitCode == 10)
        #expect(result.stderr.contains("older"))
        #expect(try await run([Self.card, "--directory", "vci", "-q"] + Self.at).exitCode == 0)
    }

    @Test func refusesASnapshotOfAnotherSigner() async throws {
        // Without --certificate, the signature must be VCI's.
        let result = try await run(["directory", "update", "--from", published.path])
        #expect(result.exitCode == 11)
        #expect(try FileManager.default.contentsOfDirectory(atPath: try #require(data).url.path).isEmpty)
    }

    @Test func fetchesAndInstallsADirectory() async throws {
        let server = try TestIssuer()
        for (name, path) in [
            ("vci-issuers.json", "vci-issuers.json"), ("vci_snapshot.json", "logs/vci_snapshot.json"),
            ("vci_snapshot.sig", "logs/vci_snapshot.sig"),
        ] {
            let content = try Data(contentsOf: published.directory.url.appendingPathComponent(name))
            try server.serve(content, at: "/directory/\(path)")
        }
        let network = ["--ca-file", server.authorityFile, "--timeout", "60"]
        let update = ["directory", "update", "--url", server.url("/directory")] + published.certificate + network
        #expect(try await run(update).exitCode == 20, "loopback is refused unless it is allowed")
        let result = try await run(update + ["--allow-private-network"])
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(try await run([Self.card, "--directory", "vci", "-q"] + Self.at).exitCode == 0)
        // If the files never belong together, the command gives up after some attempts.
        try server.serve("{}", at: "/directory/logs/vci_snapshot.json")
        #expect(try await run(update + ["--allow-private-network"]).exitCode == 11)
        #expect(try server.requests(for: "vci_snapshot.json").count == 4)
    }

    @Test func doesNotUseTooOldDirectoryKeys() async throws {
        let snapshot = ["--directory", "\(published.path)/vci_snapshot.json"]
        // The age is counted by the clock, as of whatever time cards are verified.
        let retrieved = try #require(NumericDate(text: "2026-05-01T00:00:00Z")).sinceEpoch.components.seconds
        let age = (Date().timeIntervalSince1970 - Double(retrieved)) / 86_400
        let young = try await run([Self.card, "-q", "--max-directory-age", "\(age + 1)"] + snapshot + Self.at)
        #expect(young.exitCode == 0, "\(young.stderr)")
        let old = try await run([Self.card, "-q", "--max-directory-age", "\(age - 1)"] + snapshot + Self.at)
        #expect(old.exitCode == 20)
        #expect(old.stderr.contains("2026-05-01"))
    }

    /// The vectors test the rules for several sources. This test gives the sources on the command line.
    @Test func everyDirectoryIsASeparateSource() async throws {
        #expect(try await update().exitCode == 0)
        let folder = try TemporaryDirectory()
        let list = try folder.write(
            #"{"participating_issuers":[{"iss":"https://former.example","name":"Former"}]}"#, to: "vci-issuers.json")
        try FileManager.default.copyItem(
            at: published.directory.url.appendingPathComponent("vci_snapshot.json"),
            to: folder.url.appendingPathComponent("vci_snapshot.json"))
        let snapshot = "\(folder.url.path)/vci_snapshot.json"
        for (names, exitCode, warnings) in [
            (["vci"], 0, []), (["VCI"], 0, []), ([folder.url.path], 13, []), ([folder.url.path, "vci"], 0, []),
            ([snapshot], 0, []), ([snapshot, list], 0, ["issuer-not-on-list"]),
            ([folder.url.path, snapshot], 0, ["issuer-not-on-list"]), ([snapshot, list, "Vci"], 0, []),
        ] as [([String], Int32, [String])] {
            let options = names.flatMap { ["--directory", $0] }
            let result = try await run([Self.card, "--format", "json"] + options + Self.at)
            #expect(result.exitCode == exitCode, "\(names): \(result.stderr)")
            let card = try #require(try JSONDocument.parse(Array(result.stdout.utf8)).at("/cards/0"))
            #expect(card["warnings"]?.elements?.map { $0["code"]?.words } == warnings, "\(names)")
            let shown = try await run(["directory", "show", Self.issuer] + options)
            #expect(shown.exitCode == exitCode, "\(names): what is trusted is shown, and nothing else")
        }
    }

    @Test func acceptsACloneOfTheRepository() async throws {
        let clone = try TemporaryDirectory()
        let logs = clone.url.appendingPathComponent("logs")
        try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: false)
        for (name, folder) in [
            ("vci-issuers.json", clone.url), ("vci_snapshot.json", logs), ("vci_snapshot.sig", logs),
        ] {
            try FileManager.default.copyItem(
                at: published.directory.url.appendingPathComponent(name), to: folder.appendingPathComponent(name))
        }
        #expect(try await run([Self.card, "-q", "--directory", clone.url.path] + Self.at).exitCode == 0)
        let updated = try await run(["directory", "update", "--from", clone.url.path] + published.certificate)
        #expect(updated.exitCode == 0, "\(updated.stderr)")
        #expect(try await run([Self.card, "-q", "--directory", "vci"] + Self.at).exitCode == 0)
        try FileManager.default.removeItem(at: logs.appendingPathComponent("vci_snapshot.sig"))
        let unsigned = try await run(["directory", "update", "--from", clone.url.path] + published.certificate)
        #expect(unsigned.exitCode == 66)
        #expect(unsigned.stderr.contains("logs/vci_snapshot.sig: cannot be read"))
    }

    @Test func saysWhatIsNotListedAndWhatIsLikeIt() async throws {
        let show = { (wanted: String, list: String) in
            try await run(["directory", "show", wanted, "--directory", list])
        }
        let snapshot = "\(published.path)/vci_snapshot.json"
        let slash = try await show(Self.issuer + "/", snapshot)
        #expect(slash.exitCode == 13)
        #expect(slash.stderr.contains("\"\(Self.issuer)/\""), "\(slash.stderr)")
        #expect(slash.stderr.contains("the listed issuer \"\(Self.issuer)\" differs only"), "\(slash.stderr)")
        let name = try await show("The Example Hospital", snapshot)
        #expect(name.exitCode == 13 && name.stderr.contains("names that are like it: "), "\(name.stderr)")
        let signers = Paths.vector("hcert/trust/gdhcn-v2.did.json")
        let unknown = try await show("Atlantis", signers)
        #expect(
            unknown.exitCode == 13
                && unknown.stderr.contains("no such signer: \"Atlantis\"; signers are looked up by a country"))
    }

    @Test func quietUpdatePrintsNothing() async throws {
        let quiet = try await run(["directory", "update", "--quiet", "--from", published.path] + published.certificate)
        #expect(quiet.exitCode == 0 && quiet.stdout.isEmpty && quiet.stderr.isEmpty, "\(quiet.stderr)")
        let failed = try await run(["directory", "update", "-q", "--from", "/nowhere"])
        #expect(failed.exitCode != 0 && !failed.stderr.isEmpty)
    }

    @Test func errorsShowTheUsageOfTheirCommand() async throws {
        let unsigned = try await run(["directory", "verify", "\(published.path)/vci_snapshot.json"])
        #expect(unsigned.exitCode == 64)
        #expect(
            unsigned.stderr.hasPrefix("Error: Give the snapshot's signature with --signature"), "\(unsigned.stderr)")
        #expect(unsigned.stderr.contains("\nUsage: shcverify directory verify <snapshot>"), "\(unsigned.stderr)")
        #expect(unsigned.stderr.contains("See 'shcverify directory verify --help'"))
        let explained = try await run(["explain", "nonsense-code"])
        #expect(
            explained.exitCode == 64 && explained.stderr.contains("\nUsage: shcverify explain "), "\(explained.stderr)")
        let passcode = try await run(["card.jws", "--passcode", "1234"])
        #expect(passcode.exitCode == 64 && passcode.stderr.contains("--passcode-file FILE"), "\(passcode.stderr)")
        #expect(!passcode.stderr.contains("1234"))
        #expect(try await !run(["card.jws", "--passcode=1234"]).stderr.contains("1234"))
    }

    @Test func dateIsTheEndOfItsDay() async throws {
        let folder = try TemporaryDirectory()
        let snapshot = { (time: String) in
            #"{"directory":"d","time":"\#(time)","issuerInfo":[{"issuer":{"iss":"https://\#(time.prefix(10)).example","name":"A"},"keys":[]}]}"#
        }
        for time in ["2026-10-31T23:59:00Z", "2026-11-01T12:00:00Z", "2026-11-02T00:00:00Z"] {
            try folder.write(snapshot(time), to: "\(time.prefix(10)).json")
        }
        let show = { (at: String) in
            try await run(["directory", "show", "--directory", folder.url.path, "--at", at])
        }
        #expect(try await show("2026-11-01").stdout.hasPrefix("https://2026-11-01.example"))
        #expect(try await show("2026-10-31").stdout.hasPrefix("https://2026-10-31.example"))
        #expect(try await show("2026-11-31").exitCode == 64)
        #expect(try await show("2026-1-1").exitCode == 64)
    }

    @Test func unlistedIssuerIs13() async throws {
        let directory = ["--directory", "\(published.path)/vci_snapshot.json"]
        #expect(try await run(["directory", "show", Self.issuer] + directory).exitCode == 0)
        #expect(try await run(["directory", "show", "EXAMPLE issuer"] + directory).exitCode == 0)
        #expect(try await run(["directory", "show", "nobody"] + directory).exitCode == 13)
        let json = try await run(["directory", "show", "--format", "json"] + directory)
        #expect(try JSONDocument.parse(Array(json.stdout.utf8)).at("/issuers/0/iss")?.words == Self.issuer)
    }

    /// Somebody who has a list and gives it to the command expects to see it.
    @Test func showsAListThatIsGivenWithoutTheOption() async throws {
        for list in ["vci_snapshot.json", "vci-issuers.json"] {
            let shown = try await run(["directory", "show", "\(published.path)/\(list)"])
            #expect(shown.exitCode == 0, "\(shown.stderr)")
            #expect(
                shown.stdout
                    == (try await run(["directory", "show", "--directory", "\(published.path)/\(list)"]).stdout))
            #expect(shown.stdout.contains(Self.issuer))
        }
        let signers = try await run(["directory", "show", Paths.vector("hcert/trust/gdhcn-v2.did.json")])
        #expect(signers.exitCode == 0 && signers.stderr.contains("signer"))
        // What cannot be a name is reported as a file.
        let keys = try await run(["directory", "show", Paths.vector("keys/issuer-a.jwks.json")])
        #expect(keys.exitCode == 64 && keys.stderr.contains("it is a key set"), "\(keys.stderr)")
        // With the option, it is a name as before.
        let both = try await run(
            [
                "directory", "show", "\(published.path)/vci-issuers.json", "--directory",
                "\(published.path)/vci_snapshot.json",
            ])
        #expect(both.exitCode == 13)
    }

    /// A folder is shown, and a file that is not there is named, whether or not something is installed.
    @Test func showsAFolderAndNamesAFileThatIsMissing() async throws {
        for isInstalled in [false, true] {
            if isInstalled { #expect(try await update().exitCode == 0) }
            let folder = try #require(URL(fileURLWithPath: published.path).lastPathComponent as String?)
            let parent = URL(fileURLWithPath: published.path).deletingLastPathComponent().path
            let show = { (word: String) in
                try await Shcverify.run(
                    ["-c", #"cd "$1" && exec "$2" directory show "$3""#, "sh", parent, Shcverify.path, word],
                    environment: ["XDG_DATA_HOME": data?.url.path, "SHCVERIFY_SYSTEM_DIR": "/nowhere"],
                    executable: "/bin/sh")
            }
            let shown = try await show(folder)
            #expect(shown.exitCode == 0 && shown.stdout.contains(Self.issuer), "\(shown.stderr)")
            #expect(try await show("./\(folder)").stdout == shown.stdout)
            for name in ["typo.json", "./typo", "../typo.json"] {
                let missing = try await show(name)
                #expect(missing.exitCode == 66 && missing.errorLines.count == 1)
                #expect(
                    missing.stderr.contains("\(name): cannot be read: No such file or directory"), "\(missing.stderr)")
            }
            // It may also be the ID of a key.
            let other = try await show("lists/typo")
            #expect(other.exitCode == (isInstalled ? 13 : 66))
            #expect(
                other.stderr.contains("lists/typo")
                    && other.stderr.contains(isInstalled ? "there is no file of that name either" : "No such file"))
        }
    }

    @Test func fileWithTheNameOfAnIssuerIsNoList() async throws {
        #expect(try await update().exitCode == 0)
        let folder = try TemporaryDirectory()
        try folder.write("notes", to: "Example")
        let list = try Data(contentsOf: published.directory.url.appendingPathComponent("vci-issuers.json"))
        try list.write(to: folder.url.appendingPathComponent("list"))
        let show = { (word: String) in
            try await Shcverify.run(
                ["-c", #"cd "$1" && exec "$2" directory show "$3""#, "sh", folder.url.path, Shcverify.path, word],
                environment: ["XDG_DATA_HOME": data?.url.path], executable: "/bin/sh")
        }
        let found = try await show("Example")
        #expect(found.exitCode == 0 && found.stdout.contains("Example Issuer A"), "\(found.stderr)")
        #expect(try await show("list").stdout.contains("unsigned.example"))
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
