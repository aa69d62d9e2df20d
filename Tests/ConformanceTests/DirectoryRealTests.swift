import Credentials
import Cryptography
import SMARTHealthCards
import TestSupport
import Testing

@testable import Conformance

/// The real directory of issuers.
@Suite(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
struct DirectoryRealTests {
    private func lint(_ path: String, signature: String? = nil) throws -> [Finding] {
        var policy = LintPolicy(now: NumericDate(sinceEpoch: .seconds(1_788_000_000)))
        policy.snapshotSignature = try signature.map { try SharedData.bytes($0) }
        var linter = try Linter(policy: policy)
        linter.add(try SharedData.bytes(path), source: path)
        return try linter.finishOffline()
    }

    @Test func findsNoErrorInTheList() throws {
        let findings = try lint("vci/vci-issuers.json").filter { $0.rule.code == "directory-error" }
        #expect(findings.filter { $0.severity == .error }.map(\.message) == [])
        #expect(Set(findings.map(\.rule.name)) == ["name-twice"])
    }

    @Test func findsNoErrorInTheSnapshot() throws {
        let findings = try lint("vci/vci_snapshot.json", signature: "vci/vci_snapshot.sig")
            .filter { $0.rule.code == "directory-error" }
        #expect(findings.filter { $0.severity == .error }.map(\.message) == [])
        // One issuer's keys could not be retrieved.
        #expect(findings.filter { $0.rule.name == "snapshot-keys" }.count == 1)
    }

    @Test func findsTheSignatureOfAnotherFile() throws {
        let findings = try lint("vci/vci-issuers.json", signature: "vci/vci_snapshot.sig")
        #expect(findings.contains { $0.rule.id == "directory-error/signature" && $0.severity == .error })
    }
}
