import Credentials
import Cryptography
import Directories
import Encodings
import Foundation
import HealthCertificates
import SMARTHealthCards
import TestSupport
import Testing

/// Which lists in folders are used, and what they say.
@Suite struct FolderListTests {
    private let made: MadePlaces
    private let user: ListStore

    init() throws {
        made = try MadePlaces()
        user = try made.user
    }

    private static let installed = "2026-05-01T00:00:00Z"
    private static let created = "2026-05-20T12:00:01Z"

    private func failure(_ body: () throws -> Void) throws -> DirectoryFolder.Failure {
        do {
            try body()
        } catch let error as DirectoryFolder.Failure {
            return error
        }
        Issue.record("there is no failure")
        throw CancellationError()
    }

    // MARK: Signers

    private typealias Signers = (admitted: AdmittedList, keys: [UInt8]?)

    private func signers(of folder: DirectoryFolder, by rules: TrustListRules) throws -> Signers {
        let signers = try folder.signers(hasKeys: rules.keys != nil)
        return (try signers.admitted(by: rules), signers.keys?.bytes)
    }

    private func signers(keys: String? = nil) throws -> Signers {
        let keys = try keys.map { try ListKeys(VectorFiles.bytes("gdhcn/keys/\($0)")) }
        return try signers(of: user.installed(.gdhcn), by: TrustListRules(keys: keys))
    }

    private func isVerified(_ signers: Signers) -> Bool {
        if case .verified? = signers.admitted.proof { true } else { false }
    }

    /// Anyone who has a key's private half could have signed any list, also one that was installed with that key.
    @Test func anInstalledKeyWhosePrivateHalfIsPublishedChecksNothing() throws {
        try made.install(hasKeys: true, in: user, at: Self.installed)
        var rules = TrustListRules()
        rules.compromisedKeys = CompromisedKeys(
            given: try JWKSet(VectorFiles.bytes("gdhcn/keys/burnt.jwks.json")).keys)
        let refusal = try failure { _ = try signers(of: user.installed(.gdhcn), by: rules) }
        #expect(refusal.cause == .refused(.proof) && refusal.reason.contains("private half"))
    }

    /// Nothing that was changed after the installation is used.
    @Test func theInstalledKeysCheckTheProofAgain() throws {
        try made.install(hasKeys: true, in: user, at: Self.installed)
        let signers = try signers()
        #expect(isVerified(signers) && signers.keys != nil)
        #expect(signers.admitted.list.retrieved == NumericDate(text: Self.created), "it is as old as its proof says")
        let path = "\(user.parent)/gdhcn/did.json"
        try Data(VectorFiles.bytes("gdhcn/lists/changed.json")).write(to: URL(fileURLWithPath: path))
        let refusal = try failure { _ = try self.signers() }
        #expect(refusal.cause == .refused(.proof))
    }

    @Test func givenKeysCountInsteadOfTheInstalledOnes() throws {
        try made.install(hasKeys: true, in: user, at: Self.installed)
        #expect(try isVerified(signers(keys: "prod.did.json")) && signers(keys: "prod.did.json").keys == nil)
        #expect(
            try failure { _ = try signers(keys: "other.did.json") }.cause == .refused(.proof),
            "another key has signed the list")
    }

    @Test func anUncheckedListIsAsOldAsItsInstallation() throws {
        try made.install(hasKeys: false, in: user, at: Self.installed)
        let signers = try signers()
        #expect(!isVerified(signers) && signers.keys == nil)
        #expect(signers.admitted.list.retrieved == NumericDate(text: Self.installed))
    }

    /// A list that was put there by hand is older than any limit.
    @Test func aListOfUnknownAgeIsOld() throws {
        let text = String(decoding: try VectorFiles.bytes("gdhcn/lists/good.json"), as: UTF8.self)
        try made.folder.write(text, to: "hand/did.json")
        let signers = try signers(of: DirectoryFolder(made.folder.url.path + "/hand"), by: TrustListRules())
        #expect(signers.admitted.list.retrieved == NumericDate(sinceEpoch: .zero))
    }

    @Test func listsOfTestNetworksNeedPermission() throws {
        try made.install("uat", hasKeys: false, in: user, at: Self.installed)
        let refusal = try failure { _ = try signers() }
        #expect(refusal.cause == .refused(.testList))
        _ = try signers(of: user.installed(.gdhcn), by: TrustListRules(allowsTestLists: true))
    }

    @Test func saysWhichFileIsMissingOrDamaged() throws {
        try made.folder.write("[", to: "hand/did.json")
        let folder = try DirectoryFolder(made.folder.url.path + "/hand")
        let malformed = try failure { _ = try folder.signers(hasKeys: false) }
        #expect(malformed.cause == .malformed && malformed.path == folder.path(of: .signers))
        let unreadable = try failure { _ = try folder.issuers() }
        #expect(unreadable.cause == .unreadable && unreadable.path == folder.path(of: .issuers))
    }

    // MARK: Issuers

    private func write(list: String, snapshot: String) throws -> DirectoryFolder {
        try made.folder.write(list, to: "clone/vci-issuers.json")
        try made.folder.write(snapshot, to: "clone/logs/vci_snapshot.json")
        return try DirectoryFolder(made.folder.url.path + "/clone")
    }

    private static let list = #"{"participating_issuers":[{"iss":"https://a.example","name":"A"}]}"#
    private static let snapshot = #"""
        {"time":"2026-05-01T00:00:00Z","issuerInfo":[
          {"issuer":{"iss":"https://a.example","name":"A"},"keys":[]},
          {"issuer":{"iss":"https://former.example","name":"F"},"keys":[]}]}
        """#

    @Test func theListRestrictsTheSnapshot() throws {
        let issuers = try write(list: Self.list, snapshot: Self.snapshot).issuers()
        #expect(issuers.source.entries.map(\.issuer.url) == ["https://a.example"])
        #expect(issuers.snapshot.entries.count == 2)
        #expect(issuers.files.map(\.part) == [.issuers, .snapshot])
        #expect(issuers.files.map(\.bytes) == [Array(Self.list.utf8), Array(Self.snapshot.utf8)])
    }

    @Test func aSnapshotIsNoList() throws {
        for (list, snapshot) in [(Self.snapshot, Self.snapshot), (Self.list, Self.list)] {
            let folder = try write(list: list, snapshot: snapshot)
            let malformed = try failure { _ = try folder.issuers() }
            #expect(malformed.cause == .malformed && malformed.path == folder.path)
        }
    }
}
