import FHIR
import JOSE
import JSON

/// One run of the checks over one card, and what was noted on the way.
struct VerificationRun {
    /// Why the run did not come to its end.
    enum Interruption: Error {
        case failed(VerificationFailure)
        case needs(EvidenceRequest)
    }

    let setting: VerificationSetting
    /// The checks that were the card's own: the first, and those after the key's.
    var ownChecks: [Check] = []
    var trust = IssuerTrust.unchecked
    var keyOrigin: KeyOrigin?
    /// When the key was had from there; nil if that is not known, or is now.
    var keyRetrieved: NumericDate?
    var warnings: [CardWarning] = []
    /// The keys that certificates vouch for, where it is by these that the issuer is trusted.
    var certified: Set<P256PublicKey>?
    /// What the directories say of the issuer that the card names.
    var directoryEntry: DirectoryEntry?
    /// What is to be said of the card's key, where that was asked.
    var standing: KeyStanding?
    /// What was known of the issuer's keys, where that was asked.
    var basis: EvidenceBasis?
    /// For which moments the same is true of the card's key and its issuer.
    var span = ValiditySpan()

    init(_ setting: VerificationSetting) {
        self.setting = setting
        ownChecks.reserveCapacity(Check.Name.allCases.count - KeyStanding.checkCount)
    }

    /// All checks so far, in their order.
    var checks: [Check] { Check.all(ownChecks, standing) }

    /// Runs the checks. What follows a pass of all is the verifier's to say.
    ///
    /// - Parameter key: what is known of the card's key; nil if that is to be found out.
    /// - Returns: the card, which passed.
    /// - Throws: the first failure, or the first thing that has to be known.
    mutating func check(_ examined: ExaminedCard, _ key: PresumedKey?) throws(Interruption) -> UnverifiedCard {
        warnings = examined.presented.warnings
        let card = try checkFormat(examined)
        warnings += card.warnings
        let standing = if let key { key.standing } else { try standing(of: KeyName(card)) }
        let keys = try adopt(standing, for: card)
        try checkSignature(of: card, by: keys, key?.claim)
        try checkValidity(card)
        try checkRevocation(card, standing)
        try checkRecords(card)
        return card
    }

    // MARK: Notes

    mutating func pass(_ name: Check.Name, _ detail: CheckDetail) {
        ownChecks.append(Check(name, .pass, detail))
    }

    mutating func pass(_ name: Check.Name, _ detail: String) { pass(name, .text(detail)) }

    mutating func skip(_ name: Check.Name, _ detail: String) {
        ownChecks.append(Check(name, .skipped, .text(detail)))
    }

    /// Notes the failure, and that the remaining checks are not made.
    mutating func fail(_ name: Check.Name, _ failure: VerificationFailure) -> Interruption {
        ownChecks.append(Check(name, failure.code.isUndetermined ? .undetermined : .fail, .text(failure.message)))
        let done = checks.map(\.name)
        for name in Check.Name.allCases where !done.contains(name) { skip(name, "not reached") }
        return .failed(failure)
    }

    mutating func fail(
        _ name: Check.Name, _ code: ReasonCode, _ message: String, impersonalMessage: String? = nil
    ) -> Interruption {
        fail(name, VerificationFailure(code, message, impersonalMessage: impersonalMessage))
    }

    func quoted(_ text: some CustomStringConvertible) -> String { text.description.quoted() }

    // MARK: Format

    private mutating func checkFormat(_ examined: ExaminedCard) throws(Interruption) -> UnverifiedCard {
        switch examined.card {
        case .failure(let failure): throw fail(.format, failure)
        case .success(let card):
            pass(.format, .form(fhirVersion: card.fhirVersion))
            return card
        }
    }

    // MARK: Trust

    mutating func checkIssuerTrust(_ name: KeyName) throws(Interruption) {
        directoryEntry = setting.policy.trustedIssuers.entry(for: name.issuer)
        guard !setting.policy.trustedIssuers.isEmpty else {
            guard setting.policy.givenKeys.sets(for: name.issuer).isEmpty else {
                trust = .jwks
                return pass(.issuerTrust, "the keys were given to the verifier")
            }
            guard !setting.policy.requiresTrust else {
                trust = .untrusted
                throw fail(
                    .issuerTrust, .issuerNotTrusted,
                    "nothing says that the issuer \(quoted(name.issuer)) is trusted: it is not on any list, and no keys of it were given"
                )
            }
            return skip(.issuerTrust, "no list of trusted issuers was given")
        }
        guard let trust = setting.policy.trustedIssuers.trust(in: name.issuer) else {
            // Beside other lists, anchors serve only where keys are at hand: an issuer that is on no list is not asked.
            if let anchors = setting.policy.trustedIssuers.anchors,
                !setting.policy.trustedIssuers.hasLists || !setting.policy.givenKeys.sets(for: name.issuer).isEmpty
            {
                return try checkTrustByCertificate(name, anchors: anchors)
            }
            self.trust = .untrusted
            var message = "the issuer \(quoted(name.issuer)) is not on any list of trusted issuers that was given"
            if let near = setting.policy.trustedIssuers.nearMiss(of: name.issuer) { message += "; \(near)" }
            throw fail(.issuerTrust, .issuerNotTrusted, message)
        }
        self.trust = trust
        if trust == .directory, setting.policy.trustedIssuers.isMissingFromLists(name.issuer) {
            warnings.append(
                CardWarning(
                    .issuerNotOnList,
                    "the issuer \(quoted(name.issuer)) is in a directory's snapshot, but on no list of issuers that was given: "
                        + "the directory may have removed it"))
        }
        pass(.issuerTrust, trust == .directory ? "the directory lists the issuer" : "the issuer was named as trusted")
    }

    // MARK: Records

    private mutating func checkRecords(_ card: UnverifiedCard) throws(Interruption) {
        guard setting.asksForRecords, let query = setting.policy.recordQuery else {
            return skip(.records, "no records were asked for")
        }
        guard let contents = CardContents(card.claims, names: setting.policy.codeNames) else {
            // What has come so far has one, by its form: no test comes here.
            throw fail(.records, .recordsNotMatching, "the card has no Bundle")
        }
        if let mismatch = query.mismatch(with: contents, names: setting.policy.codeNames) {
            throw fail(
                .records, .recordsNotMatching, mismatch.description, impersonalMessage: mismatch.impersonalDescription)
        }
        pass(.records, "the card records what was asked for")
    }

    // MARK: Signature

    private mutating func signature(of card: UnverifiedCard) throws(Interruption) -> ES256Signature {
        do throws(ES256SignatureError) {
            return try ES256Signature(card.jws.signature)
        } catch {
            throw fail(.signature, .signatureInvalid, error.description)
        }
    }

    /// - Parameter claim: that the first of the keys made the card's signature, and what was found out about that; nil where
    ///   nobody was asked.
    private mutating func checkSignature(
        of card: UnverifiedCard, by keys: [P256PublicKey], _ claim: SignatureClaim?
    ) throws(Interruption) {
        let signature = try signature(of: card)
        let message = card.jws.signingInput
        // An answer counts only where it is about this signature, over this text, by a key that may sign it.
        let claim = claim.flatMap { $0.isMade(of: signature, over: message, byOneOf: keys) ? $0 : nil }
        // A claim that is open is not refuted: EVP has the last word.
        let isSigned =
            claim?.answer == .confirmed
            || keys.contains { key in
                if let claim, claim.answer == .refused, claim.key === key { return false }
                guard let context = setting.context else { return key.isValid(signature, for: message) }
                return key.isValid(signature, for: message, in: context)
            }
        guard isSigned else {
            throw fail(
                .signature, .signatureInvalid,
                "the signature does not verify under the issuer's key \(quoted(card.header.keyID)): the card was "
                    + "changed after it was signed, or somebody else signed it")
        }
        pass(.signature, "ES256")
    }

    // MARK: Validity

    private mutating func checkValidity(_ card: UnverifiedCard) throws(Interruption) {
        guard card.issued <= setting.policy.now else {
            guard card.issued.isPlausiblyMilliseconds else {
                throw fail(
                    .validity, .notYetValid, "the card is valid from \(card.issued), and it is \(setting.policy.now)",
                    impersonalMessage: "the card is valid only from a later time on")
            }
            let meaning = "dates are in seconds since 1970, and read so the card is not valid for thousands of years"
            throw fail(
                .validity, .notYetValid,
                "the card's nbf makes sense only as milliseconds (\(NumericDate(milliseconds: card.issued))); \(meaning)",
                impersonalMessage: "the card's nbf makes sense only as milliseconds; \(meaning)")
        }
        if let expires = card.expires, setting.policy.now >= expires {
            throw fail(
                .validity, .expired, "the card expired at \(expires), and it is \(setting.policy.now)",
                impersonalMessage: "the card has expired")
        }
        pass(.validity, .validity(from: card.issued, to: card.expires))
    }
}
