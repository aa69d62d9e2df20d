import Credentials
import Directories
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Which of the installed lists is used: that of the user, or that of the machine.
@Suite struct ListPlacesTests {
    private let made: MadePlaces
    private let user: ListStore
    private var system: ListStore { made.system }

    init() throws {
        made = try MadePlaces()
        user = try made.user
    }

    private static let early = "2026-05-01T00:00:00Z"
    private static let late = "2026-06-01T00:00:00Z"

    /// The place of the list that is used.
    private func preferred(_ name: ListStore.Name = .gdhcn) throws -> (store: ListStore, leftOut: [String]) {
        let found = try #require(try made.places.preferred(name))
        return (found.folder.path.hasPrefix(user.parent) ? user : system, found.leftOut.map(\.path))
    }

    private func expect(
        _ store: ListStore, leavingOut leftOut: [String] = [], location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try preferred()
        #expect(found.store.parent == store.parent && found.leftOut == leftOut, sourceLocation: location)
    }

    private func failure() throws -> DirectoryFolder.Failure {
        do throws(DirectoryFolder.Failure) {
            _ = try made.places.preferred(.gdhcn)
        } catch {
            return error
        }
        Issue.record("there is no failure")
        throw CancellationError()
    }

    // MARK: The places

    @Test(
        arguments: [
            ("/data", "/home/x", "/data/shcverify"), (nil, "/home/x", "/home/x/.local/share/shcverify"),
            ("data", "/home/x", "/home/x/.local/share/shcverify"), ("", "", nil), (nil, nil, nil), ("data", "x", nil),
        ] as [(String?, String?, String?)])
    func thePlaceOfTheUserFollowsTheEnvironment(_ data: String?, _ home: String?, _ place: String?) {
        let places = ListPlaces(dataHome: data, home: home, systemFolder: nil)
        #expect(places.user?.parent == place && places.user?.isSystem != true)
        #expect(places.all.count == (place == nil ? 1 : 2))
    }

    @Test(
        arguments: [(nil, "/var/lib/shcverify"), ("lists", "/var/lib/shcverify"), ("/lists", "/lists")]
            as [(String?, String)])
    func theVariableNamesThePlaceOfTheMachine(_ variable: String?, _ place: String) {
        let system = ListPlaces(dataHome: nil, home: nil, systemFolder: variable).system
        #expect(system.parent == place && system.isSystem)
    }

    // MARK: The rank

    @Test func proofsCountBeforeTimes() throws {
        let (early, late) = (try MadePlaces.time(Self.early), try MadePlaces.time(Self.late))
        let ranks = [
            ListRank(isVerified: false, time: nil), ListRank(isVerified: false, time: early),
            ListRank(isVerified: false, time: late), ListRank(isVerified: true, time: nil),
            ListRank(isVerified: true, time: early), ListRank(isVerified: true, time: late),
        ]
        for (one, rank) in ranks.enumerated() {
            for (other, otherRank) in ranks.enumerated() { #expect((rank < otherRank) == (one < other)) }
        }
    }

    // MARK: Both places are sound

    @Test(arguments: [false, true]) func theNewerOfTwoIsUsed(_ areVerified: Bool) throws {
        try made.install(hasKeys: areVerified, in: user, at: Self.early)
        try made.install(hasKeys: areVerified, in: system, at: Self.late)
        try expect(system)
        try made.install(hasKeys: areVerified, in: user, at: "2026-07-01T00:00:00Z")
        try expect(user)
    }

    @Test func ofTwoThatAreAsNewTheUsersIsUsed() throws {
        try made.install(hasKeys: true, in: system, at: Self.late)
        try made.install(hasKeys: true, in: user, at: Self.late)
        try expect(user)
    }

    @Test(arguments: [false, true]) func aVerifiedListIsUsedBeforeAnUncheckedOne(_ isUserVerified: Bool) throws {
        let (verified, unchecked) = isUserVerified ? (user, system) : (system, user)
        try made.install(hasKeys: true, in: verified, at: Self.early)
        try made.install(hasKeys: false, in: unchecked, at: Self.late)
        try expect(verified)
    }

    @Test func theOnlyOneIsUsed() throws {
        try made.install(hasKeys: false, in: system, at: Self.early)
        try expect(system)
    }

    // MARK: Damage

    /// How the only trace of a proof that was verified is left: the name of the folder.
    enum Damage: CaseIterable, Sendable {
        case lostKeys, damagedKeys, lostFolder, writableFolder, writableKeys
    }

    private func damage(_ store: ListStore, _ damage: Damage) throws {
        let folder = try made.folder(of: .gdhcn, in: store)
        let keys = "\(folder)/list-keys.json"
        switch damage {
        case .lostKeys: try FileManager.default.removeItem(atPath: keys)
        case .damagedKeys: try Data("{}".utf8).write(to: URL(fileURLWithPath: keys))
        case .lostFolder: try FileManager.default.removeItem(atPath: folder)
        case .writableFolder: try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        case .writableKeys: try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: keys)
        }
    }

    @Test(arguments: Damage.allCases, [false, true])
    func noUncheckedListStandsInForAVerifiedOne(_ damage: Damage, _ isUserVerified: Bool) throws {
        let (verified, unchecked) = isUserVerified ? (user, system) : (system, user)
        try made.install(hasKeys: true, in: verified, at: Self.early)
        try self.damage(verified, damage)
        let alone = try failure()
        #expect(alone.path.hasPrefix(verified.parent), "\(alone)")
        try made.install(hasKeys: false, in: unchecked, at: Self.late)
        let failure = try failure()
        #expect(failure.path == alone.path && failure.isUnsafe == alone.isUnsafe, "\(failure)")
        #expect(failure.isUnsafe == [.writableFolder, .writableKeys].contains(damage))
    }

    @Test(arguments: Damage.allCases, [false, true])
    func anotherVerifiedListIsUsedInstead(_ damage: Damage, _ isUserDamaged: Bool) throws {
        let (damaged, whole) = isUserDamaged ? (user, system) : (system, user)
        try made.install(hasKeys: true, in: damaged, at: Self.late)
        try self.damage(damaged, damage)
        let failure = try failure()
        try made.install(hasKeys: true, in: whole, at: Self.early)
        try expect(whole, leavingOut: [failure.path])
    }

    /// A list that nobody has checked says nothing of its own, so another one is used instead.
    @Test func anUncheckedListThatOthersMayWriteToIsLeftOut() throws {
        try made.install(hasKeys: false, in: user, at: Self.late)
        try damage(user, .writableFolder)
        #expect(try failure().isUnsafe)
        try made.install(hasKeys: false, in: system, at: Self.early)
        try expect(system, leavingOut: [made.folder(of: .gdhcn, in: user)])
    }

    // MARK: No list

    @Test func sayingWhereNothingIsInstalledNamesTheUsersPlace() throws {
        let failure = try failure()
        #expect(failure.path == user.parent && failure.error == .noSuchFileOrDirectory)
    }

    @Test func withoutAPlaceOfTheUserThereMayBeNoList() throws {
        let places = ListPlaces(user: nil, system: system)
        #expect(try places.preferred(.gdhcn) == nil)
        #expect(!places.isInstalled(.gdhcn))
        try made.install(hasKeys: false, in: system, at: Self.early)
        #expect(try places.preferred(.gdhcn) != nil && places.isInstalled(.gdhcn))
    }

    // MARK: Dates

    /// A clock that shows an earlier time is wrong.
    @Test func tellsTheListsThatAreLaterThanATime() throws {
        try made.install(hasKeys: false, in: user, at: Self.late)
        try made.install(hasKeys: false, in: system, at: Self.early)
        let between = try MadePlaces.time("2026-05-15T00:00:00Z")
        let lists = made.places.lists(after: between)
        #expect(lists.map(\.name) == [.gdhcn] && lists.map(\.store.parent) == [user.parent])
        #expect(lists.first?.time == (try MadePlaces.time(Self.late)))
        // What others could have written says nothing.
        try damage(user, .writableFolder)
        #expect(made.places.lists(after: between).isEmpty)
    }
}
