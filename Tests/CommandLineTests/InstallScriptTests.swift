import Foundation
import TestSupport
import Testing

/// `Packaging/install.sh`, which `make install` runs.
struct InstallScriptTests {
    /// Whoever can write the list of what is installed must not decide what root removes elsewhere.
    @Test(arguments: ["install", "uninstall"]) func removesNothingOutsideThePrefix(_ command: String) async throws {
        let folder = try TemporaryDirectory()
        let path = { (name: String) in folder.url.appendingPathComponent(name).path }
        for name in ["dist", "share", "prefix/share/shcverify", "prefix/bin"] {
            try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        }
        for program in ["shcverify", "shcverify-fetch", "shcverify-scan"] {
            _ = try folder.write("x", to: "dist/\(program)")
        }
        let (victim, old) = (try folder.write("mine", to: "victim"), try folder.write("", to: "prefix/bin/old"))
        let list = "../victim\n\(victim)\nbin/../../victim\nbin/old\n"
        _ = try folder.write(list, to: "prefix/share/shcverify/installed")
        let result = try await Shcverify.run(
            [
                Paths.root.appendingPathComponent("Packaging/install.sh").path, command, path("prefix"), path("dist"),
                path("share"),
            ],
            executable: "/bin/sh")
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(FileManager.default.fileExists(atPath: victim))
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
        for program in ["shcverify", "shcverify-fetch", "shcverify-scan"] { try folder.write("x", to: "dist/\(program)") }
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
}
