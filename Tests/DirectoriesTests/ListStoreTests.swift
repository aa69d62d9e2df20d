import Credentials
import Directories
import Encodings
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Lists are installed as a whole, and what others could have written is not read.
@Suite struct ListStoreTests {
    private let made: MadePlaces
    private let store: ListStore

    init() throws {
        made = try MadePlaces()
        store = try made.user
    }

    private static let snapshot = Array(#"{"time":"2026-05-01T00:00:00.5Z","issuerInfo":[]}"#.utf8)

    private func install(_ text: String, at time: String = "2026-05-01T00:00:00Z") throws {
        try made.install(
            [(.issuers, Array(text.utf8)), (.snapshot, Self.snapshot)], as: .vci, in: store, at: time)
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: store.parent) }

    private func failure(_ body: () throws(DirectoryFolder.Failure) -> Void) throws -> DirectoryFolder.Failure {
        do throws(DirectoryFolder.Failure) {
            try body()
        } catch {
            return error
        }
        Issue.record("there is no failure")
        throw CancellationError()
    }

    @Test func nothingIsInstalledAtFirst() throws {
        #expect(!store.isInstalled(.vci) && !store.mayHave(.vci))
        #expect(store.time(of: .vci) == nil && store.statedTime(of: .vci) == nil)
        let failure = try failure { () throws(DirectoryFolder.Failure) in _ = try store.installed(.vci) }
        #expect(failure.error == .noSuchFileOrDirectory && failure.isLasting && !failure.isUnsafe)
    }

    @Test func installedFilesAreRead() throws {
        try install("first")
        let folder = try store.installed(.vci)
        #expect(try folder.read(.issuers) == Array("first".utf8))
        #expect(try folder.read(.issuers, limit: 2).count == 3, "one byte more than the limit")
        #expect(try folder.size(of: .issuers) == 5)
        #expect(store.isInstalled(.vci) && store.mayHave(.vci))
        #expect(!store.isInstalled(.gdhcn))
    }

    /// A reader that has opened the folder before an update still sees the files that belong together.
    @Test func aReaderKeepsTheFolderThatItHasOpened() throws {
        try install("first")
        let folder = try store.installed(.vci)
        try install("second")
        #expect(try folder.read(.issuers) == Array("first".utf8))
        #expect(try store.installed(.vci).read(.issuers) == Array("second".utf8))
        try install("third")
        #expect(try names().filter { $0.hasPrefix("vci-") }.count == 2, "the new installation and the one before it")
    }

    @Test func theNameOfTheFolderStatesTheTime() throws {
        let time = "2026-05-01T00:00:00Z"
        try install("first", at: time)
        #expect(store.statedTime(of: .vci) == (try MadePlaces.time(time)))
        // The snapshot's own time has fractions.
        #expect(store.time(of: .vci) == NumericDate(text: "2026-05-01T00:00:00.5Z"))
        try made.install(hasKeys: true, in: store, at: time)
        #expect(store.statedTime(of: .gdhcn) == (try MadePlaces.time(time)))
        #expect(try made.folder(of: .gdhcn, in: store).contains("/gdhcn-verified-"))
    }

    /// An installation with a damaged snapshot still blocks older ones.
    @Test func aDamagedSnapshotHasTheTimeOfItsName() throws {
        try install("first")
        try Data("{".utf8).write(to: URL(fileURLWithPath: "\(store.parent)/vci/vci_snapshot.json"))
        #expect(store.time(of: .vci) == (try MadePlaces.time("2026-05-01T00:00:00Z")))
    }

    /// A folder that was restored from a backup is no link.
    @Test func aRealFolderIsReplaced() throws {
        try FileManager.default.createDirectory(
            atPath: "\(store.parent)/vci", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let path = try made.folder.write(
            String(decoding: Self.snapshot, as: UTF8.self), to: "user/vci/vci_snapshot.json")
        #expect(store.statedTime(of: .vci) == nil && store.time(of: .vci) != nil)
        try install("new")
        #expect(try store.installed(.vci).read(.issuers) == Array("new".utf8))
        #expect(path.hasPrefix(store.parent) && store.statedTime(of: .vci) != nil)
    }

    @Test(arguments: ["vci", "vci/vci-issuers.json", "."]) func whatOthersMayWriteToIsRefused(_ name: String) throws {
        try install("first")
        let path = URL(fileURLWithPath: "\(store.parent)/\(name)").resolvingSymlinksInPath().path
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
        let failure = try failure { () throws(DirectoryFolder.Failure) in _ = try store.installed(.vci) }
        #expect(failure.isUnsafe && failure.reason.contains("other users may write to it"), "\(failure)")
        #expect(store.mayHave(.vci))
    }

    @Test func nothingIsInstalledWhereOthersMayWrite() throws {
        try install("first")
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: store.parent)
        #expect(throws: InstallationFailure.unwritable("other users may write to it (mode 777)")) {
            try install("second")
        }
    }

    @Test func saysWhyNothingCanBeInstalled() throws {
        try made.folder.write("a file", to: "user")
        #expect(throws: InstallationFailure.unwritable("Not a directory")) { try install("first") }
        try made.folder.write("x", to: "system/.update-lock/x")
        do {
            try made.install(hasKeys: true, in: made.system, at: "2026-05-01T00:00:00Z")
            Issue.record("the list is installed")
        } catch InstallationFailure.unwritable(let problem) {
            #expect(problem.hasPrefix("its lock \(made.system.parent)/.update-lock cannot be used: "))
        }
    }

    /// What is installed does not change while a list is compared with it, and a list that is refused leaves everything as it was.
    @Test func comparesAndInstallsUnderOneLock() throws {
        struct Refusal: Error {}
        try install("first")
        let installed = try made.folder(of: .vci, in: store)
        #expect(throws: Refusal.self) {
            try store.install(as: .vci, time: .now) {
                #expect((try? names())?.contains(".update-lock") == true)
                throw Refusal()
            }
        }
        #expect(try made.folder(of: .vci, in: store) == installed)
        #expect(try !names().contains(".update-lock"))
        try install("second")
    }

    /// If a file cannot be written, the installed list stays, and no part of the new one.
    @Test func anInstallationThatFailsChangesNothing() throws {
        try install("first")
        let before = try names().sorted()
        let parts: [(DirectoryFolder.Part, [UInt8])] = [(.issuers, [1]), (.issuers, [2])]
        #expect(throws: InstallationFailure.self) {
            try made.install(parts, as: .vci, in: store, at: "2026-06-01T00:00:00Z")
        }
        #expect(try names().sorted() == before)
        #expect(try store.installed(.vci).read(.issuers) == Array("first".utf8))
    }

    // MARK: Folders of other kinds

    /// A clone of the directory's repository has the snapshot in `logs`.
    @Test func aCloneOfTheRepositoryIsRead() throws {
        try made.folder.write("issuers", to: "clone/vci-issuers.json")
        try made.folder.write("snapshot", to: "clone/logs/vci_snapshot.json")
        let folder = try DirectoryFolder(made.folder.url.path + "/clone")
        #expect(try folder.read(.issuers) == Array("issuers".utf8))
        #expect(try folder.read(.snapshot) == Array("snapshot".utf8))
        #expect(folder.path(of: .snapshot).hasSuffix("/clone/logs/vci_snapshot.json"))
        #expect(DirectoryFolder.hasList(folder.path) && DirectoryFolder.isFolder(folder.path))
        #expect(!DirectoryFolder.isFolder(folder.path(of: .issuers)))
    }

    /// Opening a named pipe must not wait for a writer.
    @Test func aPipeInAnInstallationIsNoFile() throws {
        try install("first")
        let path = "\(store.parent)/vci/vci_snapshot.json"
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(try store.installed(.vci).read(.snapshot).isEmpty)
    }
}
