import Credentials
import Cryptography
import Encodings
import Foundation
import SMARTHealthCards
import Testing

@testable import Conformance

/// A linter keeps what it knows of keys. It finds the same as one that has not linted a card yet.
@Suite struct CardKeysTests {
    private let now = NumericDate(sinceEpoch: .seconds(1_780_272_000))
    private let issuer = Issuer(unchecked: "https://issuer-a.example/cards")

    /// A card with an identifier.
    private func card() throws -> [UInt8] {
        let vector = try #require(RuleVector.all.first { $0.id == "revocation-error/list-missing/given" })
        return try RuleVector.bytes(vector.files[0])
    }

    private func keyID(of card: [UInt8]) throws -> KeyID {
        let header = try JSONDocument.parse(Base64URL.decode(card.prefix { $0 != UInt8(ascii: ".") }))
        return try #require(header["kid"].flatMap { KeyID($0) })
    }

    /// The keys of the issuer, with violations of several rules.
    private func keys() throws -> JWKSet {
        let text = String(decoding: try RuleVector.bytes("keys/issuer-a.jwks.json"), as: UTF8.self)
        return try JWKSet(
            Array(text.replacingOccurrences(of: #""use""#, with: #""crlVersion": -1, "key_ops": 1, "use""#).utf8))
    }

    private func lines(_ findings: [Finding]) -> [String] {
        findings.map {
            "\($0.rule.id) \($0.severity) \($0.source) \($0.layer) \($0.path ?? "-") \($0.message) \($0.fingerprint)"
        }
    }

    /// Lints each card as an input of its own, with the linter that `make` returns.
    private func lint(
        _ cards: [[UInt8]], _ evidence: [EvidenceAnswers], _ make: () throws -> Linter,
        again: (inout Linter) -> Void = { _ in }
    ) throws -> [[String]] {
        var linter = try make()
        return zip(cards, evidence).map { card, evidence in
            again(&linter)
            linter.add(card, source: "card")
            let claim = linter.claim(with: evidence)
            let requests = linter.judge(with: evidence, claim: claim)
            return ["\(requests)"] + lines(linter.findings)
        }
    }

    private func compare(_ cards: [[UInt8]], _ evidence: [EvidenceAnswers], _ policy: LintPolicy) throws -> [[String]] {
        let kept = try lint(cards, evidence, { try Linter(policy: policy) }, again: { $0.beginAgain() })
        let single = try zip(cards, evidence).flatMap { card, evidence in
            try lint([card], [evidence]) { try Linter(policy: policy) }
        }
        #expect(kept == single)
        return kept
    }

    @Test func findsTheSameInEachCardOfAKey() throws {
        let card = try card()
        var policy = LintPolicy(now: now)
        policy.givenKeys.add(try keys(), for: issuer)
        let other = card.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let unsigned = Array(other[0]) + [0x2E] + Array(other[1]) + Array(".AAAA".utf8)
        let entries = (0..<30).map { #""bad \#($0)""# }.joined(separator: ",")
        policy.givenLists = [
            try RevocationList(
                Array(#"{"kid":"\#(try keyID(of: card))","method":"rid","ctr":1,"rids":[\#(entries)]}"#.utf8))
        ]
        let cards = [card, unsigned, card, Array("x".utf8), card]
        let found = try compare(cards, cards.map { _ in EvidenceAnswers() }, policy)
        #expect(found[0].count > 3)
        #expect(found[2] == found[0])
    }

    /// Answers of servers are another thing for each card: they are never kept.
    @Test func keepsNoAnswers() throws {
        let card = try card()
        var answered = EvidenceAnswers()
        answered[.keys(issuer)] = .success(IssuerKeys(try keys(), origin: .network))
        var failed = EvidenceAnswers()
        failed[.keys(issuer)] = .failure(VerificationFailure(.keysUnavailable, "none"))
        let found = try compare(
            [card, card, card, card], [EvidenceAnswers(), answered, failed, answered], LintPolicy(now: now))
        #expect(Set(found).count == 3)
        #expect(found[1] == found[3])
    }

    @Test func forgetsWhenThePolicyChanges() throws {
        let card = try card()
        var policy = LintPolicy(now: now)
        policy.givenKeys.add(try keys(), for: issuer)
        var linter = try Linter(policy: policy)
        let before = linter.cardKeys
        linter.add(card, source: "card")
        _ = linter.judge(with: EvidenceAnswers())
        let name = CardKeys.Name(issuer: issuer, keyID: try keyID(of: card))
        #expect(before[name] != nil)
        linter.policy.now = NumericDate(sinceEpoch: .seconds(0))
        #expect(linter.cardKeys[name] == nil)
    }

    // MARK: Bounds

    private func key() -> CardKey {
        CardKey(
            keys: nil, published: [], resolution: nil, admitted: nil, lists: nil, versions: [], asked: nil,
            trust: .unknown, hasGivenKeys: false)
    }

    private func name(_ number: Int) -> CardKeys.Name {
        CardKeys.Name(issuer: issuer, keyID: KeyID("\(number)"))
    }

    @Test func keepsAFewKeys() {
        let keys = CardKeys()
        for number in 0...CardKeys.maximumCount { keys.keep(key(), named: name(number)) }
        #expect((0...CardKeys.maximumCount).count { keys[name($0)] != nil } == 1)
    }

    @Test(arguments: [(100, true), (101, false)]) func keepsAFewFindings(_ count: Int, _ isKept: Bool) throws {
        let keys = CardKeys()
        let key = key()
        let found = CardKeys.Found(
            rule: .keyID, problems: (0..<count).map { Problem("\($0)") }, layer: .jwks,
            root: try JSONDocument.parse(Array("{}".utf8)), isGiven: false)
        keys.keep([found], in: key, named: name(1))
        #expect(keys.found(in: key, named: name(1)) == nil)
        keys.keep(key, named: name(1))
        #expect(keys.found(in: key, named: name(1)) == nil)
        keys.keep([found], in: key, named: name(1))
        #expect(keys.found(in: key, named: name(1))?.count == (isKept ? 1 : nil))
        // They are those of this key, and not of another of the same name.
        #expect(keys.found(in: self.key(), named: name(1)) == nil)
    }
}
