public import Credentials
import Evidence
import FHIR
import SMARTHealthCards

/// Verdicts for tests of code that only reads them: a view, a log, a turnstile.
///
/// Each is the result of a verification: a real card, that a key made for this one verdict has signed, was really verified.
/// There is no other way to a `Verified`, in tests either.
public enum TestVerdict {
    /// A verdict that passes.
    ///
    /// - Parameters:
    ///   - bundle: the FHIR Bundle of the card, as JSON.
    ///   - now: the time as of which the card is verified. It is issued an hour before.
    /// - Throws: `TestingFailure` if the Bundle is not JSON.
    public static func pass(_ bundle: [UInt8] = TestCard.sampleBundle, now: NumericDate = .now) throws(TestingFailure)
        -> Verdict
    {
        let issuer = try TestCardIssuer()
        var policy = CardPolicy(now: now)
        policy.trust(issuer)
        return try verdict(on: issuer.card(of: bundle, issued: now.moved(by: .seconds(-3600))), by: policy)
    }

    /// A verdict with this reason. It is `fail` or `undetermined`, as the reason says.
    ///
    /// For reasons that a card of its own has (`expired`, `not-yet-valid`, `signature-invalid`, `issuer-not-trusted`,
    /// `key-not-found`, `keys-unavailable`, `revoked`, `records-not-matching`) there is such a card, with claims that nobody
    /// may rely on. For all others, the input could not be read, so there are no claims and `format` is the check that failed.
    ///
    /// - Parameters:
    ///   - code: the reason.
    ///   - now: the time as of which the card is verified.
    /// - Throws: `TestingFailure` if OpenSSL makes no key.
    public static func failing(_ code: ReasonCode, now: NumericDate = .now) throws(TestingFailure) -> Verdict {
        var issuer = try TestCardIssuer()
        let hourAgo = now.moved(by: .seconds(-3600))
        var policy = CardPolicy(now: now)
        switch code {
        case .expired:
            policy.trust(issuer)
            return try verdict(on: issuer.card(issued: hourAgo, expires: now.moved(by: .seconds(-60))), by: policy)
        case .notYetValid:
            policy.trust(issuer)
            return try verdict(on: issuer.card(issued: now.moved(by: .seconds(86_400))), by: policy)
        case .signatureInvalid:
            policy.trust(issuer)
            return try verdict(on: issuer.card(issued: hourAgo).forged, by: policy)
        case .issuerNotTrusted:
            policy.trust(try TestCardIssuer(Issuer(unchecked: "https://other.example/cards")))
            return try verdict(on: issuer.card(issued: hourAgo), by: policy)
        case .keyNotFound:
            // Another issuer of the same name has another key.
            policy.trust(try TestCardIssuer(issuer.issuer))
            return try verdict(on: issuer.card(issued: hourAgo), by: policy)
        case .keysUnavailable:
            policy.trustedIssuers.allow(issuer.issuer)
            return try verdict(on: issuer.card(issued: hourAgo), by: policy)
        case .revoked:
            issuer.revoke("test-1")
            policy.trust(issuer)
            return try verdict(on: issuer.card(issued: hourAgo, revocationID: "test-1"), by: policy)
        case .recordsNotMatching:
            policy.trust(issuer)
            policy.recordQuery = try? RecordQuery(recordTypes: ["Coverage"])
            return try verdict(on: issuer.card(issued: hourAgo), by: policy)
        default:
            let failure = VerificationFailure(code, code.explanation.meaning)
            return try verdict(
                on: PresentedCredential(failure: failure, kind: .smartHealthCard, source: source), by: policy)
        }
    }

    /// The name of the input in these verdicts.
    private static let source = "test#0"

    private static func verdict(on card: TestCard, by policy: CardPolicy) throws(TestingFailure) -> Verdict {
        try verdict(on: PresentedCredential(jws: Array(card.jws.utf8), source: source), by: policy)
    }

    private static func verdict(on card: PresentedCredential, by policy: CardPolicy) throws(TestingFailure) -> Verdict {
        let verifier: CardVerifier
        do { verifier = try CardVerifier(policy: policy) } catch {
            throw TestingFailure("there is no memory to verify a card")
        }
        let examined = verifier.examine(card)
        let failure = VerificationFailure(.keysUnavailable, "the issuer's server does not answer")
        let verdict = VerificationStep.verdict(withoutKeysBecause: failure) { verifier.verify(examined, with: $0) }
        guard let verdict else { throw TestingFailure("the verifier asks for something that no test has") }
        return verdict
    }
}

extension NumericDate {
    fileprivate func moved(by time: Duration) -> NumericDate { NumericDate(sinceEpoch: sinceEpoch + time) }
}
