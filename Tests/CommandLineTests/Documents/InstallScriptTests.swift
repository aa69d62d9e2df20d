import Foundation
import TestSupport
import Testing

/// `Packaging/install.sh`, which `make install` runs.
struct InstallScriptTests {
    private static let programs = ["shcverify", "shcverify-fetch", "shcverify-scan"]

    /// Whoever can write the list of what is installed must not decide what root removes elsewhere.
    @Test(arguments: ["install", "uninstall"]) func removesNothingOutsideThePrefix(_ command: String) async throws {
        let folder = try TemporaryDirectory()
        let path = { (name: String) in folder.url.appendingPathComponent(name).path }
        for name in ["dist", "share", "prefix/share/shcverify", "prefix/bin"] {
            try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        }
        for program in Self.programs { try folder.write("x", to: "dist/\(program)") }
        let (victim, old) = (try folder.write("mine", to: "victim"), try folder.write("", to: "prefix/bin/old"))
        // A folder in the prefix may be a link to another place.
        try FileManager.default.createDirectory(atPath: path("outside"), withIntermediateDirectories: true)
        let linked = try folder.write("mine", to: "outside/file")
        try FileManager.default.createSymbolicLink(atPath: path("prefix/link"), withDestinationPath: path("outside"))
        let list = "../victim\n\(victim)\nbin/../../victim\nlink/file\nlink/\nbin/old\n"
        _ = try folder.write(list, to: "prefix/share/shcverify/installed")
        let result = try await Shcverify.run(
            [
                Paths.root.appendingPathComponent("Packaging/install.sh").path, command, path("prefix"), path("dist"),
                path("share"),
            ],
            executable: "/bin/sh")
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(FileManager.default.fileExists(atPath: victim))
        #expect(FileManager.default.fileExists(atPath: linked))
        #expect(!FileManager.default.fileExists(atPath: old), "a file of an earlier version is removed")
        guard command == "install" else { return }
        let listed = try String(contentsOfFile: path("prefix/share/shcverify/installed"), encoding: .utf8)
        #expect(!listed.contains("victim") && listed.contains("bin/shcverify\n"))
    }

    /// The units run the installed program, also if it is only staged, and go with it.
    @Test(arguments: ["/opt/health", "/opt/a b"]) func unitsNameTheFolderOfTheProgram(_ final: String) async throws {
        let folder = try TemporaryDirectory()
        let path = { (name: String) in folder.url.appendingPathComponent(name).path }
        try FileManager.default.createDirectory(atPath: path("share"), withIntermediateDirectories: true)
        for program in Self.programs { try folder.write("x", to: "dist/\(program)") }
        let script = { (arguments: [String]) in
            try await Shcverify.run(
                [Paths.root.appendingPathComponent("Packaging/install.sh").path] + arguments, executable: "/bin/sh")
        }
        let result = try await script(["install", path("stage"), path("dist"), path("share"), final])
        #expect(result.exitCode == 0, "\(result.stderr)")
        let unit = path("stage/lib/systemd/system/shcverify-update.service")
        if final.contains(" ") {
            #expect(result.stderr.contains("cannot name the folder"))
            #expect(!FileManager.default.fileExists(atPath: unit))
        } else {
            let words = try String(contentsOfFile: unit, encoding: .utf8)
            #expect(words.contains("/opt/health/bin/shcverify codes update --system"))
            #expect(!words.contains("/usr/bin/shcverify") && words.contains("\nStateDirectory=shcverify\n"))
            let timer = try String(
                contentsOfFile: path("stage/lib/systemd/system/shcverify-update.timer"), encoding: .utf8)
            #expect(timer.contains("\nPersistent=true\n"))
        }
        #expect(try await script(["uninstall", path("stage")]).exitCode == 0)
        #expect(!FileManager.default.fileExists(atPath: path("stage")))
    }

    /// The unit fails if a list could not be updated, and the others are updated all the same.
    @Test(arguments: ["", "directory", "gdhcn", "codes"]) func serviceUpdatesEveryList(but failing: String) async throws
    {
        let folder = try TemporaryDirectory()
        let path = { (name: String) in folder.url.appendingPathComponent(name).path }
        try FileManager.default.createDirectory(atPath: path("share"), withIntermediateDirectories: true)
        let program = """
            #!/bin/sh
            echo "$*" >> '\(path("log"))'
            case "\(failing) $*" in
                "directory directory update --system" | gdhcn*did.json* | "codes codes update"*) exit 20 ;;
            esac
            """
        for name in Self.programs { try folder.write(program, to: "dist/\(name)") }
        let script = Paths.root.appendingPathComponent("Packaging/install.sh").path
        let result = try await Shcverify.run(
            [script, "install", path("prefix"), path("dist"), path("share")], executable: "/bin/sh")
        #expect(result.exitCode == 0, "\(result.stderr)")
        let unit = try String(
            contentsOfFile: path("prefix/lib/systemd/system/shcverify-update.service"), encoding: .utf8)
        let commands = unit.replacing(/\\\n\s*/, with: "").split(separator: "\n").filter { $0.hasPrefix("ExecStart=") }
        // systemd would run no command after one that fails.
        #expect(commands.count == 1)
        let command = try #require(commands.first?.wholeMatch(of: /ExecStart=\/bin\/sh -c '([^']*)'/)?.1)
        let run = try await Shcverify.run(
            ["-c", String(command).replacing("$$", with: "$")],
            environment: [
                "GDHCN_OPTIONS": "--url https://who.example/did.json",
                "CODES_OPTIONS": "--url https://a.example/cvx.txt --force",
            ],
            executable: "/bin/sh")
        #expect(run.exitCode == (failing.isEmpty ? 0 : 20), "\(run.stderr)")
        let log = try String(contentsOfFile: path("log"), encoding: .utf8)
        #expect(
            log == """
                directory update --system
                directory update --system --url https://who.example/did.json
                codes update --system --url https://a.example/cvx.txt --force

                """)
    }
}
