import Foundation
import TestSupport
import Testing

/// What goes wrong while a directory is installed, and who would like it to.
@Suite(.timeLimit(.minutes(10))) struct DirectoryFaultTests {
    private let data: TemporaryDirectory
    private let signer: TemporaryDirectory

    /// Snapshots of three moments by one signer, the last of which has not come yet.
    init() throws {
        data = try TemporaryDirectory()
        signer = try TemporaryDirectory()
        for (name, time) in [
            ("old", "2026-04-01T00:00:00Z"), ("new", "2026-05-01T00:00:00Z"), ("future", "2999-01-01T00:00:00Z"),
        ] {
            try signer.write(
                #"{"directory":"https://directory.example","time":"\#(time)","issuerInfo":[]}"#, to: "\(name).json")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-B", Paths.root.appendingPathComponent("Tests/TestSupport/sign_snapshot.py").path, signer.url.path,
        ]
        try process.run()
        process.waitUntilExit()
        for name in ["old", "new", "future"] {
            try signer.write(#"{"participating_issuers":[]}"#, to: "\(name)/vci-issuers.json")
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

    @Test func damagedInstallationHoldsBackAnOlderOne() async throws {
        #expect(try await update("new").exitCode == 0)
        try Data("{".utf8).write(to: installed.appendingPathComponent("vci/vci_snapshot.json"))
        let older = try await update("old")
        #expect(older.exitCode == 10)
        #expect(older.stderr.contains("older than the installed one"))
        #expect(try await update("new").exitCode == 0, "it is mended by the same one")
    }

    @Test func snapshotFromTheFutureIsRefusedAndHoldsNothingBack() async throws {
        let early = try await update("future")
        #expect(early.exitCode == 10)
        #expect(early.stderr.contains("clock has not reached"))
        // Installed while the clock was wrong.
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
        // The link, what it leads to, and the installation before that.
        let names = try FileManager.default.contentsOfDirectory(atPath: installed.path)
        #expect(names.count <= 3, "\(names)")
    }

    @Test func placeThatCannotBeWrittenIsSaidToBeSo() async throws {
        for (script, place) in [("", "/dev/null"), ("", "/proc/none"), ("ulimit -f 0;", data.url.path)] {
            let result = try await update("new", before: script, into: place)
            #expect(result.exitCode == 1)
            #expect(result.errorLines.count == 1 && result.stderr.contains("could not be installed in"))
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: installed.path).isEmpty, "nothing half done is left")
    }
}
