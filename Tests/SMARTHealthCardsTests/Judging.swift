import Deflate
import JOSE
import JSON
import SMARTHealthCards
import Testing

extension ExaminedCard {
    /// A JWS, examined.
    convenience init(jws: [UInt8]) throws {
        self.init(PresentedCard(jws: jws, source: "test"), inflater: try Inflater())
    }
}

extension Verifier.Step {
    /// The verdict; a failed test where there is none.
    func verdict(_ location: SourceLocation = #_sourceLocation) throws -> Verdict {
        guard case .verdict(let verdict) = self else {
            throw TestFailure("expected a verdict, got \(self)", location)
        }
        verdict.expectInOrder(location)
        return verdict
    }

    /// What is needed; nil if there is a verdict.
    var request: EvidenceRequest? {
        guard case .needs(let request) = self else { return nil }
        return request
    }
}

extension EvidenceRequest {
    /// The revocation list that is needed; nil if it is something else.
    var list: RevocationListName? {
        guard case .revocationList(let name, _) = self else { return nil }
        return name
    }
}

extension Verdict {
    /// What holds of every verdict, whatever the card: each check is listed once and in order; those before the one that
    /// did not pass were made or had nothing to check, those after it were not; what is said is fit to print.
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

    /// The name of the check that did not pass.
    var failedCheck: Check.Name? { checks.first { $0.status == .fail || $0.status == .undetermined }?.name }
}

extension String {
    /// Whether this can be shown: one line, not empty, of a length that can be read, and nothing that steers a terminal.
    var isFitToPrint: Bool {
        !isEmpty && unicodeScalars.count < 3000 && !unicodeScalars.contains(where: \.isUnprintable)
    }
}

/// What ends a test.
struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String, _ location: SourceLocation) {
        self.description = "\(location): \(description)"
    }
}

extension VerificationPolicy {
    /// A policy for the moment at which the test vectors' cards are valid.
    static func test(
        now: NumericDate = TestVectors.now, keys: JWKSet? = nil, trusted: [Issuer] = [], lists: [RevocationList] = []
    ) -> VerificationPolicy {
        var policy = VerificationPolicy(now: now)
        if let keys { policy.givenKeys.add(keys) }
        for issuer in trusted { policy.trustedIssuers.allow(issuer) }
        policy.givenLists = lists
        return policy
    }
}

/// The code of the failure that the form of a payload or JWS is; nil if it is in order.
func failure(ofForm jws: [UInt8]) throws -> VerificationFailure? {
    guard case .failure(let failure) = try ExaminedCard(jws: jws).card else { return nil }
    #expect(failure.message.isFitToPrint, "\(failure.message.debugDescription)")
    return failure
}
