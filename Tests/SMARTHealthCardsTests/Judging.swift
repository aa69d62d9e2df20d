import Credentials
import Cryptography
import Encodings
import TestSupport
import Testing

@testable import SMARTHealthCards

extension ExaminedCard {
    /// Examines a JWS.
    convenience init(jws: [UInt8]) throws {
        self.init(PresentedCredential(jws: jws, source: "test"), inflater: try Inflater())
    }
}

/// Verifies cards one by one, without caches. `CardVerifier` must give the same verdicts.
struct ReferenceVerifier {
    var policy: CardPolicy

    func verify(_ card: ExaminedCard, with evidence: EvidenceAnswers) -> VerificationStep {
        CardChecks.step(of: card, in: VerificationSetting(policy: policy, evidence: evidence))
    }
}

extension VerificationStep {
    /// The verdict. If there is none, the test fails.
    func verdict(_ location: SourceLocation = #_sourceLocation) throws -> Verdict {
        guard case .verdict(let verdict) = self else {
            throw TestFailure("expected a verdict, got \(self)", location)
        }
        verdict.expectInOrder(location)
        return verdict
    }

    /// The request for evidence; nil if there is a verdict.
    var request: EvidenceRequest? {
        guard case .needs(let request) = self else { return nil }
        return request
    }
}

extension EvidenceRequest {
    /// The requested revocation list; nil if something else is requested.
    var list: RevocationListName? {
        (query as? RevocationListQuery)?.name
    }
}

extension Verdict {
    /// Expects what must be true of every verdict. Each check is listed once and in order. The checks before the one that did not
    /// pass were passed or skipped, and those after it were skipped. All texts can be printed.
    func expectInOrder(_ location: SourceLocation = #_sourceLocation) {
        #expect(checks.map(\.name) == Check.Name.allCases, sourceLocation: location)
        let statuses = checks.map(\.status)
        switch outcome {
        case .pass:
            #expect(statuses.allSatisfy { $0 == .pass || $0 == .skipped }, sourceLocation: location)
            for name in [Check.Name.format, .key, .signature, .validity] {
                #expect(checks.first { $0.name == name }?.status == .pass, sourceLocation: location)
            }
            #expect(reason == nil && verified != nil && name == "pass", sourceLocation: location)
        case .fail(let failure), .undetermined(let failure):
            let expected: Check.Status = failure.code.isUndetermined ? .undetermined : .fail
            let place = statuses.firstIndex { $0 == .fail || $0 == .undetermined }
            #expect(place.map { statuses[$0] } == expected, sourceLocation: location)
            #expect(place.map { checks[$0].detail } == failure.message, sourceLocation: location)
            #expect(statuses.dropFirst((place ?? 0) + 1).allSatisfy { $0 == .skipped }, sourceLocation: location)
            #expect(reason == failure && verified == nil, sourceLocation: location)
            #expect(name == (failure.code.isUndetermined ? "undetermined" : "fail"), sourceLocation: location)
        }
        for text in [reason?.message].compactMap({ $0 }) + checks.map(\.detail) + warnings.map(\.message) {
            #expect(text.isFitToPrint, "\(text.debugDescription)", sourceLocation: location)
        }
    }

    /// The check that did not pass; nil if all passed.
    var failedCheck: Check.Name? { checks.first { $0.status == .fail || $0.status == .undetermined }?.name }
}

/// An error that ends a test.
struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String, _ location: SourceLocation) {
        self.description = "\(location): \(description)"
    }
}

extension CardPolicy {
    /// A policy for the moment at which the test vectors' cards are valid.
    static func test(
        now: NumericDate = TestVectors.now, keys: JWKSet? = nil, trusted: [Issuer] = [], lists: [RevocationList] = []
    ) -> CardPolicy {
        var policy = CardPolicy(now: now)
        policy.requiresTrust = false
        // Beside several trusted issuers, it has to be known whose keys they are.
        if let keys { policy.givenKeys.add(keys, for: trusted.isEmpty ? nil : TestVectors.issuer) }
        for issuer in trusted { policy.trustedIssuers.allow(issuer) }
        policy.givenLists = lists
        return policy
    }
}

/// The first error in the form of a JWS; nil if the form is correct.
func failure(ofForm jws: [UInt8]) throws -> VerificationFailure? {
    guard case .failure(let failure) = try ExaminedCard(jws: jws).card else { return nil }
    #expect(failure.message.isFitToPrint, "\(failure.message.debugDescription)")
    return failure
}

extension CardVerifier {
    /// Examines and verifies cards.
    func verify(_ cards: [PresentedCredential], with evidence: EvidenceAnswers) -> [VerificationStep] {
        verify(cards.map { examine($0) }, with: evidence)
    }
}
