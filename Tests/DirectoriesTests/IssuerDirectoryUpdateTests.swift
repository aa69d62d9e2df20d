import Credentials
import Cryptography
import Directories
import Encodings
import Foundation
import SMARTHealthCards
import TestSupport
import Testing

/// Which copies of VCI's directory are installed.
@Suite struct IssuerDirectoryUpdateTests {
    private let made: MadePlaces
    private let snapshots: MadeSnapshot
    private let store: ListStore

    /// The clock of the machine.
    private static let now = "2026-06-01T00:00:00Z"
    private static let list = #"""
        {"participating_issuers":[{"iss":"https://a.example","name":"A"},{"iss":"https://unsigned.example","name":"U"}]}
        """#

    private static func snapshot(_ time: String?, issuer: String = "https://a.example") -> String {
        #"""
        {\#(time.map { #""time":"\#($0)","# } ?? "")"issuerInfo":[
          {"issuer":{"iss":"\#(issuer)","name":"A"},"keys":[],"lastRetrieved":"2026-05-01T00:00:00Z"}]}
        """#
    }

    init() throws {
        made = try MadePlaces()
        store = try made.user
        snapshots = try MadeSnapshot([
            "may": Self.snapshot("2026-05-01T00:00:00Z"), "april": Self.snapshot("2026-04-01T00:00:00Z"),
            "tomorrow": Self.snapshot("2026-06-01T23:59:59Z"), "future": Self.snapshot("2026-06-02T00:00:01Z"),
            "other": Self.snapshot("2026-05-01T00:00:00Z", issuer: "https://b.example"),
            "timeless": Self.snapshot(nil), "broken": "{",
        ])
    }

    private func update(
        _ name: String, issuers: String = list, now: String = now
    ) throws -> IssuerDirectoryUpdate {
        let signed = try #require(try snapshots.files(name, issuers: issuers).signed(by: snapshots.key))
        return try IssuerDirectoryUpdate(signed, now: MadePlaces.time(now))
    }

    private func refusal(_ body: () throws -> Void) throws -> Malformed {
        try #require(throws: Malformed.self, performing: body)
    }

    // MARK: The signature

    @Test func theSignatureIsOverTheSnapshot() throws {
        #expect(try snapshots.files("may", issuers: Self.list).signed(by: snapshots.key) != nil)
        #expect(try snapshots.files("may", issuers: "").signed(by: snapshots.key) != nil, "the list is not signed")
        #expect(try snapshots.files("may", signature: "april", issuers: Self.list).signed(by: snapshots.key) == nil)
        #expect(try snapshots.files("may", issuers: Self.list).signed(by: VCISigner.publicKey()) == nil)
        let files = try snapshots.files("may", issuers: Self.list)
        for signature in [[], [0x30], files.signature + [0]] {
            let changed = DirectoryFiles(issuers: files.issuers, snapshot: files.snapshot, signature: signature)
            #expect(changed.signed(by: snapshots.key) == nil)
        }
    }

    // MARK: The contents

    @Test func countsOnlyIssuersOfBothFiles() throws {
        let update = try update("may")
        #expect(update.issuerCount == 1 && update.unsignedCount == 1 && update.keyCount == 0)
        #expect(update.time == NumericDate(text: "2026-05-01T00:00:00Z"))
    }

    @Test func refusesFilesThatCannotBeRead() throws {
        #expect(try refusal { _ = try update("broken") }.description.hasPrefix("vci_snapshot.json: "))
        #expect(try refusal { _ = try update("may", issuers: "[]") }.description.hasPrefix("vci-issuers.json: "))
    }

    @Test func refusesFilesOfTheWrongKind() throws {
        for (name, issuers) in [("timeless", Self.list), ("may", Self.snapshot("2026-05-01T00:00:00Z"))] {
            let refusal = try refusal { _ = try update(name, issuers: issuers) }
            #expect(refusal.description.contains("wrong contents"), "\(name)")
        }
    }

    @Test func refusesADirectoryThatWouldBeEmpty() throws {
        #expect(try refusal { _ = try update("other") }.description.contains("would be empty"))
    }

    /// The clocks of two machines may differ by a day.
    @Test func refusesSnapshotsFromTheFuture() throws {
        #expect(try update("tomorrow").issuerCount == 1)
        #expect(try refusal { _ = try update("future") }.description.contains("the time 2026-06-02T00:00:01Z, which"))
    }

    // MARK: What is installed

    @Test func theFilesAreInstalledAsTheyAre() throws {
        try update("may").install(in: store)
        let installed = try DirectoryFiles(in: store.installed(.vci))
        let files = try snapshots.files("may", issuers: Self.list)
        #expect(installed.issuers == files.issuers && installed.snapshot == files.snapshot)
        #expect(installed.signature == files.signature)
        #expect(store.statedTime(of: .vci) == NumericDate(text: "2026-05-01T00:00:00Z"))
    }

    @Test func noOlderSnapshotReplacesANewerOne() throws {
        try update("may").install(in: store)
        let refusal = try refusal { try update("april").install(in: store) }
        #expect(
            refusal.description.hasPrefix(
                "the snapshot of 2026-04-01T00:00:00Z is older than the installed one of 2026-05-01T00:00:00Z"))
        #expect(try store.installed(.vci).read(.snapshot) == snapshots.files("may", issuers: "").snapshot)
        try update("may").install(in: store)
    }

    /// What the machine has does not count for its users, who may install for themselves.
    @Test func anotherPlaceDoesNotCount() throws {
        try update("may").install(in: made.system)
        try update("april").install(in: store)
        #expect(store.isInstalled(.vci))
    }

    /// A wrong clock may have let in a snapshot from the future. It must not block all later ones.
    @Test func aSnapshotFromTheFutureBlocksNothing() throws {
        try update("future", now: "2026-06-02T00:00:00Z").install(in: store)
        try update("may").install(in: store)
        #expect(store.time(of: .vci) == NumericDate(text: "2026-05-01T00:00:00Z"))
    }

    @Test func saysThatThePlaceCannotBeWritten() throws {
        try made.folder.write("a file", to: "user")
        let update = try update("may")
        #expect(throws: InstallationFailure.unwritable("Not a directory")) { try update.install(in: store) }
    }
}
