import Foundation
import TestSupport
import Testing

/// Files that decide which cards pass, and to which other users may write.
@Suite(.timeLimit(.minutes(5))) struct GivenFileTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.url.path }
    private static let card = Paths.vector("cards/valid/birth-year.jws")

    init() throws {
        folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: path + "/etc", withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            atPath: Paths.vector("keys/issuer-a.jwks.json"), toPath: "\(path)/etc/keys.json")
        try folder.write(#"{"participating_issuers": []}"#, to: "etc/list.json")
        for name in ["etc/keys.json", "etc/list.json"] { try change(name, 0o644) }
        try change("etc", 0o755)
    }

    private func change(_ name: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(name)")
    }

    private func verify(_ options: [String], requiring: Bool = false, stdin: [UInt8] = []) async throws
        -> Shcverify.Result
    {
        let trust = requiring ? ["--require-trusted"] : []
        return try await Shcverify.run(
            [Self.card, "--offline", "-q", "--at", "2026-06-01T00:00:00Z"] + options + trust, stdin: stdin)
    }

    private func expectRefusal(_ option: String, _ file: String, _ words: String, others: [String] = []) async throws {
        let warned = try await verify(others + [option, file])
        #expect(warned.exitCode == 0, "\(warned.stderr)")
        #expect(
            warned.errorLines == [
                "shcverify: warning: \(option) \(file): \(words), so not only you and root decide which cards pass"
            ], "\(warned.errorLines)")
        let refused = try await verify(others + [option, file], requiring: true)
        #expect(refused.exitCode == 66)
        #expect(
            refused.errorLines.count == 1
                && refused.stderr.hasPrefix("shcverify: \(option) \(file): cannot be relied on: \(words). "),
            "\(refused.stderr)")
        let byEnvironment = try await Shcverify.run(
            [Self.card, "-q", "--offline"] + others + [option, file], environment: ["SHCVERIFY_REQUIRE_TRUSTED": "1"])
        #expect(byEnvironment.exitCode == 66)
    }

    private var keys: String { "\(path)/etc/keys.json" }

    @Test func fileOfThisUserIsAccepted() async throws {
        for isRequired in [false, true] {
            let result = try await verify(["--jwks", keys], requiring: isRequired)
            #expect(result.exitCode == 0 && result.stderr.isEmpty, "\(result.stderr)")
        }
    }

    @Test(arguments: [0o666, 0o646, 0o602])
    func fileThatOthersMayWriteIsNamed(mode: Int) async throws {
        try change("etc/keys.json", mode)
        try await expectRefusal("--jwks", keys, "other users may write to it (mode \(String(mode, radix: 8)))")
    }

    @Test func listThatOthersMayWriteIsNamed() async throws {
        try change("etc/list.json", 0o666)
        try await expectRefusal(
            "--directory", "\(path)/etc/list.json", "other users may write to it (mode 666)",
            others: ["--jwks", "https://issuer-a.example/cards=\(keys)", "--trust", "https://issuer-a.example/cards"])
    }

    @Test func folderThatOthersMayWriteIsNamed() async throws {
        try change("etc", 0o777)
        try await expectRefusal("--jwks", keys, "\(path)/etc: other users may write to it (mode 777)")
        // In a folder with the sticky bit, as /tmp, nobody can replace another user's file.
        try change("etc", 0o1777)
        let result = try await verify(["--jwks", keys], requiring: true)
        #expect(result.exitCode == 0 && result.stderr.isEmpty, "\(result.stderr)")
    }

    @Test func linksAreFollowedToTheFile() async throws {
        try FileManager.default.createDirectory(atPath: path + "/links", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: path + "/links/keys.json", withDestinationPath: "../etc/keys.json")
        let link = path + "/links/keys.json"
        #expect(try await verify(["--jwks", link], requiring: true).exitCode == 0)
        try change("links", 0o777)
        try await expectRefusal("--jwks", link, "\(path)/links: other users may write to it (mode 777)")
        try change("links", 0o755)
        try change("etc/keys.json", 0o666)
        try await expectRefusal("--jwks", link, "other users may write to it (mode 666)")
    }

    /// What is piped into the program is no file to which others write.
    @Test func pipesAreAccepted() async throws {
        let keySet = try Array(Data(contentsOf: URL(fileURLWithPath: keys)))
        for name in ["-", "/dev/stdin", "/dev/fd/0"] {
            let result = try await verify(["--jwks", name], requiring: true, stdin: keySet)
            #expect(result.exitCode == 0 && result.stderr.isEmpty, "\(name): \(result.stderr)")
        }
        let script =
            #"mkfifo -m 666 "$D/pipe"; cat "$D/etc/keys.json" > "$D/pipe" & chmod 666 "$D/etc/keys.json"; "#
            + #""$S" "$C" --offline -q --require-trusted --jwks "$D/pipe" && "#
            + #""$S" "$C" --offline -q --require-trusted --jwks /dev/stdin < "$D/etc/keys.json""#
        let result = try await Shcverify.run(
            ["-c", script], environment: ["S": Shcverify.path, "D": path, "C": Self.card], executable: "/bin/sh")
        #expect(result.exitCode == 0 && result.stderr.isEmpty, "\(result.stderr)")
    }

    /// Only what a process has opened already is its own. Other links below /proc lead to files, as all links do.
    @Test func otherLinksBelowProcAreFollowed() async throws {
        let roads = [
            "/proc/self/root\(keys)", "/proc/thread-self/root\(keys)", "/proc/self/task/../root\(keys)",
            "/dev/fd/../root\(keys)", "/proc/self/root/proc/self/root\(keys)",
        ]
        for road in roads {
            let result = try await verify(["--jwks", road], requiring: true)
            #expect(result.exitCode == 0 && result.stderr.isEmpty, "\(result.stderr)")
        }
        try change("etc/keys.json", 0o666)
        for road in roads { try await expectRefusal("--jwks", road, "other users may write to it (mode 666)") }
        // By the folder in which the program runs, and by a folder that is open.
        for (road, isRefused) in [
            ("/proc/self/cwd/keys.json", true), ("/dev/fd/../cwd/keys.json", true), ("/proc/self/fd/7/keys.json", true),
            ("/dev/fd/8", false), ("/proc/thread-self/fd/8", false), ("/proc/self/fd/../fd/8", false),
        ] {
            let script = #"cd "$D/etc" && exec "$S" "$C" --offline -q --require-trusted --jwks "$J" 7< . 8< keys.json"#
            let result = try await Shcverify.run(
                ["-c", script], environment: ["S": Shcverify.path, "D": path, "C": Self.card, "J": road],
                executable: "/bin/sh")
            #expect(result.exitCode == (isRefused ? 66 : 0), "\(road): \(result.stderr)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func fileOfAnotherUserIsNamed() async throws {
        #expect(chown(keys, 65534, 65534) == 0)
        try await expectRefusal("--jwks", keys, "it belongs to another user (uid 65534)")
    }
}
