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

    let policy: VerificationPolicy
    let evidence: Evidence
    var checks: [Check] = []
    var trust = IssuerTrust.unchecked
    var keyOrigin: KeyOrigin?
    /// When the key was had from there; nil where that is not known, or is now.
    var keyRetrieved: NumericDate?
    var warnings: [CardWarning] = []
    /// The keys that certificates vouch for, where it is by these that the issuer is trusted.
    var certified: Set<P256PublicKey>?
    /// What the directories say of the issuer that the card names.
    var directoryEntry: DirectoryEntry?

    init(policy: VerificationPolicy, evidence: Evidence) {
        self.policy = policy
        self.evidence = evidence
    }

    /// Runs all checks.
    ///
    /// - Returns: the card, of which every check has passed or had nothing to check.
    /// - Throws: the first failure, or the first thing that has to be known.
    mutating func check(_ examined: ExaminedCard) throws(Interruption) -> UnverifiedCard {
        warnings += examined.presented.warnings
        let card = try checkFormat(examined)
        warnings += card.warnings
        try checkIssuerTrust(card)
        let (keys, published) = try checkKey(card)
        try checkSignature(card, keys)
        try checkValidity(card)
        try checkRevocation(card, published)
        try checkRecords(card)
        return card
    }

    // MARK: Notes

    mutating func pass(_ name: Check.Name, _ detail: String) {
        checks.append(Check(name, .pass, detail))
    }

    mutating func skip(_ name: Check.Name, _ detail: String) {
        checks.append(Check(name, .skipped, detail))
    }

    /// Notes the failure, and that the remaining checks are not made.
    mutating func fail(_ name: Check.Name, _ failure: VerificationFailure) -> Interruption {
        checks.append(Check(name, failure.code.isUndetermined ? .undetermined : .fail, failure.message))
        let done = checks.map(\.name)
        for name in Check.Name.allCases where !done.contains(name) { skip(name, "not reached") }
        return .failed(failure)
    }

    mutating func fail(_ name: Check.Name, _ code: ReasonCode, _ message: String) -> Interruption {
        fail(name, VerificationFailure(code, message))
    }

    func quoted(_ text: some CustomStringConvertible) -> String { text.description.quoted() }

    // MARK: Format

    private mutating func checkFormat(_ examined: ExaminedCard) throws(Interruption) -> UnverifiedCard {
        switch examined.card {
        case .failure(let failure): throw fail(.format, failure)
        case .success(let card):
            pass(.format, "a JWS with a FHIR \(quoted(card.fhirVersion)) Bundle")
            return card
        }
    }

    // MARK: Trust

    private mutating func checkIssuerTrust(_ card: UnverifiedCard) throws(Interruption) {
        directoryEntry = policy.trustedIssuers.entry(for: card.issuer)
        guard !policy.trustedIssuers.isEmpty else {
            guard policy.givenKeys.sets(for: card.issuer).isEmpty else {
                trust = .jwks
                return pass(.issuerTrust, "the keys were given to the verifier")
            }
            guard !policy.requiresTrust else {
                trust = .untrusted
                throw fail(
                    .issuerTrust, .issuerNotTrusted,
                    "nothing says that the issuer \(quoted(card.issuer)) is trusted: it is on no list, and no keys of it were given"
                )
            }
            return skip(.issuerTrust, "no list of trusted issuers was given")
        }
        guard let trust = policy.trustedIssuers.trust(in: card.issuer) else {
            // Beside other lists, anchors serve only where keys are at hand: an issuer that is on no list is not asked.
            if let anchors = policy.trustedIssuers.anchors,
                !policy.trustedIssuers.hasLists || !policy.givenKeys.sets(for: card.issuer).isEmpty
            {
                return try checkTrustByCertificate(card, anchors: anchors)
            }
            self.trust = .untrusted
            var message = "the issuer \(quoted(card.issuer)) is on no list of trusted issuers that was given"
            if let near = policy.trustedIssuers.nearMiss(of: card.issuer) { message += "; \(near)" }
            throw fail(.issuerTrust, .issuerNotTrusted, message)
        }
        self.trust = trust
        pass(.issuerTrust, trust == .directory ? "the directory lists the issuer" : "the issuer was named as trusted")
    }

    // MARK: Records

    private mutating func checkRecords(_ card: UnverifiedCard) throws(Interruption) {
        guard let query = policy.recordQuery, !query.isEmpty else { return skip(.records, "no records were asked for") }
        guard let contents = CardContents(card.claims, names: policy.codeNames) else {
            throw fail(.records, .recordsNotMatching, "the card has no Bundle")
        }
        if let mismatch = query.mismatch(with: contents, names: policy.codeNames) {
            throw fail(.records, .recordsNotMatching, mismatch.description)
        }
        pass(.records, "the card records what was asked for")
    }

    // MARK: Signature

    private mutating func checkSignature(
        _ card: UnverifiedCard, _ keys: [P256PublicKey]
    ) throws(Interruption) {
        let signature: ES256Signature
        do throws(ES256SignatureError) {
            signature = try ES256Signature(card.jws.signature)
        } catch {
            throw fail(.signature, .signatureInvalid, error.description)
        }
        guard keys.contains(where: { $0.isValid(signature, for: card.jws.signingInput) }) else {
            throw fail(
                .signature, .signatureInvalid,
                "the signature does not verify under the issuer's key \(quoted(card.header.keyID)): the card was changed "
                    + "after it was signed, or somebody else signed it")
        }
        pass(.signature, "ES256")
    }

    // MARK: Validity

    private mutating func checkValidity(_ card: UnverifiedCard) throws(Interruption) {
        guard card.issued <= policy.now else {
            let message =
                if card.issued.isPlausiblyMilliseconds {
                    "the card's nbf makes sense only as milliseconds (\(NumericDate(milliseconds: card.issued))); dates "
                        + "are in seconds since 1970, and read so the card is not valid for thousands of years"
                } else {
                    "the card is valid from \(card.issued), and it is \(policy.now)"
                }
            throw fail(.validity, .notYetValid, message)
        }
        if let expires = card.expires, policy.now >= expires {
            throw fail(.validity, .expired, "the card expired at \(expires), and it is \(policy.now)")
        }
        pass(.validity, "from \(card.issued) " + (card.expires.map { "to \($0)" } ?? "on, without end"))
    }
}
