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
    private(set) var checks: [Check] = []
    private(set) var trust = IssuerTrust.unchecked
    private(set) var keyOrigin: KeyOrigin?
    private(set) var warnings: [CardWarning] = []

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
        skip(.records, "no records were asked for")
        return card
    }

    // MARK: Notes

    private mutating func pass(_ name: Check.Name, _ detail: String) {
        checks.append(Check(name, .pass, detail))
    }

    private mutating func skip(_ name: Check.Name, _ detail: String) {
        checks.append(Check(name, .skipped, detail))
    }

    /// Notes the failure, and that the remaining checks are not made.
    private mutating func fail(_ name: Check.Name, _ failure: VerificationFailure) -> Interruption {
        checks.append(Check(name, failure.code.isUndetermined ? .undetermined : .fail, failure.message))
        let done = checks.map(\.name)
        for name in Check.Name.allCases where !done.contains(name) { skip(name, "not reached") }
        return .failed(failure)
    }

    private mutating func fail(_ name: Check.Name, _ code: ReasonCode, _ message: String) -> Interruption {
        fail(name, VerificationFailure(code, message))
    }

    private func quoted(_ text: some CustomStringConvertible) -> String {
        JSONWriter.quoted(String(text.description.prefix(200)))
    }

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
        guard !policy.trustedIssuers.isEmpty else {
            guard policy.givenKeys.sets(for: card.issuer).isEmpty else {
                trust = .jwks
                return pass(.issuerTrust, "the keys were given to the verifier")
            }
            return skip(.issuerTrust, "no list of trusted issuers was given")
        }
        guard let trust = policy.trustedIssuers.trust(in: card.issuer) else {
            self.trust = .untrusted
            var message = "the issuer \(quoted(card.issuer)) is on no list of trusted issuers that was given"
            if let near = policy.trustedIssuers.nearMiss(of: card.issuer) {
                message += "; \(quoted(near)) is, and differs only in case or in a trailing slash (issuers are compared exactly)"
            }
            throw fail(.issuerTrust, .issuerNotTrusted, message)
        }
        self.trust = trust
        pass(.issuerTrust, "the issuer was named as trusted")
    }

    // MARK: Key

    /// The keys of the id that the card names. More than one only where the issuer published several under one id.
    private mutating func checkKey(
        _ card: UnverifiedCard
    ) throws(Interruption) -> (keys: [P256PublicKey], published: [JWK]) {
        let keySet = try keySet(card)
        let keyID = card.header.keyID
        switch keySet.resolve(keyID) {
        case .found(let keys):
            let published = keySet.keys.filter { $0.keyID == keyID }
            try checkCertificates(published)
            pass(.key, "\(quoted(keyID)), \(Self.words(for: keyOrigin))")
            return (keys, published)
        case .unusable(let error):
            throw fail(
                .key, .keyInvalid, "the issuer's key \(quoted(keyID)) cannot verify anything: \(error.message)")
        case .absent:
            throw fail(.key, .keyNotFound, keyNotFound(card, keySet))
        }
    }

    private mutating func keySet(_ card: UnverifiedCard) throws(Interruption) -> JWKSet {
        let given = policy.givenKeys.sets(for: card.issuer)
        if !given.isEmpty {
            keyOrigin = .jwksFile
            return JWKSet(merging: given)
        }
        switch evidence.keys[card.issuer] {
        case nil: throw .needs(.keys(card.issuer))
        case .failure(let failure): throw fail(.key, failure)
        case .success(let keys):
            keyOrigin = keys.origin
            return keys.set
        }
    }

    private static func words(for origin: KeyOrigin?) -> String {
        switch origin {
        case .jwksFile: "from a given key set"
        case .directory: "from a directory"
        case .cache: "from the cache"
        case .network, nil: "from the issuer's server"
        }
    }

    private func keyNotFound(_ card: UnverifiedCard, _ keySet: JWKSet) -> String {
        let message = "the issuer publishes no key of the id \(quoted(card.header.keyID)) that the card names"
        guard let signature = try? ES256Signature(card.jws.signature),
            let other = keySet.allUsable.first(where: { $0.key.isValid(signature, for: card.jws.signingInput) })
        else { return message }
        return message
            + "; the card does verify under another key of this issuer, \(quoted(other.keyID ?? other.key.thumbprint)): "
            + "the issuer names the wrong key in its cards"
    }

    /// Where the verifier has no anchors a certificate is neither trusted nor fatal, but one of another key is a
    /// contradiction in what the issuer publishes (SHC-K7).
    private mutating func checkCertificates(_ published: [JWK]) throws(Interruption) {
        for jwk in published where jwk.value["x5c"] != nil {
            guard let key = try? jwk.publicKey() else { continue }
            let match =
                if let leaf = try? jwk.certificates.first { key.matches(certificate: leaf) } else {
                    CertificateKeyMatch.unreadable
                }
            switch match {
            case .same: continue
            case .different:
                throw fail(
                    .key, .certificateInvalid,
                    "the certificate (x5c) of the key \(quoted(key.thumbprint)) is of another key")
            case .unreadable:
                warnings.append(CardWarning(.certificateUnusable, "the key's certificate (x5c) cannot be read"))
            }
        }
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

    // MARK: Revocation

    private mutating func checkRevocation(_ card: UnverifiedCard, _ published: [JWK]) throws(Interruption) {
        let keyID = card.header.keyID
        let versions = published.compactMap { $0.value["crlVersion"] }
        var lists = policy.givenLists.filter { $0.keyID == keyID }
        guard !versions.isEmpty || !lists.isEmpty else {
            return skip(.revocation, "the key has no revocation list")
        }
        guard let revocationID = card.revocationID else {
            return skip(.revocation, "the card has no identifier (rid) to look up in a revocation list")
        }
        if lists.isEmpty {
            let name = RevocationListName(issuer: card.issuer, keyID: keyID)
            switch evidence.lists[name] {
            case nil: throw .needs(.revocationList(name))
            case .failure(let failure): throw fail(.revocation, failure)
            case .success(let list): lists = [list]
            }
        }
        let usable = lists.filter { $0.defect == nil }
        let newest = usable.compactMap(\.counter).max()
        let isCurrent = versions.allSatisfy { version in
            guard let version = RevocationCounter(version), let newest else { return false }
            return newest >= version
        }
        if isCurrent, usable.contains(where: { $0.lists(revocationID, issued: card.issued) }) {
            throw fail(.revocation, .revoked, "the issuer has withdrawn this card: its revocation list names it")
        }
        if let defect = lists.lazy.compactMap(\.defect).first {
            throw fail(
                .revocation, .revocationUnavailable,
                "nothing can be concluded from the revocation list of the key \(quoted(keyID)): \(defect)")
        }
        guard isCurrent else {
            throw fail(
                .revocation, .revocationUnavailable,
                "the key says that its revocation list has version "
                    + "\(versions.map { String(decoding: $0.rawBytes.prefix(40), as: UTF8.self) }.joined(separator: ", ")), "
                    + "and the list at hand has \(newest.map(\.description) ?? "none")")
        }
        pass(.revocation, "not on the issuer's revocation list" + (newest.map { ", version \($0)" } ?? ""))
    }
}
