import Foundation
import StrictJSON
import TestSupport
import Testing

/// `shcverify status`: what is installed, whether it works, and how old it is.
@Suite(.timeLimit(.minutes(10))) struct StatusTests {
    private let published: DirectoryTests.Published
    private let folder: TemporaryDirectory

    init() throws {
        published = try DirectoryTests.Published.shared.get()
        folder = try TemporaryDirectory()
    }

    private var user: String { folder.url.path + "/user" }
    private var system: String { folder.url.path + "/system" }
    private var cache: String { folder.url.path + "/cache" }
    private var environment: [String: String?] {
        ["XDG_DATA_HOME": user, "SHCVERIFY_SYSTEM_DIR": system, "XDG_CACHE_HOME": cache]
    }

    private func run(_ arguments: [String], executable: String = Shcverify.path) async throws -> Shcverify.Result {
        try await Shcverify.run(arguments, environment: environment, executable: executable)
    }

    private func status(_ options: String..., executable: String = Shcverify.path) async throws -> Shcverify.Result {
        try await run(["status"] + options, executable: executable)
    }

    private func installVCI(_ options: String...) async throws {
        let update = ["directory", "update", "--from", published.path] + published.certificate
        let result = try await run(update + options)
        #expect(result.exitCode == 0, "\(result.stderr)")
    }

    private func installCodes(of date: String = "2026/05/01", _ options: String...) async throws {
        let list = try folder.write(
            "308|COVID-19, new one|COVID-19, a new vaccine||Active|False|\(date)\r\n", to: "cvx.txt")
        let result = try await run(["codes", "update", "--from", list] + options)
        #expect(result.exitCode == 0, "\(result.stderr)")
    }

    /// Installs WHO's list, as it would be if that had been done this many days ago.
    private func installGDHCN(daysAgo days: Int) async throws {
        let list = Paths.vector("hcert/trust/gdhcn-v2.did.json")
        #expect(try await run(["directory", "update", "--from", list]).exitCode == 0)
        guard days > 0 else { return }
        let place = "\(user)/shcverify"
        let folder = try FileManager.default.destinationOfSymbolicLink(atPath: "\(place)/gdhcn")
        var parts = folder.split(separator: "-").map { String($0) }
        parts[1] = "\(try #require(Int(parts[1])) - days * 86_400)"
        let earlier = parts.joined(separator: "-")
        try FileManager.default.moveItem(atPath: "\(place)/\(folder)", toPath: "\(place)/\(earlier)")
        try FileManager.default.removeItem(atPath: "\(place)/gdhcn")
        try FileManager.default.createSymbolicLink(atPath: "\(place)/gdhcn", withDestinationPath: earlier)
    }

    /// The items of a name in JSON.
    private func items(
        _ name: String, _ options: String..., executable: String = Shcverify.path
    ) async throws -> [JSONValue] {
        let result = try await run(["status", "--format", "json"] + options, executable: executable)
        let document = try JSONDocument.parse(Array(result.stdout.utf8))
        #expect(document["schemaVersion"]?.number?.integer == 1)
        #expect(document["exitCode"]?.number?.integer == Int64(result.exitCode))
        return (document["items"]?.elements.map { Array($0) } ?? []).filter { $0["name"]?.words == name }
    }

    // MARK: What is installed

    @Test func listsWhatIsThereOneLineEach() async throws {
        let result = try await status()
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(result.stderr.isEmpty)
        let names = result.stdout.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(
            Set(names) == ["program", "clock", "openssl", "cage", "fetch", "scan", "codes", "vci", "gdhcn", "cache"])
        #expect(names.count { $0 == "vci" } == 2 && names.count { $0 == "gdhcn" } == 2)
        #expect(result.stdout.contains("codes     ok        built-in: CVX, "))
        #expect(!FileManager.default.fileExists(atPath: user), "nothing is made")
        #expect(!FileManager.default.fileExists(atPath: cache), "nothing is made")
        for item in try await items("vci") + items("gdhcn") {
            #expect(item["status"]?.words == "missing")
            #expect(item["date"]?.kind == .null && item["ageDays"]?.kind == .null)
        }
        #expect(try await items("fetch").first?["status"]?.words == "ok")
        let codes = try await items("codes")
        #expect(codes.prefix { $0["source"]?.words == "built-in" }.allSatisfy { $0["ageDays"]?.number != nil })
        #expect(codes.suffix(2).map { $0["status"]?.words } == ["missing", "missing"])
        #expect(codes.suffix(2).map { $0["source"]?.words } == ["user", "system"])
    }

    @Test func namesListsWithTheirDatesAndSources() async throws {
        try await installVCI("--system")
        try await installCodes()
        try await installGDHCN(daysAgo: 3)
        let vci = try await items("vci")
        #expect(vci.map { $0["source"]?.words } == ["user", "system"])
        #expect(vci.map { $0["status"]?.words } == ["missing", "ok"])
        #expect(vci.last?["date"]?.words == "2026-05-01T00:00:00Z")
        #expect(vci.last?["message"]?.words?.hasPrefix("1 issuer, ") == true)
        let codes = try #require(try await items("codes").first { $0["source"]?.words == "user" })
        #expect(codes["status"]?.words == "ok")
        #expect(codes["list"]?.words == "CVX")
        #expect(codes["date"]?.words == "2026-05-01")
        #expect(try #require(codes["ageDays"]?.number?.integer) > 0)
        let signers = try #require(try await items("gdhcn").first)
        #expect(signers["status"]?.words == "ok")
        #expect(signers["ageDays"]?.number?.integer == 3)
    }

    // MARK: Age

    @Test func anInstalledListOlderThanTheLimitIs20() async throws {
        #expect(try await status("--max-age", "0").exitCode == 0, "built-in lists are not installed")
        try await installCodes()
        let old = try await status("--max-age", "1")
        #expect(old.exitCode == 20)
        #expect(old.errorLines.count == 1, "\(old.stderr)")
        #expect(
            old.stderr.contains("codes: user: CVX, 1 code, of 2026-05-01") && old.stderr.contains("older than 1 day"))
        #expect(old.stdout.contains("codes     old       user: CVX"))
        #expect(try await status("--max-age", "36500").exitCode == 0)
        #expect(try await status().exitCode == 0)
    }

    @Test func theAgeOfADirectoryIsThatOfItsSnapshot() async throws {
        try await installVCI()
        #expect(try await status("--max-age", "36500").exitCode == 0)
        #expect(try await status("--max-age", "1.5").exitCode == 20)
        #expect(try await items("vci", "--max-age", "1").map { $0["status"]?.words } == ["old", "missing"])
    }

    @Test func theAgeOfWHOsListIsThatOfItsInstallation() async throws {
        try await installGDHCN(daysAgo: 3)
        #expect(try await status("--max-age", "4").exitCode == 0)
        #expect(try await status("--max-age", "2.5").exitCode == 20)
    }

    /// What is printed is what is compared.
    @Test func theLimitIsComparedWithTheDaysThatArePrinted() async throws {
        try await installGDHCN(daysAgo: 3)
        try await installCodes()
        for name in ["gdhcn", "codes"] {
            let item = try #require(try await items(name).first { $0["source"]?.words == "user" })
            let age = try #require(item["ageDays"]?.number?.integer)
            for (limit, expected) in [("\(age)", "ok"), ("\(age - 1)", "old"), ("\(age - 1).5", "old")] {
                let found = try await items(name, "--max-age", limit).first { $0["source"]?.words == "user" }
                #expect(found?["status"]?.words == expected, "\(name) \(limit)")
                #expect(found?["ageDays"]?.number?.integer == age)
            }
            let old = try await status("--max-age", "\(age - 1)")
            #expect(old.stderr.contains("(\(age) days old): older than \(age - 1) days"), "\(old.stderr)")
        }
    }

    /// Large files are not read, so that monitoring gets its answer in time.
    @Test func doesNotReadAllOfLargeFiles() async throws {
        try await installVCI()
        try await installGDHCN(daysAgo: 3)
        let place = "\(user)/shcverify"
        func append(_ size: Int, to file: String) throws {
            let handle = try #require(FileHandle(forWritingAtPath: "\(place)/\(file)"))
            defer { try? handle.close() }
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(repeating: 0x20, count: size))
        }
        try append(4 << 20, to: "vci/vci_snapshot.json")
        try append(3 << 20, to: "gdhcn/did.json")
        #expect(try await items("vci").first?["message"]?.words?.hasPrefix("1 issuer, ") == true)
        #expect(try await items("gdhcn").first?["message"]?.words?.contains(" signer") == true)
        try append(4 << 20, to: "vci/vci_snapshot.json")
        try append(1 << 20, to: "gdhcn/did.json")
        let vci = try #require(try await items("vci").first)
        #expect(vci["status"]?.words == "ok" && vci["date"]?.words == "2026-05-01T00:00:00Z")
        #expect(vci["message"]?.words == "in 8 MiB, which are not read here, as of 2026-05-01T00:00:00Z")
        let signers = try #require(try await items("gdhcn").first)
        #expect(signers["status"]?.words == "ok" && signers["ageDays"]?.number?.integer == 3)
        #expect(signers["message"]?.words?.hasPrefix("in 4 MiB, which are not read here, installed at ") == true)
        #expect(try await status("--require", "vci", "--require", "gdhcn", "--max-age", "36500").exitCode == 0)
    }

    @Test func ofTwoInstallationsTheOlderOneIsNamed() async throws {
        try await installCodes()
        try await installCodes(of: "2026/06/01", "--system")
        let messages = try await items("codes").filter { $0["source"]?.words != "built-in" }.map {
            $0["message"]?.words ?? ""
        }
        try #require(messages.count == 2)
        #expect(messages[0].hasSuffix("not used, since that of the system is newer"))
        #expect(!messages[1].contains("not used"))
    }

    /// Each list's own date decides which of two is used, and how old it is. A table without a date is as old as its installation, which
    /// makes no other table younger.
    @Test func datesOfTablesAreTheirOwn() async throws {
        let groups = try folder.write("spike|308|Active|COVID-19|213\r\n", to: "VG.txt")
        try await installCodes(of: "2026/06/01")
        try await installCodes(of: "2026/05/01", "--system")
        #expect(try await run(["codes", "update", "--system", "--from", groups]).exitCode == 0)
        #expect(try await status("--max-age", "30").exitCode == 20)
        let codes = try await items("codes", "--max-age", "1")
        let (own, system) = try (
            #require(codes.first { $0["source"]?.words == "user" }),
            #require(codes.first { $0["source"]?.words == "system" && $0["list"]?.words == "CVX" })
        )
        #expect(own["message"]?.words?.contains("not used") == false, "it is newer than that of the system")
        #expect(own["date"]?.words == "2026-06-01" && own["status"]?.words == "old")
        #expect(system["message"]?.words?.hasSuffix("; not used, since the user's own is newer") == true)
        #expect(system["date"]?.words == "2026-05-01" && system["status"]?.words == "old")
        #expect(try #require(system["ageDays"]?.number?.integer) > 30)
        let undated = try #require(codes.first { $0["list"]?.words == "CVX groups" })
        #expect(undated["status"]?.words == "ok" && (0...1).contains(undated["ageDays"]?.number?.integer ?? -1))
        // Which one is used is as `codes show` says.
        let shown = try await run(["codes", "show"])
        #expect(shown.stdout.contains("CVX\tof 2026-06-01") && !shown.stdout.contains("CVX\tof 2026-05-01"))
    }

    @Test func ofTwoEqualInstallationsTheUsersIsUsed() async throws {
        try await installCodes()
        try await installCodes(of: "2026/05/01", "--system")
        try await installVCI()
        try await installVCI("--system")
        for name in ["codes", "vci"] {
            let messages = try await items(name).filter { $0["source"]?.words != "built-in" }.map {
                $0["message"]?.words ?? ""
            }
            try #require(messages.count == 2)
            #expect(!messages[0].contains("not used"))
            #expect(messages[1].hasSuffix("; not used, since the user's own is as new"))
        }
    }

    // MARK: Requirements

    @Test(arguments: ["codes", "vci", "gdhcn"]) func aRequiredListThatIsMissingIs20(_ name: String) async throws {
        let missing = try await status("--require", name)
        #expect(missing.exitCode == 20)
        #expect(missing.errorLines.count == 1 && missing.stderr.contains("--require \(name): "), "\(missing.stderr)")
        switch name {
        case "codes": try await installCodes(of: "2026/05/01", "--system")
        case "vci": try await installVCI("--system")
        default: try await installGDHCN(daysAgo: 0)
        }
        if name == "gdhcn" {
            #expect(
                missing.stderr.contains(
                    "\"shcverify directory update --url https://tng-cdn.who.int/v2/trustlist/did.json\""))
        }
        let present = try await status("--require", name)
        #expect(present.exitCode == 0, "\(present.stderr)")
        let others = ["codes", "vci", "gdhcn"].filter { $0 != name }
        let both = try await status("--require", name, "--require", others[0], "--require", others[1])
        #expect(both.exitCode == 20 && both.errorLines.count == 2)
        let required = try await items(name, "--require", name).filter { $0["source"]?.words != "built-in" }
        #expect(required.allSatisfy { $0["required"]?.boolean == true })
    }

    @Test func whatOthersCouldHaveWrittenCountsAsMissing() async throws {
        try await installVCI("--system")
        try await installCodes(of: "2026/05/01", "--system")
        #expect(try await status("--require", "vci", "--require", "codes").exitCode == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: system)
        let result = try await status("--require", "vci", "--require", "codes")
        #expect(result.exitCode == 20)
        #expect(result.stdout.contains("other users may write to it"))
        #expect(try await items("vci").last?["status"]?.words == "unusable")
        #expect(try await items("codes").last?["status"]?.words == "unusable")
        #expect(try await status("--max-age", "1").exitCode == 0, "what is not used cannot be too old")
    }

    @Test func damagedListIsUnusable() async throws {
        try await installVCI()
        try Data("{".utf8).write(to: URL(fileURLWithPath: "\(user)/shcverify/vci/vci_snapshot.json"))
        #expect(try await items("vci").first?["status"]?.words == "unusable")
        #expect(try await status("--require", "vci").exitCode == 20)
        try FileManager.default.removeItem(atPath: "\(user)/shcverify/vci/vci_snapshot.json")
        #expect(try await items("vci").first?["status"]?.words == "unusable")
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: "\(user)/shcverify/vci")
        try FileManager.default.removeItem(atPath: "\(user)/shcverify/\(target)")
        #expect(try await items("vci").first?["status"]?.words == "unusable", "a link to nothing")
    }

    @Test(arguments: [
        ["--require", "cache"], ["--require", ""], ["--max-age", "-1"], ["--max-age", "x"], ["--max-age", "nan"],
        ["--cache", ""], ["file"], ["--format", "xml"],
    ]) func otherValuesAreUsageErrors(_ options: [String]) async throws {
        let result = try await run(["status"] + options)
        #expect(result.exitCode == 64)
        #expect(result.stdout.isEmpty)
    }

    // MARK: Helper programs

    /// The program in a folder of its own, with shell scripts in place of its helper programs.
    private func program(fetch: String?, scan: String?, permissions: Int = 0o755) throws -> String {
        let place = "\(folder.url.path)/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: Shcverify.path, toPath: "\(place)/shcverify")
        let name = (place as NSString).lastPathComponent
        for (program, script) in [("shcverify-fetch", fetch), ("shcverify-scan", scan)] {
            guard let script else { continue }
            try folder.write("#!/bin/sh\n\(script)\n", to: "\(name)/\(program)", permissions: permissions)
        }
        return "\(place)/shcverify"
    }

    /// Answers as shcverify-fetch and shcverify-scan do.
    private static let fetches = #"cat > /dev/null; echo '{"failure":"invalidURL","message":"no URL"}'"#
    private static let scans = #"cat > /dev/null; printf 'problem unsupported\nend\n'"#

    @Test func missingScannerIsNoFaultUnlessItIsRequired() async throws {
        let program = try program(fetch: Self.fetches, scan: nil)
        #expect(try await status(executable: program).exitCode == 0)
        #expect(try await items("scan", executable: program).first?["status"]?.words == "missing")
        let required = try await status("--require", "scan", "--require", "fetch", executable: program)
        #expect(required.exitCode == 20)
        #expect(required.errorLines.count == 1 && required.stderr.contains("--require scan: "), "\(required.stderr)")
    }

    /// The program that fetches belongs to every installation.
    @Test func missingFetchProgramIsAFault() async throws {
        let program = try program(fetch: nil, scan: Self.scans)
        #expect(try await status(executable: program).exitCode == 1)
        #expect(try await items("fetch", executable: program).first?["status"]?.words == "missing")
        let required = try await status("--require", "fetch", executable: program)
        #expect(required.exitCode == 20, "what --require names and is missing has one exit code")
        #expect(required.stderr.contains("--require fetch: "))
    }

    @Test(arguments: [
        "exit 0", "exit 64", "exit 127", "cat > /dev/null; echo hello", "kill -SEGV $$", "exec sleep 60",
        "while :; do echo; done", "cat", #"cat > /dev/null; echo '{"status":200,"headers":{},"bodyLength":0}'"#,
        "cat > /dev/null; echo end",
    ]) func helperThatDoesNotWorkIsAFault(_ script: String) async throws {
        let works = try program(fetch: Self.fetches, scan: Self.scans)
        #expect(try await status("--require", "scan", "--require", "fetch", executable: works).exitCode == 0)
        for name in ["fetch", "scan"] {
            let program = try program(
                fetch: name == "fetch" ? script : Self.fetches, scan: name == "scan" ? script : Self.scans)
            let result = try await status("--require", name, "--require", "vci", executable: program)
            #expect(result.exitCode == 1, "\(result.stdout)")
            #expect(result.stdout.contains("\(name)\(name == "scan" ? " " : "")     fault "), "\(result.stdout)")
            #expect(result.stderr.contains("shcverify: \(name): the program that "), "\(result.stderr)")
        }
    }

    @Test func helperThatCannotBeStartedIsAFault() async throws {
        let program = try program(fetch: Self.fetches, scan: Self.scans, permissions: 0o644)
        #expect(try await status(executable: program).exitCode == 1)
        for permissions in [0o777, 0o757] {
            let writable = try self.program(fetch: Self.fetches, scan: Self.scans, permissions: permissions)
            let result = try await status(executable: writable)
            #expect(result.exitCode == 1)
            #expect(result.stderr.contains("other users may write to it"), "\(result.stderr)")
        }
    }

    @Test func brokenOpenSSLIsAFault() async throws {
        let file = try folder.write("this is [ none\n", to: "openssl.cnf")
        let result = try await Shcverify.run(
            ["status"], environment: environment.merging(["OPENSSL_CONF": file]) { _, new in new })
        #expect(result.exitCode == 1)
        #expect(result.stdout.contains("openssl   fault     OpenSSL's configuration"))
    }

    // MARK: The cache

    @Test func saysWhetherTheCacheCanBeWritten() async throws {
        #expect(
            try await items("cache").first?["message"]?.words == "\(cache)/shcverify will be made when it is needed")
        let place = "\(cache)/shcverify"
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        #expect(try await items("cache").first?["message"]?.words == "\(place) can be written")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty, "nothing is left behind")
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: place)
        let unusable = try await items("cache")
        #expect(unusable.first?["status"]?.words == "unusable")
        #expect(unusable.first?["message"]?.words?.contains("other users may write to it") == true)
        #expect(try await items("cache", "--cache", "/dev/null").first?["status"]?.words == "unusable")
        #expect(try await items("cache", "--cache", "/dev/null/x").first?["status"]?.words == "unusable")
        let deep = "\(folder.url.path)/a/b/c"
        #expect(try await items("cache", "--cache", deep).first?["status"]?.words == "ok")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.url.path)/a"))
        // A cache saves time. Without one, everything works.
        #expect(try await status("--cache", "/dev/null").exitCode == 0)
    }

    @Test func worksWithoutAHome() async throws {
        let result = try await Shcverify.run(
            ["status"],
            environment: ["HOME": nil, "XDG_DATA_HOME": nil, "XDG_CACHE_HOME": nil, "SHCVERIFY_SYSTEM_DIR": system])
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(result.stdout.contains("cache     missing"))
    }
}
