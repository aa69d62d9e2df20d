import Encodings
import Foundation
import TestSupport
import Testing

/// `codes update` from a server, when it is killed, and at its limits. Tests/Sessions/codes.md has the rest.
@Suite(.timeLimit(.minutes(30))) struct CodesTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var data: String { folder.url.appendingPathComponent("data").path }
    private var system: String { folder.url.appendingPathComponent("system").path }

    private func run(_ arguments: [String]) async throws -> Shcverify.Result {
        try await Shcverify.run(arguments, environment: ["XDG_DATA_HOME": data, "SHCVERIFY_SYSTEM_DIR": system])
    }

    private func file(_ text: String) throws -> String { try folder.write(text, to: UUID().uuidString) }

    /// A row of CDC's cvx.txt.
    private static func cvx(_ code: Int, _ name: String) -> String {
        "\(code)       |\(name)|\(name)||Active|False|2026/10/01\r\n"
    }

    private static let newShot = cvx(399, "COVID-19, mRNA, of next year")
    private static let verify = [
        Paths.vector("cards/records/code-newer.jws"), "--jwks", Paths.vector("keys/issuer-a.jwks.json"), "--offline",
        "--at", "2026-06-01T00:00:00Z", "--record-type", "covid19",
    ]

    private func display(_ code: String) async throws -> String? {
        let result = try await run(["codes", "show", code, "--format", "json"])
        return try JSONDocument.parse(Array(result.stdout.utf8)).at("/codes/0/display")?.words
    }

    /// What is installed can be read again.
    @Test func moreListsThanCanBeReadAreRefused() async throws {
        let name = String(repeating: "\u{1F489}", count: 300)
        let list = { (id: Int) in
            let codes = (0..<12_800).map { #"{"code":"\#(id)-\#($0)","display":"\#(name)"}"# }
            return
                #"{"resourceType":"CodeSystem","url":"https://x.example/\#(id)","concept":[\#(codes.joined(separator: ","))]}"#
        }
        let files = try (0..<5).map { try folder.write(list($0), to: "\($0).json") }
        #expect(try await run(["codes", "update", "--from"] + files.dropLast()).exitCode == 0)
        let fifth = try await run(["codes", "update", "--from", files[4]])
        #expect(fifth.exitCode == 66)
        #expect(fifth.stderr.contains("4.json: with it, the installed lists would have more than 64 MiB"))
        let server = try TestIssuer.shared.get()
        let path = "/\(UUID().uuidString)"
        try server.serve(list(4), at: path)
        let fetched = try await run([
            "codes", "update", "--url", server.url(path), "--ca-file", server.authorityFile, "--allow-private-network",
            "--timeout", "600",
        ])
        #expect(fetched.exitCode == 20 && fetched.stderr.contains("64 MiB"), "\(fetched.stderr)")
        let status = try await run(["status"])
        let lines = status.stdout.split(separator: "\n").filter { $0.contains("ok        user: https://x.example/") }
        #expect(lines.count == 4 && lines.allSatisfy { $0.contains(" MiB, which are not read here") }, "\(lines)")
        let small = try await run(["codes", "update", "--from", file(Self.newShot)])
        #expect(small.exitCode == 0, "there is room for a small list")
    }

    @Test func aKilledUpdateLeavesTheOldListsOrTheNew() async throws {
        let list = { (mark: String) in (0..<5000).map { Self.cvx($0 + 1000, "\(mark) \($0)") }.joined() }
        #expect(try await run(["codes", "update", "--from", file(list("old"))]).exitCode == 0)
        let new = try file(list("new"))
        for delay in stride(from: 0, through: 60, by: 6) {
            let script =
                #""$@" >/dev/null 2>&1 & p=$!; sleep 0.0\#(delay < 10 ? "0" : "")\#(delay); kill -9 $p 2>/dev/null; wait $p; exit 0"#
            _ = try await Shcverify.run(
                ["-c", script, "sh", Shcverify.path, "codes", "update", "--from", new],
                environment: ["XDG_DATA_HOME": data, "SHCVERIFY_SYSTEM_DIR": system], executable: "/bin/bash")
            let names = try await [display("1000"), display("5999")]
            #expect(names == ["old 0", "old 4999"] || names == ["new 0", "new 4999"])
        }
        #expect(try await run(["codes", "update", "--from", new]).exitCode == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: data + "/shcverify").filter {
            $0.hasPrefix("codes-")
        }
        #expect(left.count <= 2)
    }

    @Test func updatesOverHTTPS() async throws {
        let server = try TestIssuer.shared.get()
        let path = "/\(UUID().uuidString)"
        try server.serve(Self.newShot, at: "\(path)/cvx.txt")
        try server.serve("<!DOCTYPE html><html></html>", at: "\(path)/page.txt")
        let options = ["--ca-file", server.authorityFile, "--allow-private-network", "--timeout", "600"]
        #expect(
            try await run(["codes", "update", "--url", server.url("\(path)/cvx.txt")]).exitCode == 20,
            "private addresses are refused")
        let page = try await run(["codes", "update", "--url", server.url("\(path)/page.txt")] + options)
        #expect(page.exitCode == 20)
        #expect(page.stderr.contains("HTML"))
        let missing = try await run(["codes", "update", "--url", server.url("\(path)/none.txt")] + options)
        #expect(missing.exitCode == 20)
        #expect(missing.stderr.contains("404"))
        let both = try await run(
            ["codes", "update", "--url", server.url("\(path)/cvx.txt"), server.url("\(path)/none.txt")] + options)
        #expect(both.exitCode == 20)
        #expect(try await run(Self.verify).exitCode == 26)
        // Nobody can tell whether this is the whole list.
        let unmeasured = try await run(
            ["codes", "update", "--url", server.url("/unmeasured\(path)/cvx.txt")] + options)
        #expect(unmeasured.exitCode == 0 && unmeasured.errorLines.count == 1)
        #expect(unmeasured.stderr.contains("nobody can tell whether its end is missing"), "\(unmeasured.stderr)")
        #expect(
            try server.requests(for: path).allSatisfy {
                $0.headers["Accept"] == "text/plain, application/json;q=0.9, */*;q=0.8"
            })
        let updated = try await run(["codes", "update", "--url", server.url("\(path)/cvx.txt")] + options)
        #expect(updated.exitCode == 0 && updated.stderr.isEmpty, "\(updated.stderr)")
        #expect(try await run(Self.verify).exitCode == 0)
    }
}

/// The age of the lists in a release.
struct ListAgeTests {
    /// Lists of which there will be no newer edition, with the reason.
    private static let final: [String: String] = [
        "EU value sets": "the EU's network for certificates has ended; its last release is in",
        "CVX trade names": "only names; the newest public copy is in, and \"codes update\" gets CDC's own",
        "MVX": "only names; the newest public copy is in, and \"codes update\" gets CDC's own",
        "COVID-19 vaccines and tests":
            "SNOMED CT, ICD-11 and LOINC; the project that lists their codes has published nothing newer",
    ]

    @Test func noBuiltInListIsMuchOlderThanTheRelease() async throws {
        let changes = String(
            decoding: try Paths.bytes(Paths.root.appendingPathComponent("CHANGELOG.md").path), as: UTF8.self)
        let release = try #require(changes.firstMatch(of: /(?m)^## .*?(\d{4})-(\d\d)-(\d\d)/))
        let released = try #require(Int(release.1)) * 12 + #require(Int(release.2))
        let result = try await Shcverify.run(["codes", "show", "--format", "json"])
        for list in try #require(JSONDocument.parse(Array(result.stdout.utf8))["lists"]?.elements) {
            let name = try #require(list["name"]?.words)
            guard Self.final[name] == nil else { continue }
            let date = try #require(list["date"]?.words).split(separator: "-").compactMap { Int($0) }
            #expect(
                released - (date[0] * 12 + date[1]) <= 18, "\(name) is too old: get a newer one, and run make codes")
        }
    }
}
