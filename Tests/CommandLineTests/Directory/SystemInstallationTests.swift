import Encodings
import Foundation
import TestSupport
import Testing

/// Lists that are installed for all users of a machine (`--system`), as other users see them.
@Suite(.timeLimit(.minutes(30))) struct SystemInstallationTests {
    /// A folder that everybody may read: the program, what is published, and the places of installation.
    private let folder: TemporaryDirectory
    private var path: String { folder.url.path }
    private var system: String { "\(path)/system" }
    /// The data folder of the other user.
    private var user: String { "\(path)/user" }

    private static let otherUser = 65534
    private static let canBecomeAnother =
        geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
    private static let absence: Comment = "only root can become another user (setpriv)"

    init() throws {
        folder = try TemporaryDirectory()
        let published = try DirectoryTests.Published.shared.get().directory.url.path
        for (name, file) in [
            ("vci_snapshot.json", "new/vci_snapshot.json"), ("vci_snapshot.sig", "new/vci_snapshot.sig"),
            ("older.json", "old/vci_snapshot.json"), ("older.sig", "old/vci_snapshot.sig"),
            ("vci-issuers.json", "new/vci-issuers.json"), ("vci-issuers.json", "old/vci-issuers.json"),
            ("signer.pem", "signer.pem"),
        ] {
            let content = try Data(contentsOf: URL(fileURLWithPath: "\(published)/\(name)"))
            try folder.write("", to: file)
            try content.write(to: folder.url.appendingPathComponent(file))
        }
        try FileManager.default.copyItem(atPath: Shcverify.path, toPath: "\(path)/shcverify")
        try FileManager.default.createDirectory(atPath: user, withIntermediateDirectories: false)
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) + ["."] {
            let isData = name.contains(".json") || name.contains(".sig") || name.contains(".pem")
            try FileManager.default.setAttributes(
                [.posixPermissions: isData ? 0o644 : 0o755], ofItemAtPath: "\(path)/\(name)")
        }
        if geteuid() == 0 { chown(user, uid_t(Self.otherUser), gid_t(Self.otherUser)) }
    }

    private func run(_ arguments: [String], as user: Int? = nil, umask: String = "022") async throws
        -> Shcverify.Result
    {
        let change = user.map { ["/usr/bin/setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? []
        let command =
            ["-c", #"umask "$1"; shift; exec "$@""#, "sh", umask] + change + ["\(path)/shcverify"] + arguments
        return try await Shcverify.run(
            command, stdin: Paths.bytes(DirectoryTests.card),
            environment: [
                "XDG_DATA_HOME": user == nil ? "\(path)/mine" : self.user, "SHCVERIFY_SYSTEM_DIR": system,
                "XDG_CACHE_HOME": "/dev/null",
            ], executable: "/bin/sh")
    }

    private func update(_ name: String, as user: Int? = nil, umask: String = "022") async throws {
        let update = ["directory", "update", "--from", "\(path)/\(name)", "--certificate", "\(path)/signer.pem"]
        let result = try await run(update + (user == nil ? ["--system"] : []), as: user, umask: umask)
        #expect(result.exitCode == 0, "\(result.stderr)")
    }

    private func verify(_ options: String...) async throws -> Shcverify.Result {
        try await run(
            ["-", "--directory", "vci", "--offline", "--at", "2026-06-01T00:00:00Z"] + options, as: Self.otherUser)
    }

    /// When the keys of the directory in use were retrieved. The older directory has those of April, the newer one those of May.
    private func retrieved() async throws -> String? {
        let result = try await verify("--format", "json")
        #expect(result.exitCode == 0, "\(result.stderr)")
        return try JSONDocument.parse(Array(result.stdout.utf8)).at("/cards/0/key/retrieved")?.words
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// A service may run with any umask.
    @Test(arguments: ["077", "000"]) func everybodyCanReadWhatIsInstalledAndNobodyElseCanWriteIt(
        _ umask: String
    ) async throws {
        try await update("new", umask: umask)
        let list = try folder.write("308|COVID-19, one|COVID-19, one||Active|False|2026/05/01\n", to: "cvx.txt")
        let codes = try await run(["codes", "update", "--system", "--from", list], umask: umask)
        #expect(codes.exitCode == 0, "\(codes.stderr)")
        #expect(try Self.mode(system) == 0o755)
        for name in ["vci", "codes"] {
            let folder = try FileManager.default.destinationOfSymbolicLink(atPath: "\(system)/\(name)")
            #expect(try Self.mode("\(system)/\(folder)") == 0o755)
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(system)/\(folder)")
            #expect(!files.isEmpty)
            for file in files { #expect(try Self.mode("\(system)/\(folder)/\(file)") == 0o644, "\(file)") }
        }
        guard Self.canBecomeAnother else { return }
        #expect(try await verify("-q").exitCode == 0)
        let shown = try await run(["codes", "show", "308"], as: Self.otherUser)
        #expect(shown.stdout.contains("COVID-19, one"), "\(shown.stderr)")
        // The folders above it are made as well.
        let deep = try await Shcverify.run(
            [
                "-c", #"umask 077; exec "$@""#, "sh", "\(path)/shcverify", "codes", "update", "--system", "--from",
                list,
            ], environment: ["SHCVERIFY_SYSTEM_DIR": "\(path)/a/b"], executable: "/bin/sh")
        #expect(deep.exitCode == 0)
        #expect(try Self.mode("\(path)/a") == 0o755)
    }

    /// A user who forgets sudo is told so, whatever prevents the writing.
    @Test(.enabled(if: canBecomeAnother, absence)) func onlyRootInstallsForAll() async throws {
        let list = try folder.write("308|COVID-19, one|COVID-19, one||Active|False|2026/05/01\n", to: "cvx.txt")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: list)
        let codes = ["codes", "update", "--system", "--from", list]
        let directory = [
            "directory", "update", "--system", "--from", "\(path)/new", "--certificate", "\(path)/signer.pem",
        ]
        let words = "\(system): only root may write there: run it with sudo, or leave --system out"
        for isThere in [false, true] {
            if isThere { #expect(try await run(codes).exitCode == 0) }
            for command in [codes, directory] {
                let result = try await run(command, as: Self.otherUser)
                #expect(result.exitCode == 1 && result.errorLines.count == 1)
                #expect(result.stderr.contains(words), "\(result.stderr)")
            }
        }
        // The lock of an update that is running belongs to root.
        try Data().write(to: URL(fileURLWithPath: "\(system)/.update-lock"))
        #expect(chmod("\(system)/.update-lock", 0o600) == 0)
        let locked = try await run(codes, as: Self.otherUser)
        #expect(locked.exitCode == 1 && locked.stderr.contains(words), "\(locked.stderr)")
    }

    /// An installation of a user's own is as private as the umask says.
    @Test(.enabled(if: canBecomeAnother, absence)) func usersOwnInstallationFollowsTheUmask() async throws {
        try await update("new", as: Self.otherUser, umask: "077")
        #expect(try Self.mode("\(user)/shcverify") == 0o700)
        #expect(try Self.mode("\(user)/shcverify/vci/vci_snapshot.json") == 0o600)
    }

    @Test(.enabled(if: canBecomeAnother, absence)) func anotherUserVerifiesWithTheSystemsInstallation() async throws {
        let none = try await verify("-q")
        #expect(none.exitCode == 66)
        try await update("new")
        #expect(try await retrieved() == "2026-05-01T00:00:00Z")
        let shown = try await run(["directory", "show"], as: Self.otherUser)
        #expect(shown.exitCode == 0 && shown.stdout.contains("Example Issuer A"))
        let status = try await run(["status", "--require", "vci"], as: Self.otherUser)
        #expect(status.stdout.contains("vci       ok        system: 1 issuer,"), "\(status.stdout)")
        #expect(!status.stderr.contains("--require vci"))
    }

    @Test(.enabled(if: canBecomeAnother, absence), arguments: [true, false])
    func theNewerOfTwoInstallationsIsUsed(_ isSystemNewer: Bool) async throws {
        try await update(isSystemNewer ? "new" : "old")
        try await update(isSystemNewer ? "old" : "new", as: Self.otherUser)
        #expect(try await retrieved() == "2026-05-01T00:00:00Z")
        let result = try await verify("-q")
        #expect(result.stderr.isEmpty)
        // The other one is used if that is gone.
        try FileManager.default.removeItem(atPath: isSystemNewer ? system : "\(user)/shcverify")
        #expect(try await retrieved() == "2026-04-01T00:00:00Z")
    }

    /// How somebody else could have written what the system has.
    enum Weakness: CaseIterable {
        case folder, installation, file, place, owner
    }

    @Test(.enabled(if: canBecomeAnother, absence), arguments: Weakness.allCases)
    func whatOthersCouldHaveWrittenIsNotUsed(_ weakness: Weakness) async throws {
        try await update("new")
        let weaken = { (place: String, mode: Int) in
            let resolved = URL(fileURLWithPath: place).resolvingSymlinksInPath().path
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: resolved)
        }
        switch weakness {
        case .folder: try weaken(system, 0o777)
        case .installation: try weaken("\(system)/vci", 0o775)
        case .file: try weaken("\(system)/vci/vci_snapshot.json", 0o666)
        case .place: try weaken(path, 0o777)
        case .owner: #expect(chown(system, 12345, 12345) == 0)
        }
        let refused = try await verify("-q")
        #expect(refused.exitCode == 66)
        #expect(refused.errorLines.count == 1 && refused.stderr.contains("cannot be relied on"), "\(refused.stderr)")
        let status = try await run(["status", "--require", "vci"], as: Self.otherUser)
        #expect(status.stdout.contains("vci       unusable  system: "))
        #expect(status.stderr.contains("vci unusable: "))
        guard weakness != .place else { return }
        // With one of the user's own, the card is judged by that, and the other one is named.
        try await update("old", as: Self.otherUser)
        #expect(try await retrieved() == "2026-04-01T00:00:00Z")
        let own = try await verify("-q")
        #expect(own.exitCode == 0)
        #expect(own.errorLines.count == 1 && own.stderr.contains("cannot be relied on, and is left out"))
    }

    /// Only root can give files to another user.
    @Test(
        .enabled(if: canBecomeAnother, absence),
        arguments: ["", "vci/", "vci/vci-issuers.json", "vci/vci_snapshot.json"])
    func whatBelongsToAnotherUserIsNotUsed(_ part: String) async throws {
        try await update("old", as: Self.otherUser)
        #expect(try await verify("-q").exitCode == 0)
        let path = URL(fileURLWithPath: "\(user)/shcverify/\(part)").resolvingSymlinksInPath().path
        #expect(chown(path, 54321, gid_t.max) == 0)
        let result = try await verify("-q")
        #expect(result.exitCode == 66)
        #expect(result.errorLines.count == 1 && result.stderr.contains("belongs to another user (uid 54321)"))
    }

    /// A relative path would mean another folder in each working directory.
    @Test func theVariableNamesTheSystemsFolder() async throws {
        try await update("new")
        let show = { (place: String) in
            try await Shcverify.run(
                ["directory", "show"], environment: ["XDG_DATA_HOME": "/nonexistent", "SHCVERIFY_SYSTEM_DIR": place])
        }
        #expect(try await show(system).exitCode == 0)
        #expect(try await show("\(path)/elsewhere").exitCode == 66)
        let relative = try await Shcverify.run(
            ["-c", #"cd "$1" && SHCVERIFY_SYSTEM_DIR=system exec "$2" status"#, "sh", path, Shcverify.path],
            environment: ["XDG_DATA_HOME": "/nonexistent"], executable: "/bin/sh")
        #expect(relative.stdout.contains("vci       absent") && !relative.stdout.contains("1 issuer,"))
    }
}
