public import Deflate
import JOSE

/// Verifies many cards, by one policy, on one thread.
///
/// What it says of a card is what `Verifier` says; it only takes less time for it. What one card needs and the next
/// needs again is kept: the state of zlib and OpenSSL, keys that were imported, headers and issuers that were met before.
public final class BulkVerifier {
    /// What came of a card.
    public enum Outcome: Sendable {
        /// The verdict.
        case verdict(Verdict)
        /// What has to be known of its issuer first; the card, examined, is to be brought again.
        case needs(EvidenceRequest, ExaminedCard)
    }

    private var policy: VerificationPolicy
    private let inflater: Inflater
    private let context = VerificationContext()
    private let recent = RecentForms()
    private let standings = KeyStandings()
    /// Nil if signatures are to be asked of EVP alone, or libcrypto lacks what is faster.
    private let confirmer: SignatureConfirmer?

    /// The moment for which cards are verified; at first the policy's. It may change from call to call.
    public var now: NumericDate {
        get { policy.now }
        set {
            policy.now = newValue
            standings.turn(to: newValue)
        }
    }

    /// Whether to look for a key that a card verifies under in place of the one it names; at first what the policy says.
    public var hintsAtOtherKeys: Bool {
        // Nothing that is kept from card to card depends on it.
        get { policy.hintsAtOtherKeys }
        set { policy.hintsAtOtherKeys = newValue }
    }

    /// - Parameters:
    ///   - policy: what cards are verified by.
    ///   - precomputation: what the threads of a run share to confirm signatures faster than EVP verifies them; nil to ask
    ///     EVP alone.
    /// - Throws: `InflateError` if there is no memory for zlib's state.
    public init(policy: VerificationPolicy, precomputation: Precomputation? = nil) throws(InflateError) {
        self.policy = policy
        inflater = try Inflater()
        confirmer = precomputation.flatMap { SignatureConfirmer(tables: $0.tables) }
    }

    /// How many cards are best verified together: enough to share the modular inversion of their signatures, where that is
    /// of use, and so few that the first is still in the processor's cache when the last has been verified. Seven is how many
    /// pieces of a size glibc's `free` keeps at hand for a thread's next `malloc`.
    public var bestCount: Int { confirmer == nil ? 7 : 32 }

    /// Examines the form of one card, to be verified together with others. A caller that does not know the cards to be small
    /// examines one after the other, and so knows how much they hold.
    public func examine(_ card: PresentedCard) -> ExaminedCard {
        ExaminedCard(card, inflater: inflater, maximumPayloadSize: Bounds.payloadSize, recent: recent)
    }

    /// Examines and verifies cards.
    ///
    /// - Returns: what came of each, in their order.
    public func verify(_ cards: [PresentedCard], with evidence: Evidence) -> [Outcome] {
        verify(cards.map { examine($0) }, with: evidence)
    }

    /// Verifies cards that have been examined, once what they needed is known.
    ///
    /// The signatures by keys that were met before are looked at together, before the cards are judged one by one.
    public func verify(_ cards: [ExaminedCard], with evidence: Evidence) -> [Outcome] {
        let setting = VerificationSetting(policy: policy, evidence: evidence, standings: standings, context: context)
        let standings = cards.map { setting.knownStanding(of: $0) }
        // By card; nil if there is nothing to find out. None is refuted by the confirmer: those that stay open are asked of
        // EVP, whose answer stands. Only JOSE can set an answer, and a verification heeds one only where it is on its own
        // card's signature.
        var claims = cards.indices.map { standings[$0]?.claim(of: cards[$0]) }
        if let confirmer { confirmer.confirm(&claims) } else { context?.answer(&claims) }
        return cards.indices.map { place in
            let key = standings[place].map { PresumedKey(standing: $0, claim: claims[place]) }
            return Self.outcome(Verification.step(of: cards[place], in: setting, key: key), cards[place])
        }
    }

    private static func outcome(_ step: Verifier.Step, _ card: ExaminedCard) -> Outcome {
        switch step {
        case .verdict(let verdict): .verdict(verdict)
        case .needs(let request): .needs(request, card)
        }
    }
}
