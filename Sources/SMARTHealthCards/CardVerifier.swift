package import Credentials
package import Cryptography
import Encodings
import FHIR
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

/// Runs the checks on one card.
struct CardChecks: CredentialChecks {
    /// The keys with which a card may verify.
    struct Key {
        /// What holds for every card of the key that the card names.
        let keyStatus: KeyStatus
        /// The keys with that key ID.
        let candidates: KeyStatus.Candidates
    }

    let examined: ExaminedCard
    let setting: VerificationSetting
    /// The results for the card's key, if they are known already; nil to find them out.
    let presumed: PreverifiedSignature?
    var warnings: [CredentialWarning] = []

    var revocationRequirement: RevocationRequirement { setting.policy.revocationRequirement }

    /// Verifies a card with the evidence so far.
    ///
    /// - Parameter key: the results for the card's key, if they are known already; nil to find them out.
    /// - Returns: the verdict, or what must be fetched first.
    static func step(
        of examined: ExaminedCard, in setting: VerificationSetting, key: PreverifiedSignature? = nil
    ) -> VerificationStep {
        var checks = CardChecks(examined: examined, setting: setting, presumed: key)
        do throws(EvidenceNeeded) {
            return .verdict(try checks.verdict(on: examined))
        } catch {
            return .needs(error.request)
        }
    }

    // MARK: Format

    mutating func format() -> FormFinding<UnverifiedCard> {
        let slashed = examined.slashedIssuer
        if let slashed, !setting.policy.trustsByName(slashed), let failure = examined.strictFailure {
            return .wrong(failure)
        }
        switch examined.card {
        case .failure(let failure): return .wrong(failure)
        case .success(let card):
            if let slashed {
                warnings.add(
                    .issuerTrailingSlash,
                    "the issuer's URL \(slashed.url.quoted()) ends with a slash, which the specification forbids; exactly this URL "
                        + "is trusted by name", path: "iss")
            }
            warnings += card.warnings
            warnings += coverageWarnings(of: card)
            let version = card.fhirVersion
            return .correct(card, .later { "a JWS with a FHIR \(version.quoted()) Bundle" })
        }
    }

    /// Says that an insurance card is not in force. Its signature is good all the same.
    private func coverageWarnings(of card: UnverifiedCard) -> [CredentialWarning] {
        let lapse = CoverageForce.firstLapse(in: card.fhirBundle, at: { FHIRDate(setting.policy.now) })
        guard let lapse else { return [] }
        return [
            CredentialWarning(
                .coverageNotInForce, "a coverage on the card is not in force: it \(lapse.words)",
                path: "vc.credentialSubject.fhirBundle.entry[\(lapse.entryIndex)].resource")
        ]
    }

    // MARK: Key

    func key(of card: UnverifiedCard) throws(EvidenceNeeded) -> KeyFinding<Key> {
        let keyStatus =
            if let presumed { presumed.keyStatus } else { try KeyResolver.keyStatus(of: KeyName(card), in: setting) }
        let notes = keyStatus.notes
        return switch keyStatus.outcome {
        case .found(let candidates): .found(notes, Key(keyStatus: keyStatus, candidates: candidates))
        case .absent(let keySet):
            .absent(notes, VerificationFailure(.keyNotFound, keyNotFound(card, keySet, from: notes.origin)))
        case .failed: .none(notes)
        }
    }

    private static let maximumHintKeys = 8

    private func keyNotFound(_ card: UnverifiedCard, _ keySet: JWKSet, from origin: KeyOrigin?) -> String {
        // Keys that were given say nothing about what the issuer publishes.
        let who =
            switch origin {
            case .jwksFile: "no given key has"
            case .directory: "the directory has no key of the issuer with"
            case .cache, .network, nil: "the issuer publishes no key with"
            }
        let message = "\(who) the key ID \(card.header.keyID.quoted()) that the card names"
        guard setting.policy.hintsAtOtherKeys, let signature = try? ES256Signature(card.jws.signature) else {
            return message
        }
        // This is only a hint, so only a few keys are tried, each once: a malicious set could have thousands.
        var tried: Set<P256PublicKey> = []
        let candidates = keySet.keys.lazy.filter { $0.value["kty"]?.isString("EC") == true }
        let others = keySet.limited(to: Array(candidates.prefix(Self.maximumHintKeys))).allUsable
        let other = others.first { _, key in
            tried.insert(key).inserted && key.isValid(signature, for: card.jws.signingInput)
        }
        guard let other else { return message }
        guard let keyID = other.keyID else {
            return message
                + "; the card does verify with a key in this key set that has no \"kid\" (key ID), by which cards name their key"
        }
        // What the card names decides whose fault it is (SHC-K2).
        return message
            + (other.key.thumbprint == card.header.keyID
                ? "; this key set has the key under another key ID, \(keyID.quoted()), which is not its thumbprint: correct the key set"
                : "; the card does verify with another key of this issuer, \(keyID.quoted()): the issuer names the wrong key in its cards")
    }

    // MARK: Signature

    func signature(of card: UnverifiedCard, by key: Key) -> CheckResult {
        let signature: ES256Signature
        do throws(ES256SignatureError) {
            signature = try ES256Signature(card.jws.signature)
        } catch {
            return .fail(VerificationFailure(.signatureInvalid, error.description))
        }
        let message = card.jws.signingInput
        let isValid = key.candidates.keys.contains {
            $0.isValid(signature, for: message, in: setting.context, claim: presumed?.claim)
        }
        guard !isValid else { return .pass(.text("ES256")) }
        if let omission = key.candidates.omission {
            return .fail(
                VerificationFailure(
                    .keysUnavailable,
                    "the signature verifies with none of the keys \(card.header.keyID.quoted()) that were tried, but \(omission)"
                ))
        }
        return .fail(
            VerificationFailure(
                .signatureInvalid,
                "the signature does not verify with the issuer's key \(card.header.keyID.quoted()): the card was "
                    + "changed after it was signed, or somebody else signed it"))
    }

    // MARK: Validity

    func validity(of card: UnverifiedCard, by key: Key) -> CheckResult {
        let now = setting.policy.now
        guard card.issued <= now else {
            let message: String
            let impersonalMessage: String
            if card.issued.isPlausiblyMilliseconds {
                let meaning = "it must be in seconds since 1970, and as seconds it is thousands of years in the future"
                let begin = "the card's nbf makes sense only in milliseconds"
                message = "\(begin) (\(NumericDate(milliseconds: card.issued))): \(meaning)"
                impersonalMessage = "\(begin): \(meaning)"
            } else {
                message = "the card is valid only from \(card.issued), and the time is \(now.toTheSecond)"
                impersonalMessage = "the card is not valid yet"
            }
            return .fail(
                VerificationFailure(.notYetValid, message, impersonalMessage: impersonalMessage), only: .notYetValid,
                besides: objections(to: card, key.keyStatus))
        }
        if let expires = card.expires, now >= expires {
            return .fail(
                VerificationFailure(
                    .expired, "the card expired at \(expires), and the time is \(now.toTheSecond)",
                    impersonalMessage: "the card has expired"),
                only: .lapse(.expired(expires)), besides: objections(to: card, key.keyStatus))
        }
        return .pass(.validity(from: card.issued, to: card.expires))
    }

    /// What is wrong with a card that is not valid now, besides that: it was at no time, a list at hand names it, or it lacks the
    /// records that are required.
    private func objections(to card: UnverifiedCard, _ keyStatus: KeyStatus) -> [Objection] {
        var objections: [Objection] = []
        if let expires = card.expires, expires <= card.issued { objections.append(.neverValid) }
        if isNamed(card, by: keyStatus.lists.all) { objections.append(.revoked) }
        return objections + [recordsObjection].compactMap(\.self)
    }

    /// What is wrong with the records of the card; nil if nothing is, or if none were required.
    var recordsObjection: Objection? {
        guard setting.asksForRecords, let query = setting.policy.recordQuery,
            let contents = CardContents(examined, names: setting.policy.codeNames, at: setting.policy.now)
        else { return nil }
        return Self.objection(
            of: query, to: contents, signedTypes: examined.claims?.types ?? [], names: setting.policy.codeNames)
    }

    // MARK: Records

    mutating func records(of card: UnverifiedCard) -> CheckResult {
        guard setting.asksForRecords, let query = setting.policy.recordQuery else {
            return .skip(.notAsked, "no records were required")
        }
        guard let contents = CardContents(examined, names: setting.policy.codeNames, at: setting.policy.now) else {
            // Cannot happen: the check of the format requires a Bundle.
            return .fail(VerificationFailure(.recordsNotMatching, "the card has no Bundle"))
        }
        return result(
            of: query, in: contents, signedTypes: examined.claims?.types ?? [], names: setting.policy.codeNames,
            of: "the card")
    }
}
