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
}
