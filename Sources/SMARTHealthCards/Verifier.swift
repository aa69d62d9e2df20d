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

/// The verification of one card, in two steps: all that comes before the signature, and the signature with all that
/// follows it. In between the signatures of many cards can be looked at together.
final class Verification {
    private enum State {
        case prepared(VerificationRun.Candidate)
        case ended(VerificationRun.Interruption)
    }

    private let examined: ExaminedCard
    private var run: VerificationRun
    private let state: State

    /// Runs the checks before the signature's.
    init(of examined: ExaminedCard, in setting: VerificationSetting) {
        self.examined = examined
        run = VerificationRun(setting)
        do throws(VerificationRun.Interruption) {
            state = .prepared(try run.prepare(examined))
        } catch {
            state = .ended(error)
        }
    }

    /// Both steps at once.
    static func step(of examined: ExaminedCard, in setting: VerificationSetting) -> Verifier.Step {
        var run = VerificationRun(setting)
        do throws(VerificationRun.Interruption) {
            return try finish(&run, with: try run.prepare(examined), of: examined, claim: nil)
        } catch {
            return end(run, error, of: examined)
        }
    }

    /// That the card's key made its signature, which is still to be found out; nil where it does not matter any more.
    var claim: SignatureClaim? {
        guard case .prepared(let candidate) = state, let key = candidate.keys.first else { return nil }
        return SignatureClaim(signature: candidate.signature, key: key, message: candidate.card.jws.signingInput)
    }

    /// Runs the signature's check and the others.
    ///
    /// - Parameter claim: the claim, after somebody has tried to confirm it; nil where nobody has.
    func finish(_ claim: SignatureClaim?) -> Verifier.Step {
        do throws(VerificationRun.Interruption) {
            switch state {
            case .prepared(let candidate): return try Self.finish(&run, with: candidate, of: examined, claim: claim)
            case .ended(let interruption): throw interruption
            }
        } catch {
            return Self.end(run, error, of: examined)
        }
    }

    private static func finish(
        _ run: inout VerificationRun, with candidate: VerificationRun.Candidate, of examined: ExaminedCard,
        claim: SignatureClaim?
    ) throws(VerificationRun.Interruption) -> Verifier.Step {
        try run.finish(candidate, claim: claim)
        return .verdict(Verdict(.pass(VerifiedCard(candidate.card)), of: examined, run: run))
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
