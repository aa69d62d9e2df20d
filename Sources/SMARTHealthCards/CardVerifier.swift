package import Credentials
package import Cryptography
import Encodings
import Inputs

/// Verifies health cards with one policy: one card, or millions one after the other.
///
/// The checks run in the order of `Check.Name`, and stop at the first check that does not pass. The verifier does no input or
/// output. If it needs an issuer's keys or a revocation list, it returns a request. The caller fetches the answer, adds it to the
/// `EvidenceAnswers` and calls the verifier again.
///
/// A verifier belongs to one thread. It keeps what later cards may need again: the state of zlib and OpenSSL, imported keys,
/// parsed headers and issuers. None of this changes a verdict.
package final class CardVerifier {
    private var policy: CardPolicy
    private let inflater: Inflater
    private var budget: PayloadBudget
    private let context = VerificationContext()
    private let recent = ParseCache()
    private let statuses = KeyStatusCache()
    /// Confirms signatures faster than OpenSSL's EVP; nil if only EVP is used.
    private let confirmer: (any SignatureConfirmer)?

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - policy: the policy.
    ///   - precomputation: tables that the threads of a run share to confirm signatures faster than OpenSSL's EVP; nil to use
    ///     only EVP.
    ///   - totalPayloadSize: the size of the inflated payloads of all cards together, in bytes, after which no further card is
    ///     judged: it is `unreadable-input`, which says nothing about the card. nil for any size. `Bounds.inputPayloadSize` is
    ///     meant for one input.
    /// - Throws: `OutOfMemory` if memory runs out (for zlib's state).
    package convenience init(
        policy: CardPolicy, precomputation: Precomputation? = nil, totalPayloadSize: Int? = nil
    ) throws(OutOfMemory) {
        try self.init(policy: policy, confirmer: precomputation?.confirmer(), totalPayloadSize: totalPayloadSize)
    }

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - policy: the policy.
    ///   - confirmer: confirms signatures faster than EVP; nil to use only EVP.
    ///   - totalPayloadSize: as in the public initialiser.
    /// - Throws: `OutOfMemory` if memory runs out (for zlib's state).
    package init(
        policy: CardPolicy, confirmer: (any SignatureConfirmer)?, totalPayloadSize: Int? = nil
    ) throws(OutOfMemory) {
        self.policy = policy
        self.confirmer = confirmer
        budget = PayloadBudget(totalPayloadSize)
        guard let inflater = try? Inflater() else { throw OutOfMemory() }
        self.inflater = inflater
    }

    /// The moment for which cards are verified. Its first value comes from the policy, and it may be changed between cards.
    package var now: NumericDate {
        get { policy.now }
        set {
            policy.now = newValue
            statuses.turn(to: newValue)
        }
    }

    /// The moment at which the ages of directories are counted, if it is another than `now`. Its first value comes from the policy.
    package var listsAreJudgedAt: NumericDate? {
        get { policy.listsAreJudgedAt }
        set {
            guard policy.listsAreJudgedAt != newValue else { return }
            policy.listsAreJudgedAt = newValue
            // What is remembered of keys was right for the age of the directories before.
            if policy.maximumDirectoryAge != nil { statuses.removeAll() }
        }
    }

    /// Whether to try the issuer's other keys if the key that a card names does not exist, to give a hint. Its first value comes
    /// from the policy.
    package var hintsAtOtherKeys: Bool {
        // Nothing in the caches depends on it.
        get { policy.hintsAtOtherKeys }
        set { policy.hintsAtOtherKeys = newValue }
    }

    // MARK: Reading

    /// Reads an input in any form, and examines the cards in it.
    ///
    /// - Parameters:
    ///   - bytes: the whole input: a `.smart-health-card` file, a JWS, the text of QR codes, `Parameters` or a deep link.
    ///   - source: the name of the input in reports.
    /// - Returns: the cards in order. There is at least one: an input without a card gives a card that cannot be read. An EU
    ///   certificate is `unsupported-credential`: `HCERTVerifier` verifies those.
    package func read(_ bytes: [UInt8], source: String) -> [ExaminedCard] {
        var reader = CredentialReader()
        reader.add(bytes, source: source)
        return reader.cards().map { examine($0) }
    }

    /// Examines the form of a card. Nothing is verified.
    package func examine(_ card: PresentedCredential) -> ExaminedCard {
        let refused = card.kind == .healthCertificate ? Self.refusing(card) : budget.refused(card)
        let examined = ExaminedCard(
            refused ?? card, inflater: inflater, maximumPayloadSize: Bounds.payloadSize, recent: recent)
        budget.spend(examined.spentPayloadSize)
        return examined
    }

    /// A credential of another kind, with the reason why it is not judged here.
    private static func refusing(_ credential: PresentedCredential) -> PresentedCredential {
        guard case .success = credential.text else { return credential }
        return credential.failing(
            with: VerificationFailure(
                .unsupportedCredential,
                "this is an EU Digital COVID Certificate, and only SMART Health Cards are verified here"))
    }

    /// Decodes a card as far as possible, even if it has errors. Nothing is verified.
    package func inspect(_ card: PresentedCredential) -> CredentialInspection {
        let inspection = CredentialInspection(examine(card), inflater: inflater)
        if inspection.failure != nil { budget.spend(inspection.payload?.text.count ?? 0) }
        return inspection
    }

    // MARK: Verifying

    /// Verifies a card with the evidence so far.
    ///
    /// - Parameters:
    ///   - card: the card.
    ///   - evidence: the answers that were fetched so far.
    /// - Returns: the verdict, or the evidence to fetch before the card is verified again.
    package func verify(_ card: ExaminedCard, with evidence: EvidenceAnswers) -> VerificationStep {
        CardChecks.step(of: card, in: setting(evidence))
    }

    /// Verifies several cards together, which is faster than one by one. The verdicts are the same.
    ///
    /// - Returns: the result for each card, in the order of the cards.
    package func verify(_ cards: [ExaminedCard], with evidence: EvidenceAnswers) -> [VerificationStep] {
        let setting = setting(evidence)
        let statuses = cards.map { setting.knownStanding(of: $0) }
        // One claim per card; nil if the card has no signature or no known key. The confirmer only confirms claims. Claims that
        // stay open are verified with EVP. Only `Cryptography` can set an answer, and `checkSignature` uses an answer only if it
        // is about the card's own signature.
        var claims = cards.indices.map { statuses[$0]?.claim(of: cards[$0]) }
        if let confirmer { confirmer.answer(&claims) } else { context?.answer(&claims) }
        return cards.indices.map { place in
            let key = statuses[place].map { PreverifiedSignature(keyStatus: $0, claim: claims[place]) }
            return CardChecks.step(of: cards[place], in: setting, key: key)
        }
    }

    /// The number of cards that should be verified together for the best speed.
    package var bestCount: Int { confirmer?.bestCount ?? VerificationContext.bestCount }

    private func setting(_ evidence: EvidenceAnswers) -> VerificationSetting {
        VerificationSetting(policy: policy, evidence: evidence, statuses: statuses, context: context)
    }
}
