import Foundation
import SystemPackage
import TestSupport
import Testing

/// Faults and attacks during the installation of a directory.
@Suite(.timeLimit(.minutes(10))) struct DirectoryFaultTests {
    private static let entry = #"{"iss":"https://issuer.example","name":"Example Issuer"}"#
    private let data: TemporaryDirectory
    private let signer: TemporaryDirectory

    /// Snapshots of three times by one signer. The last time is in the future.
    init() throws {
        data = try TemporaryDirectory()
        signer = try TemporaryDirectory()
        for (name, time) in [
            ("old", "2026-04-01T00:00:00Z"), ("new", "2026-05-01T00:00:00Z"), ("future", "2999-01-01T00:00:00Z"),
        ] {
            try signer.write(
                #"{"directory":"https://directory.example","time":"\#(time)","issuerInfo":[{"issuer":\#(Self.entry),"keys":[]}]}"#,
                to: "\(name).json")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-B", Paths.root.appendingPathComponent("Tests/TestSupport/sign_snapshot.py").path, signer.url.path,
        ]
        try process.run()
        process.waitUntilExit()
        for name in ["old", "new", "future"] {
            try signer.write(#"{"participating_issuers":[\#(Self.entry)]}"#, to: "\(name)/vci-issuers.json")
            for (suffix, file) in [("json", "vci_snapshot.json"), ("sig", "vci_snapshot.sig")] {
                try FileManager.default.moveItem(
                    at: signer.url.appendingPathComponent("\(name).\(suffix)"),
                    to: signer.url.appendingPathComponent("\(name)/\(file)"))
            }
        }
    }

    private var installed: URL { data.url.appendingPathComponent("shcverify") }

    private func update(_ name: String, before script: String = "", into data: String? = nil) async throws
        -> Shcverify.Result
    {
        try await Shcverify.run(
            [
                "-c", #"\#(script) "$@""#, "sh", Shcverify.path, "directory", "update", "--from",
                signer.url.appendingPathComponent(name).path, "--certificate",
                signer.url.appendingPathComponent("signer.pem").path,
            ], environment: ["XDG_DATA_HOME": data ?? self.data.url.path], executable: "/bin/sh")
    }

    @Test func damagedInstallationBlocksOlderSnapshots() async throws {
        #expect(try await update("new").exitCode == 0)
        try Data("{".utf8).write(to: installed.appendingPathComponent("vci/vci_snapshot.json"))
        let older = try await update("old")
        #expect(older.exitCode == 10)
        #expect(older.stderr.contains("older than the installed one"))
        #expect(try await update("new").exitCode == 0, "the same snapshot repairs it")
    }

    /// A real folder in place of the link, as somebody may have put it there by hand.
    @Test func realFolderIsReplacedByNewerSnapshotsOnly() async throws {
        #expect(try await update("new").exitCode == 0)
        let link = installed.appendingPathComponent("vci")
        let folder = try FileManager.default.destinationOfSymbolicLink(atPath: link.path)
        try FileManager.default.removeItem(at: link)
        try FileManager.default.moveItem(at: installed.appendingPathComponent(folder), to: link)
        let older = try await update("old")
        #expect(older.exitCode == 10)
        #expect(older.stderr.contains("older than the installed one"))
        #expect(try await update("new").exitCode == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path).hasPrefix("vci-"))
    }

    @Test func snapshotFromTheFutureIsRefusedAndBlocksNothing() async throws {
        let early = try await update("future")
        #expect(early.exitCode == 10)
        #expect(early.stderr.contains("clock has not reached"))
        // Simulates a snapshot that was installed while the clock was wrong.
        #expect(try await update("old").exitCode == 0)
        let folder = try FileManager.default.destinationOfSymbolicLink(
            atPath: installed.appendingPathComponent("vci").path)
        let parts = folder.split(separator: "-")
        let ahead = (["vci", "32472144000"] + parts.dropFirst(2)).joined(separator: "-")
        try FileManager.default.moveItem(
            at: installed.appendingPathComponent(folder), to: installed.appendingPathComponent(ahead))
        try FileManager.default.removeItem(at: installed.appendingPathComponent("vci"))
        try FileManager.default.createSymbolicLink(
            atPath: installed.appendingPathComponent("vci").path, withDestinationPath: ahead)
        #expect(try await update("new").exitCode == 0)
    }

    @Test func updatesTakeTurns() async throws {
        let results = try await withThrowingTaskGroup(of: (String, Shcverify.Result).self) { group in
            for name in ["old", "new", "old", "new", "old"] {
                group.addTask { (name, try await update(name)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (name, result) in results { #expect(result.exitCode == 0 || name == "old", "\(result.stderr)") }
        let link = try FileManager.default.destinationOfSymbolicLink(
            atPath: installed.appendingPathComponent("vci").path)
        #expect(link.hasPrefix("vci-1777593600-"), "the newest has won: \(link)")
        // The link, its target, and the previous installation.
        let names = try FileManager.default.contentsOfDirectory(atPath: installed.path)
        #expect(names.count <= 3, "\(names)")
    }

    /// Otherwise no issuer would be trusted.
    @Test func refusesAListWithoutAnyIssuerOfTheSnapshot() async throws {
        try signer.write(
            #"{"participating_issuers":[{"iss":"https://unsigned.example","name":"Unsigned"}]}"#,
            to: "new/vci-issuers.json")
        let result = try await update("new")
        #expect(result.exitCode == 10)
        #expect(result.stderr.contains("no issuer of the list is in the signed snapshot"))
        #expect(!FileManager.default.fileExists(atPath: installed.path), "nothing was installed")
    }

    /// Everybody who may read the directory can lock it.
    @Test func lockOnTheDirectoryDoesNotBlockUpdates() async throws {
        #expect(try await update("old").exitCode == 0)
        let folder = try FileDescriptor.open(FilePath(installed.path), .readOnly, options: [.directory, .closeOnExec])
        defer { try? folder.close() }
        #expect(flock(folder.rawValue, LOCK_EX | LOCK_NB) == 0)
        let result = try await update("new")
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: installed.path).count == 3, "no lock is left behind")
    }

    /// A part of an installed directory, by its path.
    enum Part: String, CaseIterable {
        case parent = ""
        case folder = "vci/"
        case issuers = "vci/vci-issuers.json"
        case snapshot = "vci/vci_snapshot.json"
    }

    private func use() async throws -> Shcverify.Result {
        try await Shcverify.run(
            [DirectoryTests.card, "-q", "--offline", "--directory", "vci"],
            environment: ["XDG_DATA_HOME": data.url.path])
    }

    @Test(arguments: Part.allCases) func refusesPartsThatOthersMayWriteTo(_ part: Part) async throws {
        #expect(try await update("old").exitCode == 0)
        #expect(try await use().exitCode == 13)
        let path = installed.appendingPathComponent(part.rawValue).resolvingSymlinksInPath().path
        let mode = try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        for others in [0o020, 0o002] {
            try FileManager.default.setAttributes([.posixPermissions: mode | others], ofItemAtPath: path)
            let result = try await use()
            #expect(result.exitCode == 66)
            #expect(result.errorLines.count == 1 && result.stderr.contains("other users may write to it"))
        }
        if part == .parent {
            let result = try await update("new")
            #expect(result.exitCode == 1)
            #expect(result.stderr.contains("other users may write to it"))
        }
    }

    /// A user who may write to the parent folder could replace the folder with an older installation.
    @Test func refusesAFolderThatOthersMayReplace() async throws {
        #expect(try await update("old").exitCode == 0)
        for (mode, exitCode) in [(0o777, Int32(66)), (0o1777, 13), (0o755, 13)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: data.url.path)
            let result = try await use()
            #expect(result.exitCode == exitCode, "\(result.stderr)")
            #expect(try await update("new").exitCode == (exitCode == 66 ? 1 : 0))
        }
    }

    /// Only root can give files to another user.
    @Test(.enabled(if: geteuid() == 0), arguments: Part.allCases)
    func refusesPartsOfAnotherUser(_ part: Part) async throws {
        #expect(try await update("old").exitCode == 0)
        let path = installed.appendingPathComponent(part.rawValue).resolvingSymlinksInPath().path
        #expect(chown(path, 54321, gid_t.max) == 0)
        let result = try await use()
        #expect(result.exitCode == 66)
        #expect(result.errorLines.count == 1 && result.stderr.contains("belongs to another user (uid 54321)"))
    }

    @Test func reportsAFolderThatCannotBeWritten() async throws {
        for (script, place) in [("", "/dev/null"), ("", "/proc/none"), ("ulimit -f 0;", data.url.path)] {
            let result = try await update("new", before: script, into: place)
            #expect(result.exitCode == 1)
            #expect(result.errorLines.count == 1 && result.stderr.contains("could not be installed in"))
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: installed.path).isEmpty,
            "no incomplete installation is left")
    }
}
