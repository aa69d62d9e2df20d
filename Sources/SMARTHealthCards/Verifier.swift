import JOSE
import JSON

/// Decides whether cards are genuine, by one policy.
///
/// The checks run in the order of `Check.Name`, and the first that does not pass ends the matter. The verifier does
/// no input or output: where it lacks an issuer's keys or a revocation list, it asks for them and is asked again.
public struct Verifier: Sendable {
    /// What cards are verified by.
    public var policy: VerificationPolicy

    public init(policy: VerificationPolicy) {
        self.policy = policy
    }

    /// The verdict on a card, or what has to be known first.
    public enum Step: Sendable {
        case verdict(Verdict)
        case needs(EvidenceRequest)
    }

    /// Judges a card by what is known so far.
    ///
    /// - Parameters:
    ///   - examined: the card, after its form has been examined.
    ///   - evidence: what has been learned of issuers.
    /// - Returns: the verdict, or what to get before asking again. Nothing is ever needed for a card that is
    ///   malformed, or whose issuer is not trusted.
    public func verify(_ examined: ExaminedCard, with evidence: Evidence) -> Step {
        Verification.step(of: examined, in: VerificationSetting(policy: policy, evidence: evidence))
    }
}

/// The verification of one card.
enum Verification {
    /// Judges a card.
    ///
    /// - Parameter key: what is known of the card's key; nil if that is to be found out.
    static func step(
        of examined: ExaminedCard, in setting: VerificationSetting, key: PresumedKey? = nil
    ) -> Verifier.Step {
        var run = VerificationRun(setting)
        do throws(VerificationRun.Interruption) {
            let card = try run.check(examined, key)
            return .verdict(Verdict(.pass(VerifiedCard(card)), of: examined, run: run))
        } catch {
            return end(run, error, of: examined)
        }
    }

    private static func end(
        _ run: VerificationRun, _ interruption: VerificationRun.Interruption, of examined: ExaminedCard
    ) -> Verifier.Step {
        switch interruption {
        case .needs(let request): return .needs(request)
        case .failed(let failure):
            let outcome: Verdict.Outcome = failure.code.isUndetermined ? .undetermined(failure) : .fail(failure)
            return .verdict(Verdict(outcome, of: examined, run: run))
        }
    }
}

/// A card that has passed every check.
///
/// Only `Verifier` makes one, so nothing can report a pass for bytes that were never checked.
public struct VerifiedCard: Sendable {
    /// The card.
    public let card: UnverifiedCard

    // In this file, so that only the verifier above can call it.
    fileprivate init(_ card: UnverifiedCard) {
        self.card = card
    }
}
