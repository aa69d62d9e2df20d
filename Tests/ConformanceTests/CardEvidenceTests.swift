import Credentials
import Cryptography
import Encodings
import Foundation
import SMARTHealthCards
import Testing

@testable import Conformance

/// Lint of a card with answers of its issuer's server, which the vectors do not have.
@Suite struct CardEvidenceTests {
    private let issuer = Issuer(unchecked: "https://issuer-a.example/cards")

    /// A card with an identifier, and its key ID.
    private func card() throws -> (bytes: [UInt8], keyID: KeyID) {
        let vector = try #require(RuleVector.all.first { $0.id == "revocation-error/list-missing/given" })
        let bytes = try RuleVector.bytes(vector.files[0])
        let header = try JSONDocument.parse(Base64URL.decode(bytes.prefix { $0 != UInt8(ascii: ".") }))
        return (bytes, try #require(header["kid"].flatMap { KeyID($0) }))
    }

    private func keySet(crlVersion: String) throws -> JWKSet {
        let text = String(decoding: try RuleVector.bytes("keys/issuer-a.jwks.json"), as: UTF8.self)
        let members = text.replacingOccurrences(of: #""use""#, with: #""crlVersion": \#(crlVersion), "use""#)
        return try JWKSet(Array(members.utf8))
    }

    private func list(_ keyID: KeyID, counter: Int = 1, rids: String = #""other""#) throws -> RevocationList {
        try RevocationList(
            Array(#"{"kid":"\#(keyID)","method":"rid","ctr":\#(counter),"rids":[\#(rids)]}"#.utf8))
    }

    private func lint(_ bytes: [UInt8], _ evidence: EvidenceAnswers, policy: LintPolicy? = nil) throws -> [Finding] {
        let now = NumericDate(sinceEpoch: .seconds(1_780_272_000))
        var linter = try Linter(policy: policy ?? LintPolicy(now: now))
        linter.add(bytes, source: "card")
        return try linter.finishOffline(evidence)
    }

    private func evidence(crlVersion: String = "1") throws -> EvidenceAnswers {
        var evidence = EvidenceAnswers()
        evidence[.keys(issuer)] = .success(IssuerKeys(try keySet(crlVersion: crlVersion), origin: .network))
        return evidence
    }

    @Test func findsNothingIfKeyAndListMatch() throws {
        let (bytes, keyID) = try card()
        var evidence = try evidence()
        evidence[.revocationList(RevocationListName(issuer: issuer, keyID: keyID))] = .success(try list(keyID))
        #expect(try lint(bytes, evidence).map(\.rule.id) == [])
    }

    @Test func findsAListOfAnotherKey() throws {
        let (bytes, keyID) = try card()
        var evidence = try evidence()
        evidence[.revocationList(RevocationListName(issuer: issuer, keyID: keyID))] = .success(try list(KeyID("other")))
        #expect(try lint(bytes, evidence).map(\.rule.id) == ["revocation-error/list-missing"])
    }

    /// Keys or lists that were not requested are unchecked. If they could not be fetched, that is an error.
    @Test(arguments: [(true, Severity.unchecked), (false, .error)])
    func saysWhatWasNotChecked(_ isUnasked: Bool, _ severity: Severity) throws {
        let (bytes, keyID) = try card()
        var evidence = EvidenceAnswers()
        evidence[.keys(issuer)] = .failure(VerificationFailure(.keysUnavailable, "none", isUnasked: isUnasked))
        let keys = try lint(bytes, evidence)
        #expect(keys.map(\.rule.id) == ["issuer-key-download-error/keys"])
        #expect(keys.map(\.severity) == [severity])
        evidence = try self.evidence()
        evidence[.revocationList(RevocationListName(issuer: issuer, keyID: keyID))] =
            .failure(VerificationFailure(.revocationUnavailable, "none", isUnasked: isUnasked))
        let list = try lint(bytes, evidence)
        #expect(list.map(\.rule.id) == ["revocation-error/list-missing"])
        #expect(list.map(\.severity) == [severity])
    }

    @Test func findsAnOutdatedList() throws {
        let (bytes, keyID) = try card()
        var evidence = try evidence(crlVersion: "3")
        evidence[.revocationList(RevocationListName(issuer: issuer, keyID: keyID))] = .success(
            try list(keyID, counter: 2))
        #expect(try lint(bytes, evidence).map(\.rule.id) == ["revocation-error/list-behind"])
    }

    @Test func findingsHavePathsInTheListAndTheKeySet() throws {
        let (bytes, keyID) = try card()
        var evidence = try evidence(crlVersion: #""1""#)
        let entries = #""one.x""#
        evidence[.revocationList(RevocationListName(issuer: issuer, keyID: keyID))] = .success(
            try list(keyID, rids: entries))
        let findings = try lint(bytes, evidence)
        #expect(findings.map(\.path) == ["keys[0].crlVersion", "rids[0]"])
        #expect(findings.map(\.layer) == [.jwks, .crl])
        #expect(findings.map(\.source) == ["card", "card"])
        #expect(findings.allSatisfy { !$0.isInInput })
    }

    /// An issuer that is not trusted is not contacted.
    @Test func requestsNothingFromAnUntrustedIssuer() throws {
        let (bytes, _) = try card()
        var policy = LintPolicy(now: NumericDate(sinceEpoch: .seconds(1_780_272_000)))
        policy.trustedIssuers.allow(Issuer(unchecked: "https://other.example"))
        var linter = try Linter(policy: policy)
        linter.add(bytes, source: "card")
        #expect(linter.judge(with: EvidenceAnswers()) == [])
        #expect(linter.findings.map(\.rule.id) == ["issuer-not-trusted/issuer"])
    }

    /// Findings in the given keys of the card's issuer are not repeated for the card. If the given keys are another issuer's, the
    /// published keys of the card's issuer have findings too.
    @Test func lintsPublishedKeysBesideGivenKeys() throws {
        let (bytes, _) = try card()
        let keys = String(decoding: try RuleVector.bytes("keys/issuer-a.jwks.json"), as: UTF8.self)
            .replacingOccurrences(of: #""ES256""#, with: #""ES384""#)
        for (owner, sources) in [(issuer, ["keys"]), (Issuer(unchecked: "https://other.example"), ["card", "keys"])] {
            var policy = LintPolicy(now: NumericDate(sinceEpoch: .seconds(1_780_272_000)))
            policy.givenKeys.add(try JWKSet(Array(keys.utf8)), for: owner)
            var linter = try Linter(policy: policy)
            linter.add(bytes, source: "card")
            linter.add(given: Array(keys.utf8), source: "keys", as: .jwks, of: owner)
            var evidence = EvidenceAnswers()
            evidence[.keys(issuer)] = .success(IssuerKeys(try JWKSet(Array(keys.utf8)), origin: .network))
            let findings = try linter.finishOffline(evidence).filter { $0.code == "invalid-key-wrong-alg" }
            #expect(findings.map(\.source).sorted() == sources)
        }
    }

    /// If several cards of an input name the same key, its findings are reported once for the input.
    @Test func reportsASharedKeyOncePerInput() throws {
        let (bytes, _) = try card()
        var policy = LintPolicy(now: NumericDate(sinceEpoch: .seconds(1_780_272_000)))
        policy.givenKeys.add(try keySet(crlVersion: "-1"))
        let text = String(decoding: bytes, as: UTF8.self)
        let file = Array(#"{"verifiableCredential":["\#(text)","\#(text)"]}"#.utf8)
        var linter = try Linter(policy: policy)
        linter.add(file, source: "a.smart-health-card")
        linter.add(file, source: "b.smart-health-card")
        let findings = try linter.finishOffline().filter { $0.rule.id == "invalid-key-schema/crl-version" }
        #expect(findings.map(\.source) == ["a.smart-health-card", "b.smart-health-card"])
    }
}
