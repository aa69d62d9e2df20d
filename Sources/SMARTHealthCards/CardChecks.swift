import Credentials
import Cryptography
import FHIR
import JOSE
import StrictJSON

/// Why the verification of a card stopped before the last check.
enum Interruption: Error {
    /// A check did not pass.
    case failed(VerificationFailure)
    /// Keys or a revocation list must be fetched first.
    case needs(EvidenceRequest)
}

/// Runs the checks on one card.
struct CardChecks {
    let examined: ExaminedCard
    let setting: VerificationSetting
    var list: CheckList

    /// Verifies a card with the evidence so far.
    ///
    /// - Parameter key: the results for the card's key, if they are known already; nil to find them out.
    /// - Returns: the verdict, or what must be fetched first.
    static func step(
        of examined: ExaminedCard, in setting: VerificationSetting, key: PresumedKey? = nil
    ) -> VerificationStep {
        var run = CardChecks(
            examined: examined, setting: setting,
            list: CheckList(setting.policy.revocationRequirement, warnings: examined.presented.warnings))
        do throws(Interruption) {
            try run.check(key)
        } catch {
            if case .needs(let request) = error { return .needs(request) }
        }
        return .verdict(Verdict(of: examined, run.list))
    }

    /// Makes the checks in order.
    ///
    /// - Throws: the first failure, which is then on the list, or the first request for evidence.
    private mutating func check(_ key: PresumedKey?) throws(Interruption) {
        let card = try checkFormat()
        list.warn(card.warnings)
        let standing = if let key { key.standing } else { try KeyInquiry.standing(of: KeyName(card), in: setting) }
        let candidates = try adopt(standing, for: card)
        try checkSignature(of: card, by: candidates, key?.claim)
        try checkValidity(card, standing)
        try checkRevocation(card, standing)
        try checkRecords()
    }

    mutating func fail(
        _ name: Check.Name, _ failure: VerificationFailure, only shortcoming: Shortcoming? = nil,
        besides objections: [Objection] = []
    ) -> Interruption {
        list.fail(name, failure, only: shortcoming, besides: objections)
        return .failed(failure)
    }

    mutating func fail(
        _ name: Check.Name, _ code: ReasonCode, _ message: String, impersonalMessage: String? = nil
    ) -> Interruption {
        fail(name, VerificationFailure(code, message, impersonalMessage: impersonalMessage))
    }

    // MARK: Format

    private mutating func checkFormat() throws(Interruption) -> UnverifiedCard {
        switch examined.card {
        case .failure(let failure): throw fail(.format, failure)
        case .success(let card):
            let version = card.fhirVersion
            list.pass(.format, .later { "a JWS with a FHIR \(version.quoted()) Bundle" })
            return card
        }
    }

    // MARK: Key

    /// Adds the results for the card's key to the list.
    ///
    /// - Returns: the keys with which the card may verify.
    private mutating func adopt(
        _ standing: KeyStanding, for card: UnverifiedCard
    ) throws(Interruption) -> KeyStanding.Candidates {
        list.adopt(standing.notes)
        switch standing.outcome {
        case .found(let candidates): return candidates
        case .absent(let keySet): throw fail(.key, .keyNotFound, keyNotFound(card, keySet))
        case .failed(let failure):
            list.end(with: failure)
            throw .failed(failure)
        }
    }

    private static let maximumHintKeys = 8

    private func keyNotFound(_ card: UnverifiedCard, _ keySet: JWKSet) -> String {
        // Keys that were given say nothing about what the issuer publishes.
        let who =
            switch list.key?.origin {
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
        return message
            + "; the card does verify with another key of this issuer, \((other.keyID ?? other.key.thumbprint).quoted()): "
            + "the issuer names the wrong key in its cards"
    }

    // MARK: Signature

    private mutating func signature(of card: UnverifiedCard) throws(Interruption) -> ES256Signature {
        do throws(ES256SignatureError) {
            return try ES256Signature(card.jws.signature)
        } catch {
            throw fail(.signature, .signatureInvalid, error.description)
        }
    }

    /// The check `signature`.
    ///
    /// - Parameters:
    ///   - card: the card.
    ///   - candidates: the keys with which the card may verify.
    ///   - claim: the claim that the first key made the signature, with the answer if the claim was checked in advance; nil if
    ///     there is no claim.
    private mutating func checkSignature(
        of card: UnverifiedCard, by candidates: KeyStanding.Candidates, _ claim: SignatureClaim?
    ) throws(Interruption) {
        let keys = candidates.keys
        let signature = try signature(of: card)
        let message = card.jws.signingInput
        guard keys.contains(where: { $0.isValid(signature, for: message, in: setting.context, claim: claim) }) else {
            if let omission = candidates.omission {
                throw fail(
                    .signature, .keysUnavailable,
                    "the signature verifies with none of the keys \(card.header.keyID.quoted()) that were tried, but \(omission)"
                )
            }
            throw fail(
                .signature, .signatureInvalid,
                "the signature does not verify with the issuer's key \(card.header.keyID.quoted()): the card was "
                    + "changed after it was signed, or somebody else signed it")
        }
        list.pass(.signature, .text("ES256"))
    }

    // MARK: Validity

    private mutating func checkValidity(_ card: UnverifiedCard, _ standing: KeyStanding) throws(Interruption) {
        guard card.issued <= setting.policy.now else {
            guard card.issued.isPlausiblyMilliseconds else {
                throw fail(
                    .validity,
                    VerificationFailure(
                        .notYetValid,
                        "the card is valid only from \(card.issued), and the time is \(setting.policy.now.toTheSecond)",
                        impersonalMessage: "the card is not valid yet"),
                    only: .notYetValid, besides: objections(to: card, standing))
            }
            let meaning = "it must be in seconds since 1970, and as seconds it is thousands of years in the future"
            throw fail(
                .validity,
                VerificationFailure(
                    .notYetValid,
                    "the card's nbf makes sense only in milliseconds (\(NumericDate(milliseconds: card.issued))): \(meaning)",
                    impersonalMessage: "the card's nbf makes sense only in milliseconds: \(meaning)"),
                only: .notYetValid, besides: objections(to: card, standing))
        }
        if let expires = card.expires, setting.policy.now >= expires {
            throw fail(
                .validity,
                VerificationFailure(
                    .expired, "the card expired at \(expires), and the time is \(setting.policy.now.toTheSecond)",
                    impersonalMessage: "the card has expired"),
                only: .lapse(.expired(expires)), besides: objections(to: card, standing))
        }
        list.pass(.validity, .validity(from: card.issued, to: card.expires))
    }

    /// What is wrong with a card that is not valid now, besides that: it was at no time, a list at hand names it, or it lacks the
    /// records that are required.
    private func objections(to card: UnverifiedCard, _ standing: KeyStanding) -> [Objection] {
        var objections: [Objection] = []
        if let expires = card.expires, expires <= card.issued { objections.append(.neverValid) }
        if isNamed(card, by: standing.lists.all) { objections.append(.revoked) }
        return objections + [recordsObjection].compactMap(\.self)
    }

    /// What is wrong with the records of the card; nil if nothing is, or if none were required.
    var recordsObjection: Objection? {
        guard setting.asksForRecords, let query = setting.policy.recordQuery,
            let contents = CardContents(examined, names: setting.policy.codeNames)
        else { return nil }
        return CheckList.objection(
            of: query, to: contents, signedTypes: examined.claims?.types ?? [], names: setting.policy.codeNames)
    }

    // MARK: Records

    private mutating func checkRecords() throws(Interruption) {
        guard setting.asksForRecords, let query = setting.policy.recordQuery else {
            return list.skip(.records, .notAsked, "no records were required")
        }
        guard let contents = CardContents(examined, names: setting.policy.codeNames) else {
            // Cannot happen: the check of the format requires a Bundle.
            throw fail(.records, .recordsNotMatching, "the card has no Bundle")
        }
        let problem = list.checkRecords(
            query, in: contents, signedTypes: examined.claims?.types ?? [], names: setting.policy.codeNames,
            of: "the card")
        if let problem { throw fail(.records, problem, only: Shortcoming(recordsFailure: problem)) }
    }
}
