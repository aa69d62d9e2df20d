import COSE
import Credentials
import Cryptography
import FHIR
import StrictJSON

/// Runs the checks on one certificate.
struct HCERTChecks {
    private let policy: HCERTPolicy
    private let context: VerificationContext?
    /// The signers with the certificate's key ID.
    private let known: SignerCache.Known
    private var list: CheckList

    /// A check that failed. It is on the list then.
    private struct Failed: Error {}

    /// Verifies a certificate.
    ///
    /// - Parameters:
    ///   - examined: the certificate.
    ///   - policy: the policy.
    ///   - signers: the signers that were read so far.
    ///   - context: OpenSSL's state, which certificates share; nil if each makes its own.
    ///   - claim: the claim that the first signer made the signature, if it was checked in advance.
    static func verdict(
        on examined: ExaminedHCERT, by policy: HCERTPolicy, _ signers: inout SignerCache,
        context: VerificationContext?, claim: SignatureClaim?
    ) -> Verdict {
        let keyID = (try? examined.form.get())?.message.keyID ?? []
        var checks = HCERTChecks(
            policy: policy, context: context, known: signers.signers(of: keyID, by: policy),
            list: CheckList(policy.revocationRequirement, warnings: examined.presented.warnings))
        do throws(Failed) {
            try checks.check(examined, claim)
        } catch {
            // The failure is on the list.
        }
        return Verdict(of: examined, checks.list)
    }

    /// The claim that the first signer with the certificate's key ID made its signature; nil if no signer can have made it, or if such
    /// claims are not answered in advance.
    static func claim(
        of examined: ExaminedHCERT, by policy: HCERTPolicy, _ signers: inout SignerCache
    ) -> SignatureClaim? {
        guard case .success(let certificate) = examined.form,
            let signature = try? MessageSignature(
                certificate.message.signature, by: certificate.message.algorithm)
        else { return nil }
        for signer in signers.signers(of: certificate.message.keyID, by: policy).signers {
            guard case .success(let key) = signer.key,
                let claim = key.claim(signature, over: certificate.signedBytes[...])
            else { continue }
            return claim
        }
        return nil
    }

    // MARK: The order

    private mutating func check(_ examined: ExaminedHCERT, _ claim: SignatureClaim?) throws(Failed) {
        let certificate = try checkFormat(examined)
        list.warn(certificate.warnings)
        let usable = try usableSigners(for: certificate)
        let makers = try makers(of: certificate, among: usable, claim)
        // The dates of the certificate come first, then those of its signer, then what the signer may sign.
        let algorithm = CheckDetail.text(certificate.message.algorithm.name)
        let maker = attributed(makers, for: certificate) ?? makers[0]
        if let failure = validityFailure(certificate) {
            adopt(maker)
            list.warn(warnings(about: certificate, signedBy: known.signers[maker], among: makers))
            list.pass(.signature, algorithm)
            let shortcoming: Shortcoming =
                failure.code == .expired ? .lapse(.expired(certificate.claims.expires)) : .notYetValid
            throw fail(
                .validity, failure, only: shortcoming,
                besides: objections(to: certificate, signedBy: makers.map { known.signers[$0] }, examined))
        }
        let current = makers.filter { known.signers[$0].isValid(at: policy.now) }
        guard let first = attributed(current, for: certificate) else {
            adopt(maker)
            list.warn(warnings(about: certificate, signedBy: known.signers[maker], among: makers))
            list.pass(.signature, algorithm)
            throw fail(.validity, ofAllSigners(signerNotValid(known.signers[maker])))
        }
        let group = certificate.content.group
        let entitled = current.filter { known.signers[$0].usages.contains(group) }
        guard let place = attributed(entitled, for: certificate) else {
            throw refuseUsage(known.signers[first], certificate)
        }
        adopt(place)
        list.warn(warnings(about: certificate, signedBy: known.signers[place], among: makers))
        list.pass(.signature, algorithm)
        list.pass(.validity, .validity(from: certificate.claims.issued, to: certificate.claims.expires))
        try checkRevocation(certificate, signedBy: makers.map { known.signers[$0] }, examined)
        try checkRecords(examined)
    }

    /// The place of the signer to which a certificate is attributed, among those at these places; nil if there are none.
    private func attributed(_ places: [Int], for certificate: UnverifiedHCERT) -> Int? {
        Signer.attributed(places.map { known.signers[$0] }, claim: certificate.claims.issuer).map { places[$0] }
    }

    /// Adds the checks of the key, for the signer at a place. All certificates of a signer share the notes.
    private mutating func adopt(_ place: Int) {
        if let notes = known.notes[place] { return list.adopt(notes) }
        let signer = known.signers[place]
        var draft = notes(about: signer)
        draft.pass(.key, words(for: signer))
        let notes = KeyNotes(draft)
        known.notes[place] = notes
        list.adopt(notes)
    }

    /// Notes with the check `issuer-trust`, which has passed.
    private func notes(about signer: Signer) -> KeyNotes.Draft {
        var notes = KeyNotes.Draft(.required)
        let isAnchored = policy.anchors != nil && signer.needsAnchor
        notes.trust = isAnchored ? .certificate : signer.trust
        notes.origin = signer.origin
        notes.certificate = signer.description
        notes.country = signer.country
        notes.pass(
            .issuerTrust,
            isAnchored
                ? "an anchor has signed the certificate of the signer"
                : signer.trust == .jwks ? "the key was given to the verifier" : "a trust list has the signer")
        return notes
    }

    private mutating func fail(
        _ name: Check.Name, _ failure: VerificationFailure, only shortcoming: Shortcoming? = nil,
        besides objections: [Objection] = []
    ) -> Failed {
        list.fail(name, failure, only: shortcoming, besides: objections)
        return Failed()
    }

    private mutating func fail(_ name: Check.Name, _ code: ReasonCode, _ message: String) -> Failed {
        fail(name, VerificationFailure(code, message))
    }

    /// Adds notes with a failed check of the key, and ends the list.
    private mutating func end(_ notes: KeyNotes.Draft, _ name: Check.Name, _ failure: VerificationFailure) -> Failed {
        var notes = notes
        notes.fail(name, failure)
        list.adopt(KeyNotes(notes))
        list.end(with: failure)
        return Failed()
    }

    private mutating func checkFormat(_ examined: ExaminedHCERT) throws(Failed) -> UnverifiedHCERT {
        switch examined.form {
        case .failure(let failure): throw fail(.format, failure)
        case .success(let certificate):
            let words = certificate.content.group.words
            list.pass(.format, .later { "a COSE_Sign1 message with a certificate of \(words)" })
            return certificate
        }
    }

    // MARK: Key

    /// A failure that says something about all signers with the key ID. If some were left out, one of them may be the right one, so
    /// this is no final failure then.
    private func ofAllSigners(_ failure: VerificationFailure) -> VerificationFailure {
        guard !known.areAll else { return failure }
        return VerificationFailure(
            .keysUnavailable,
            "not judged: the given lists have more than \(SignerCache.maximumSigners) signers with the key ID "
                + "\(KeyLabel.quoted(known.keyID)), and the rest was not tried (the limit is \(SignerCache.maximumSigners)). Of those that "
                + "were tried: \(failure.message)")
    }

    /// The places of the signers whose key is of the kind that the algorithm needs.
    private mutating func usableSigners(for certificate: UnverifiedHCERT) throws(Failed) -> [Int] {
        let keyID = certificate.message.keyID
        var notes = KeyNotes.Draft(.required)
        notes.trust = .untrusted
        guard !known.signers.isEmpty else {
            notes.lacksTrustLists = policy.signers.isEmpty
            notes.skip(
                .issuerTrust, .notReached,
                policy.signers.isEmpty
                    ? "not checked: no trust list was given" : "a trust list vouches for keys, and none has this key")
            throw end(notes, .key, keyNotFound(certificate))
        }
        var places = Array(known.signers.indices)
        var problem: String?
        if let anchors = policy.anchors {
            places = places.filter { place in
                guard let objection = objection(to: known.signers[place], by: anchors) else { return true }
                problem = problem ?? objection
                return false
            }
        }
        guard let first = places.first else {
            throw end(
                notes, .issuerTrust,
                ofAllSigners(
                    VerificationFailure(
                        .certificateInvalid,
                        "the signer \(KeyLabel.quoted(keyID)) does not count: "
                            + (problem ?? "no anchor vouches for it"))))
        }
        let algorithm = certificate.message.algorithm
        let usable = places.filter { [known] in known.signers[$0].key.objection(to: algorithm) == nil }
        guard usable.isEmpty, let found = known.signers[first].key.objection(to: algorithm) else { return usable }
        notes = self.notes(about: known.signers[first])
        throw end(
            notes, .key,
            ofAllSigners(
                VerificationFailure(
                    .keyInvalid, "the signer's key \(KeyLabel.quoted(keyID)) cannot be used: it is \(found)")))
    }

    /// Why the anchors do not vouch for a signer; nil if they do, or need not.
    private func objection(to signer: Signer, by anchors: CertificateAnchors) -> String? {
        guard signer.needsAnchor else { return nil }
        guard let certificate = signer.certificate else {
            return "it has no certificate that an anchor could have signed"
        }
        let isBurnt = { (anchor: Certificate) in policy.isBurnt(anchor) }
        switch certificate.isVouchedFor(
            by: anchors, at: policy.now.sinceEpoch.components.seconds, except: isBurnt)
        {
        case .success: return nil
        case .failure(let error): return error.message
        }
    }

    private func keyNotFound(_ certificate: UnverifiedHCERT) -> VerificationFailure {
        guard !policy.signers.isEmpty else {
            return VerificationFailure(
                .keysUnavailable,
                "no trust list with signers of EU certificates was given, so nothing can be verified")
        }
        let keyID = certificate.message.keyID
        if let retrieved = policy.signers.outdated(keyID, where: policy.isRecent) {
            return VerificationFailure(
                .keysUnavailable,
                "the trust list with the signer's key is not recent enough to rely on: it is of \(retrieved)")
        }
        let country = certificate.claims.issuer.map { ", which claims to be from \($0.quoted(upTo: 80))" } ?? ""
        return VerificationFailure(
            .keyNotFound,
            "no given trust list has a signer with the key ID \(KeyLabel.quoted(keyID)) that the certificate names\(country)"
        )
    }

    // MARK: Signature

    /// The places of the signers that made the signature.
    private mutating func makers(
        of certificate: UnverifiedHCERT, among usable: [Int], _ claim: SignatureClaim?
    ) throws(Failed) -> [Int] {
        let message = certificate.message
        let text = certificate.signedBytes[...]
        let signature: MessageSignature
        do throws(MalformedSignature) {
            signature = try MessageSignature(message.signature, by: message.algorithm)
        } catch {
            adopt(usable[0])
            throw fail(.signature, .signatureInvalid, error.description)
        }
        let makers = usable.filter { place in
            guard case .success(let key) = known.signers[place].key else { return false }
            return key.isValid(signature, for: text, in: context, claim: claim)
        }
        guard makers.isEmpty else { return makers }
        adopt(usable[0])
        throw fail(
            .signature,
            ofAllSigners(
                VerificationFailure(
                    .signatureInvalid,
                    "the signature does not verify with the key \(KeyLabel.quoted(message.keyID)) of the trust list: the certificate was "
                        + "changed after it was signed, or somebody else signed it")))
    }

    // MARK: Validity

    /// Why the certificate is not valid at the moment of the verification; nil if it is.
    private func validityFailure(_ certificate: UnverifiedHCERT) -> VerificationFailure? {
        let claims = certificate.claims
        let begin = max(claims.issued, claims.notBefore ?? claims.issued)
        guard begin <= policy.now else {
            return VerificationFailure(
                .notYetValid, "the certificate is valid only from \(begin), and the time is \(policy.now.toTheSecond)",
                impersonalMessage: "the certificate is not valid yet")
        }
        // Other than with SMART Health Cards, the moment of expiry is included (HCERT §3.3.1).
        guard policy.now <= claims.expires else {
            return VerificationFailure(
                .expired, "the certificate expired at \(claims.expires), and the time is \(policy.now.toTheSecond)",
                impersonalMessage: "the certificate has expired")
        }
        return nil
    }

    /// What is wrong with a certificate that is not valid now, besides that: it was at no time, its signer could not sign it, a given list
    /// names it, or it lacks the records that are required.
    private func objections(
        to certificate: UnverifiedHCERT, signedBy signers: [Signer], _ examined: ExaminedHCERT
    ) -> [Objection] {
        var objections: [Objection] = []
        let claims = certificate.claims
        if !signers.contains(where: { $0.couldSign(certificate) }) {
            let mayNotSign = !signers.contains { $0.usages.contains(certificate.content.group) }
            let isNeverValid = claims.expires < max(claims.issued, claims.notBefore ?? claims.issued)
            objections.append(mayNotSign ? .signerMayNotSign : isNeverValid ? .neverValid : .signerWasNotValid)
        }
        if isRevoked(certificate, signers) { objections.append(.revoked) }
        return objections + [recordsObjection(to: examined)].compactMap(\.self)
    }

    /// What is wrong with the records of a certificate; nil if nothing is, or if none were required.
    private func recordsObjection(to examined: ExaminedHCERT) -> Objection? {
        guard let query = policy.recordQuery, !query.isEmpty,
            let contents = examined.contents(names: policy.codeNames)
        else { return nil }
        return CheckList.objection(of: query, to: contents, names: policy.codeNames)
    }

    private func signerNotValid(_ signer: Signer) -> VerificationFailure {
        let dates =
            if let from = signer.notBefore, let to = signer.notAfter {
                "valid from \(from) to \(to), and the time is \(policy.now.toTheSecond)"
            } else {
                "without readable dates"
            }
        let subject = signer.certificate?.plainSubject ?? ""
        return VerificationFailure(
            .certificateInvalid, "the signer's certificate (\(subject)) is \(dates)")
    }

    private func words(for signer: Signer) -> String {
        let list = signer.origin == .jwksFile ? "from a given key set" : "from a trust list"
        let country = signer.country.map { ", of \($0)" } ?? ""
        return "\(KeyLabel.quoted(known.keyID)), \(list)\(country)"
    }

    // MARK: Key usage

    /// Ends the list because no signer may sign the group of the record. That is part of the check of the key, but it is judged
    /// only after the signature has verified.
    private mutating func refuseUsage(
        _ signer: Signer, _ certificate: UnverifiedHCERT
    ) -> Failed {
        var notes = notes(about: signer)
        let may = RecordGroup.allCases.filter(signer.usages.contains).map(\.name).joined(separator: ", ")
        let failure = ofAllSigners(
            VerificationFailure(
                .certificateInvalid,
                "the signer may not sign \(certificate.content.group.words): according to its certificate or its list, it is for "
                    + (may.isEmpty ? "no kind of record" : may)))
        notes.fail(.key, failure)
        list.adopt(KeyNotes(notes))
        list.pass(.signature, .text(certificate.message.algorithm.name))
        list.pass(.validity, .validity(from: certificate.claims.issued, to: certificate.claims.expires))
        list.end(with: failure)
        return Failed()
    }

    // MARK: Warnings

    /// Deviations from duties of issuers and list makers, which do not make the certificate invalid.
    private func warnings(
        about certificate: UnverifiedHCERT, signedBy signer: Signer, among makers: [Int]
    ) -> [CredentialWarning] {
        var warnings: [CredentialWarning] = []
        let claims = certificate.claims
        if let environment = signer.environment,
            makers.allSatisfy({ known.signers[$0].environment?.isForTests == true })
        {
            warnings.append(
                CredentialWarning(
                    .testList,
                    "the signer is on no other list than one of WHO's test network \(environment.rawValue): it is for tests"
                ))
        }
        if let issuer = claims.issuer, let objection = signer.objection(toIssuer: issuer) {
            warnings.append(
                CredentialWarning(
                    .issuerMismatch,
                    "the certificate names the issuer \(issuer.quoted(upTo: 80)), but \(objection)"))
        }
        let countries = Signer.differentCountries(of: makers.map { known.signers[$0] })
        if !countries.isEmpty {
            warnings.append(
                CredentialWarning(
                    .issuerMismatch,
                    "the key of the signer is listed for several countries: "
                        + countries.map(\.description).joined(separator: ", ")))
        }
        if !signer.isLabelledByHash {
            warnings.append(
                CredentialWarning(
                    .keyLabel,
                    "the key ID \(KeyLabel.quoted(certificate.message.keyID)) is not the beginning of the SHA-256 of the signer's "
                        + "certificate"))
        }
        if let notAfter = signer.notAfter, claims.expires > notAfter {
            warnings.append(
                CredentialWarning(
                    .outlivesCertificate,
                    "the certificate expires at \(claims.expires), but that of its signer already at \(notAfter)"))
        }
        if let notBefore = signer.notBefore, claims.issued < notBefore {
            warnings.append(
                CredentialWarning(
                    .issuedBeforeCertificate,
                    "the certificate was issued at \(claims.issued), but that of its signer is valid only from \(notBefore)"
                ))
        }
        return warnings
    }

    // MARK: Revocation

    private mutating func checkRevocation(
        _ certificate: UnverifiedHCERT, signedBy signers: [Signer], _ examined: ExaminedHCERT
    ) throws(Failed) {
        guard policy.revocations.contains(where: { $0.couldName(certificate, signedBy: signers) }) else {
            let words =
                policy.revocations.isEmpty
                ? "no list of revoked certificates was given"
                : "no given list of revoked certificates is for this signer"
            guard policy.revocationRequirement == .notAsked else {
                throw fail(
                    .revocation, VerificationFailure(.revocationUnavailable, words, isUnasked: true),
                    only: .unknownRevocation, besides: [recordsObjection(to: examined)].compactMap(\.self))
            }
            return list.skip(.revocation, .notAsked, words)
        }
        guard !isRevoked(certificate, signers) else {
            throw fail(
                .revocation,
                VerificationFailure(.revoked, "a given list of revoked certificates has this certificate"),
                only: .lapse(.revoked), besides: [recordsObjection(to: examined)].compactMap(\.self))
        }
        list.pass(.revocation, .text("on none of the given lists of revoked certificates"))
    }

    /// Whether a given list has a certificate that these signers have signed.
    private func isRevoked(_ certificate: UnverifiedHCERT, _ signers: [Signer]) -> Bool {
        policy.revocations.contains { $0.revokes(certificate, signedBy: signers) }
    }

    // MARK: Records

    private mutating func checkRecords(_ examined: ExaminedHCERT) throws(Failed) {
        guard let query = policy.recordQuery, !query.isEmpty else {
            return list.skip(.records, .notAsked, "no records were required")
        }
        guard let contents = examined.contents(names: policy.codeNames) else {
            // Cannot happen: the check of the format requires a record.
            throw fail(.records, .recordsNotMatching, "the certificate has no record")
        }
        let problem = list.checkRecords(query, in: contents, names: policy.codeNames, of: "the certificate")
        if let problem { throw fail(.records, problem, only: Shortcoming(recordsFailure: problem)) }
    }
}
