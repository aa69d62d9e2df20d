import Credentials
import Cryptography
import Encodings
import FHIR

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
        return message
            + "; the card does verify with another key of this issuer, \(keyID.quoted()): the issuer names the wrong key in its cards"
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
