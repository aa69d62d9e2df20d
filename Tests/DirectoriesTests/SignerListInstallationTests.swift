import Credentials
import Directories
import Encodings
import Foundation
import HealthCertificates
import TestSupport
import Testing

/// Which copies of WHO's list are installed in the place of others.
@Suite struct SignerListInstallationTests {
    private let made: MadePlaces
    private let user: ListStore
    private var system: ListStore { made.system }

    init() throws {
        made = try MadePlaces()
        user = try made.user
    }

    /// The times of the lists: older than 20 May 2026, that day, and newer.
    private static let now = "2026-06-10T00:00:00Z"
    private static let keys = "gdhcn/keys/prod.did.json"

    /// A list that may be installed, as far as it is about itself.
    ///
    /// - Parameter hasKeys: whether its proof is verified.
    private func list(_ name: String, hasKeys: Bool = true) throws -> ListToInstall {
        let update = try ListUpdate(
            VectorFiles.bytes("gdhcn/lists/\(name).json"), from: .file, allowsTestLists: false,
            now: MadePlaces.time(Self.now))
        let keys = hasKeys ? try ListKeys(VectorFiles.bytes(Self.keys)) : nil
        guard case .install(let list) = try update.step(given: keys, installed: nil) else {
            Issue.record("\(name) needs keys")
            throw CancellationError()
        }
        return list
    }

    private func install(_ list: ListToInstall, in store: ListStore) throws {
        let time = try list.created ?? MadePlaces.time(Self.now)
        try SignerListInstallation(in: store, of: made.places).install(list, time: time)
    }

    private func expectStepBack(_ list: ListToInstall, in store: ListStore, named folder: String) throws {
        let refusal = try #require(throws: ListUpdateRefusal.self) { try install(list, in: store) }
        #expect(refusal.reason == .stepBack && refusal.description.contains("remove \(folder)/gdhcn first"))
    }

    private func installed(in store: ListStore) throws -> [UInt8] { try store.installed(.gdhcn).read(.signers) }

    // MARK: One place

    @Test func listAndKeysAreInstalledTogether() throws {
        try install(list("good"), in: user)
        let folder = try user.installed(.gdhcn)
        #expect(try folder.read(.signers) == VectorFiles.bytes("gdhcn/lists/good.json"))
        #expect(try folder.listKeys() != nil)
        #expect(user.statedTime(of: .gdhcn) == NumericDate(text: "2026-05-20T12:00:01Z"))
        #expect(try made.folder(of: .gdhcn, in: user).contains("/gdhcn-verified-"))
    }

    @Test func anUncheckedListHasNoKeys() throws {
        try install(list("good", hasKeys: false), in: user)
        #expect(try user.installed(.gdhcn).listKeys() == nil)
        #expect(try !made.folder(of: .gdhcn, in: user).contains("verified"))
        #expect(try SignerListInstallation(in: user, of: made.places).verified().isEmpty)
    }

    @Test func noOlderListReplacesAVerifiedOne() throws {
        try install(list("good"), in: user)
        try expectStepBack(list("older"), in: user, named: user.parent)
        try expectStepBack(list("newer", hasKeys: false), in: user, named: user.parent)
        try expectStepBack(list("part"), in: user, named: user.parent)
        #expect(try installed(in: user) == VectorFiles.bytes("gdhcn/lists/good.json"))
        try install(list("good"), in: user)
        try install(list("newer"), in: user)
        #expect(try installed(in: user) == VectorFiles.bytes("gdhcn/lists/newer.json"))
    }

    /// The time of an unchecked list was chosen by its maker.
    @Test func anUncheckedListBlocksNothing() throws {
        try install(list("newer", hasKeys: false), in: user)
        try install(list("older"), in: user)
        #expect(try installed(in: user) == VectorFiles.bytes("gdhcn/lists/older.json"))
    }

    /// The name of the folder still states when the list was made.
    @Test func aChangedListBlocksOlderOnes() throws {
        try install(list("good"), in: user)
        try Data(VectorFiles.bytes("gdhcn/lists/changed.json"))
            .write(to: URL(fileURLWithPath: "\(user.parent)/gdhcn/did.json"))
        try expectStepBack(list("older"), in: user, named: user.parent)
        try install(list("newer"), in: user)
    }

    /// Without its keys, it is not known what an installed list says, and nothing replaces it.
    @Test(arguments: ["list-keys.json", "."]) func whatCannotBeReliedOnIsNotReplaced(_ name: String) throws {
        try install(list("good"), in: user)
        let path = "\(try made.folder(of: .gdhcn, in: user))/\(name)"
        if name == "." {
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
        } else {
            try FileManager.default.removeItem(atPath: path)
        }
        for (list, hasKeys) in [("newer", true), ("newer", false), ("older", true)] {
            let failure = try #require(throws: DirectoryFolder.Failure.self, "\(list)") {
                try install(self.list(list, hasKeys: hasKeys), in: user)
            }
            #expect(failure.path.hasPrefix(user.parent) && failure.isUnsafe == (name == "."))
        }
    }

    @Test func anInstallationWithoutAFolderIsReplaced() throws {
        try install(list("good", hasKeys: false), in: user)
        try FileManager.default.removeItem(atPath: try made.folder(of: .gdhcn, in: user))
        try install(list("older"), in: user)
        #expect(try installed(in: user) == VectorFiles.bytes("gdhcn/lists/older.json"))
    }

    // MARK: Two places

    /// A user's list would be used instead of the machine's.
    @Test(arguments: [false, true]) func noListTakesAStepBackFromThatOfTheOtherPlace(_ isForUser: Bool) throws {
        let (store, other) = isForUser ? (user, system) : (system, user)
        try install(list("good"), in: other)
        try expectStepBack(list("older"), in: store, named: other.parent)
        try expectStepBack(list("good", hasKeys: false), in: store, named: other.parent)
        #expect(!store.isInstalled(.gdhcn))
        try install(list("newer"), in: store)
    }

    @Test func theKeysOfThisPlaceComeFirst() throws {
        try install(list("good"), in: system)
        try install(list("newer"), in: user)
        let verified = try SignerListInstallation(in: user, of: made.places).verified()
        #expect(verified.map(\.folder) == ["\(user.parent)/gdhcn", "\(system.parent)/gdhcn"])
        let times = ["2026-05-27T12:00:01Z", "2026-05-20T12:00:01Z"].map { NumericDate(text: $0) }
        #expect(verified.map(\.installed.created) == times)
        let backwards = try SignerListInstallation(in: system, of: made.places).verified()
        #expect(backwards.map(\.folder) == verified.reversed().map(\.folder))
    }

    /// What others could have written into the other place is not used, so it blocks nothing.
    @Test func anotherPlaceThatCannotBeReliedOnDoesNotCount() throws {
        try install(list("newer"), in: system)
        let folder = try made.folder(of: .gdhcn, in: system)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        try install(list("older"), in: user)
        #expect(user.isInstalled(.gdhcn))
    }
}
