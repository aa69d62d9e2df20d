import Credentials
import Encodings
import TestSupport
import Testing

@testable import HealthCertificates

/// Which copies of WHO's list may be installed, and by which keys that is decided.
@Suite struct ListCopyRuleTests {
    private static let now = NumericDate(text: "2026-06-10T00:00:00Z")
    private static let address = ListUpdate.Source.url(path: Array("/v2/trustlist/did.json".utf8))

    private static func bytes(_ name: String) throws -> [UInt8] { try VectorFiles.bytes("gdhcn/\(name)") }

    private static func keys(_ name: String) throws -> ListKeys { try ListKeys(bytes("keys/\(name)")) }

    private static func update(
        _ name: String, from source: ListUpdate.Source = .file, allowsTestLists: Bool = false
    ) throws -> ListUpdate {
        try ListUpdate(
            bytes("lists/\(name).json"), from: source, allowsTestLists: allowsTestLists, now: #require(now))
    }

    private static func installed(_ keys: String) throws -> ListUpdate.Installed {
        ListUpdate.Installed(
            list: try SignerList(bytes("lists/good.json")), keys: try Self.keys(keys), statedTime: nil)
    }

    private static func kind(_ body: () throws -> Void) throws -> ListUpdateProblem? {
        do {
            try body()
            return nil
        } catch let refusal as ListUpdateRefusal {
            return refusal.reason
        }
    }

    private static func list(_ step: ListUpdate.Step) throws -> ListToInstall {
        guard case .install(let list) = step else {
            Issue.record("it needs keys")
            throw CancellationError()
        }
        return list
    }

    // MARK: Signers

    @Test(
        arguments: [
            ("good", nil), ("dev", .testList), ("uat", .testList), ("future", .malformed), ("no-signers", .malformed),
            ("version-1", nil),
        ] as [(String, ListUpdateProblem?)])
    func refusesListsThatAreOfNoUse(_ name: String, _ kind: ListUpdateProblem?) throws {
        #expect(try Self.kind { _ = try Self.update(name) } == kind)
    }

    @Test func listsOfTestNetworksNeedPermission() throws {
        #expect(try Self.kind { _ = try Self.update("dev", allowsTestLists: true) } == nil)
    }

    @Test func refusesListsOfOtherForms() throws {
        for name in ["trust/gateway.json", "trust/german.json", "trust/no-list.json"] {
            let kind = try Self.kind {
                _ = try ListUpdate(
                    HealthCertificateVectors.bytes(name), from: .file, allowsTestLists: true, now: #require(Self.now))
            }
            #expect(kind == .malformed, "\(name)")
        }
    }

    /// The host does not count, since a copy may stand elsewhere.
    @Test(
        arguments: [
            ("/v2/trustlist/did.json", "good", true), ("/copy/v2/trustlist/did.json", "good", true),
            ("/did.json", "good", false), ("/copy/did.json", "good", false),
            ("/v2/trustlist/DCC/did.json", "good", false),
            ("/v2/trustlist/DCC/did.json", "part", true), ("/v2/trustlist/did.json", "part", false),
        ])
    func theAddressSaysWhichListItHasToBe(_ path: String, _ name: String, _ isAccepted: Bool) throws {
        let kind = try Self.kind { _ = try Self.update(name, from: .url(path: Array(path.utf8))) }
        #expect(kind == (isAccepted ? nil : .malformed))
    }

    // MARK: The keys

    @Test func givenKeysDecideAlone() throws {
        let list = try Self.list(Self.update("good").step(given: Self.keys("prod.did.json"), installed: nil))
        #expect(list.verified != nil && list.keys != nil)
        #expect(list.created == NumericDate(text: "2026-05-20T12:00:01Z"))
        let kind = try Self.kind {
            _ = try Self.update("good").step(
                given: Self.keys("other.did.json"), installed: Self.installed("prod.did.json"))
        }
        #expect(kind == .noKey || kind == .invalidProof)
    }

    @Test func installedKeysCountIfNoneAreGiven() throws {
        let installed = try Self.installed("prod.did.json")
        let list = try Self.list(Self.update("newer").step(given: nil, installed: installed))
        #expect(list.verified != nil)
        #expect(
            try Self.kind { _ = try Self.update("changed").step(given: nil, installed: installed) } == .invalidProof)
        #expect(try Self.kind { _ = try Self.update("stripped").step(given: nil, installed: installed) } == .malformed)
        #expect(try Self.kind { _ = try Self.update("version-1").step(given: nil, installed: installed) } != nil)
    }

    /// WHO may have a new key, which only a list from an address can bring.
    @Test func theDocumentOfTheSignerIsAskedForOnlyIfTheListWasFetched() throws {
        let installed = try Self.installed("prod.did.json")
        #expect(try Self.kind { _ = try Self.update("rotated").step(given: nil, installed: installed) } != nil)
        for (name, installed) in [("good", nil), ("rotated", installed)] {
            guard
                case .needsKeys(let signer) = try Self.update(name, from: Self.address).step(
                    given: nil, installed: installed)
            else {
                Issue.record("\(name)")
                return
            }
            #expect(signer == UTF8Text(TrustEnvironment.production.signer))
        }
    }

    @Test func aFileWithoutAnyKeyIsNotChecked() throws {
        for name in ["good", "version-1"] {
            let list = try Self.list(Self.update(name).step(given: nil, installed: nil))
            #expect(list.verified == nil && list.keys == nil && list.created == nil)
        }
        #expect(try Self.kind { _ = try Self.update("stripped").step(given: nil, installed: nil) } == .malformed)
    }

    @Test func theDocumentHasToBeThatOfTheSigner() throws {
        let signer = UTF8Text(TrustEnvironment.production.signer)
        let update = try Self.update("good", from: Self.address)
        let list = try update.install(byKeysIn: Self.bytes("keys/prod.did.json"), of: signer)
        #expect(list.verified != nil && list.keys != nil)
        #expect(
            try Self.kind { _ = try update.install(byKeysIn: Self.bytes("keys/dev.did.json"), of: signer) } == .noKey)
        #expect(
            try Self.kind { _ = try update.install(byKeysIn: Self.bytes("keys/prod.jwk.json"), of: signer) } == .noKey)
        let changed = try Self.update("changed", from: Self.address)
        let kind = try Self.kind { _ = try changed.install(byKeysIn: Self.bytes("keys/prod.did.json"), of: signer) }
        #expect(kind == .invalidProof)
    }
}
