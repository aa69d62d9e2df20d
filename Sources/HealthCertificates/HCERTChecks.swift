import Credentials
import Cryptography
import Encodings
import FHIR

/// The policy, and OpenSSL's state, for certificates that are verified together. It is a class because a policy is large: a copy for each
/// certificate would take longer than most checks.
final class HCERTSetting {
    let policy: HCERTPolicy
    /// OpenSSL's state, which certificates share; nil if each makes its own.
    let context: VerificationContext?

    init(_ policy: HCERTPolicy, context: VerificationContext?) {
        self.policy = policy
        self.context = context
    }
}

/// Runs the checks on one certificate.
struct HCERTChecks: CredentialChecks {
    /// What the signers with the certificate's key ID have to do with it.
    struct Key {
        /// The signers that made the signature, or why there are none.
        let signature: Result<[Signer], VerificationFailure>
        /// Why the certificate is not valid at the moment of the verification; nil if it is.
        var untimeliness: VerificationFailure?
        /// The signer to which the certificate is attributed, if no signer that made the signature is valid; nil if one is.
        var outdated: Signer?

        /// The signers that made the signature; empty if none did.
        var makers: [Signer] { (try? signature.get()) ?? [] }
    }

    private let examined: ExaminedHCERT
    private let setting: HCERTSetting
    /// The signers with the certificate's key ID.
    private let known: SignerCache.Known
    /// The claim that the first signer made the signature, if it was checked in advance.
    private let claim: SignatureClaim?
    var warnings: [CredentialWarning] = []

    var revocationRequirement: RevocationRequirement { setting.policy.revocationRequirement }

    /// Verifies a certificate.
    ///
    /// - Parameters:
    ///   - examined: the certificate.
    ///   - setting: the policy, and OpenSSL's state.
    ///   - signers: the signers that were read so far.
    ///   - claim: the claim that the first signer made the signature, if it was checked in advance.
    static func verdict(
        on examined: ExaminedHCERT, by setting: HCERTSetting, _ signers: inout SignerCache, claim: SignatureClaim?
    ) -> Verdict {
        let keyID = (try? examined.form.get())?.message.keyID ?? []
        var checks = HCERTChecks(
            examined: examined, setting: setting,
            known: signers.signers(of: keyID, for: examined.kind, by: setting.policy),
            claim: claim)
        return checks.verdict(on: examined)
    }

    /// The claim that the first signer with the certificate's key ID made its signature; nil if no signer can have made it, or if such
    /// claims are not answered in advance.
    static func claim(
        of examined: ExaminedHCERT, by setting: HCERTSetting, _ signers: inout SignerCache
    ) -> SignatureClaim? {
        guard case .success(let certificate) = examined.form,
            let signature = try? MessageSignature(
                certificate.message.parts.signature, by: certificate.message.algorithm)
        else { return nil }
        for signer in signers.signers(of: certificate.message.keyID, for: examined.kind, by: setting.policy).signers {
            guard case .success(let key) = signer.key else { continue }
            if let claim = key.claim(signature, over: certificate.signedBytes[...]) { return claim }
        }
        return nil
    }

    // MARK: Format

    mutating func format() -> FormFinding<UnverifiedHCERT> {
        switch examined.form {
        case .failure(let failure): return .wrong(failure)
        case .success(let certificate):
            warnings += certificate.warnings + certificate.content.warnings(at: setting.policy.now)
            return .correct(certificate, .later { "a COSE_Sign1 message with \(certificate.content.words)" })
        }
    }

    // MARK: Key

    /// The checks of the key. Which of several signers they are about depends on who made the signature, and which of those could do so at
    /// that time and may sign such a record, so that is judged here too.
    mutating func key(of certificate: UnverifiedHCERT) -> KeyFinding<Key> {
        let usable: [Int]
        switch usableSigners(for: certificate) {
        case .failure(let refused): return .none(refused.notes)
        case .success(let places): usable = places
        }
        let makers: [Int]
        switch self.makers(of: certificate, among: usable) {
        case .failure(let failure): return .found(notes(aboutSignerAt: usable[0]), Key(signature: .failure(failure)))
        case .success(let places): makers = places
        }
        let signers = makers.map { known.signers[$0] }
        var key = Key(signature: .success(signers))
        let country = certificate.content.kind.isIssuedByCountry ? certificate.claims.issuer : nil
        // The dates of the certificate come first, then those of its signer, then what the signer may sign.
        key.untimeliness = validityFailure(certificate)
        guard key.untimeliness == nil,
            let (place, standing) = Signer.chosen(
                among: signers, at: setting.policy.now, claim: country,
                maySign: { $0.maySign(certificate.content) })
        else { return found(key, at: makers[Signer.attributed(signers, claim: country) ?? 0], certificate) }
        switch standing {
        case .entitled: break
        case .notEntitled: return .notEntitled(refusedUsage(signers[place], certificate), key)
        case .outdated: key.outdated = signers[place]
        }
        return found(key, at: makers[place], certificate)
    }

    /// The finding that the certificate is attributed to the signer at a place.
    private mutating func found(_ key: Key, at place: Int, _ certificate: UnverifiedHCERT) -> KeyFinding<Key> {
        warnings += warnings(about: certificate, signedBy: known.signers[place], among: key.makers)
        return .found(notes(aboutSignerAt: place), key)
    }

    /// The notes about the signer at a place, whose checks passed. All certificates of a signer share them.
    private func notes(aboutSignerAt place: Int) -> KeyNotes {
        if let notes = known.notes[place] { return notes }
        let signer = known.signers[place]
        var draft = notes(about: signer)
        draft.pass(.key, words(for: signer))
        let notes = KeyNotes(draft)
        known.notes[place] = notes
        return notes
    }

    /// Notes with the check `issuer-trust`, which has passed.
    private func notes(about signer: Signer) -> KeyNotes.Draft {
        var notes = KeyNotes.Draft(.required)
        let isAnchored = setting.policy.anchors != nil && signer.needsAnchor
        notes.trust = isAnchored ? .certificate : signer.trust
        notes.origin = signer.origin
        notes.certificate = signer.description
        notes.country = signer.country
        notes.listing = signer.listing
        notes.pass(
            .issuerTrust,
            isAnchored
                ? "an anchor has signed the certificate of the signer"
                : signer.trust == .jwks ? "the key was given to the verifier" : "a trust list has the signer")
        return notes
    }

    /// A check of the key that did not pass, as the notes say.
    private struct Refused: Error {
        let notes: KeyNotes

        init(_ notes: KeyNotes.Draft, _ name: Check.Name, _ failure: VerificationFailure) {
            var notes = notes
            notes.fail(name, failure)
            self.notes = KeyNotes(notes)
        }
    }

    /// A failure that says something about all signers with the key ID. If some were left out, one of them may be the right one, so
    /// this is no final failure then.
    private func ofAllSigners(_ failure: VerificationFailure) -> VerificationFailure {
        guard !known.areAll else { return failure }
        let words =
            "not judged: the given lists have more than \(SignerCache.maximumSigners) signers with the key ID "
            + "\(KeyLabel.quoted(known.keyID)), and the rest was not tried (the limit is \(SignerCache.maximumSigners)). Of those that "
            + "were tried: "
        return VerificationFailure(
            .keysUnavailable, words + failure.message, impersonalMessage: words + failure.impersonalMessage)
    }

    /// The places of the signers whose key is of the kind that the algorithm needs.
    private func usableSigners(for certificate: UnverifiedHCERT) -> Result<[Int], Refused> {
        let keyID = certificate.message.keyID
        var notes = KeyNotes.Draft(.required)
        notes.trust = .untrusted
        guard !known.signers.isEmpty else {
            notes.lacksTrustLists = setting.policy.signers.isEmpty
            notes.skip(
                .issuerTrust, .notReached,
                setting.policy.signers.isEmpty
                    ? "not checked: no trust list was given" : "a trust list vouches for keys, and none has this key")
            return .failure(Refused(notes, .key, keyNotFound(certificate)))
        }
        var places = Array(known.signers.indices)
        var problem: String?
        if let anchors = setting.policy.anchors {
            places = places.filter { place in
                guard let objection = objection(to: known.signers[place], by: anchors) else { return true }
                problem = problem ?? objection
                return false
            }
        }
        guard let first = places.first else {
            let failure = VerificationFailure(
                .certificateInvalid,
                "the signer \(KeyLabel.quoted(keyID)) does not count: " + (problem ?? "no anchor vouches for it"))
            return .failure(Refused(notes, .issuerTrust, ofAllSigners(failure)))
        }
        let algorithm = certificate.message.algorithm
        let usable = places.filter { [known] in known.signers[$0].key.objection(to: algorithm) == nil }
        guard usable.isEmpty, let found = known.signers[first].key.objection(to: algorithm) else {
            return .success(usable)
        }
        let failure = VerificationFailure(
            .keyInvalid, "the signer's key \(KeyLabel.quoted(keyID)) cannot be used: it is \(found)")
        return .failure(Refused(self.notes(about: known.signers[first]), .key, ofAllSigners(failure)))
    }

    /// Why the anchors do not vouch for a signer; nil if they do, or need not.
    private func objection(to signer: Signer, by anchors: CertificateAnchors) -> String? {
        guard signer.needsAnchor else { return nil }
        guard let certificate = signer.certificate else {
            return "it has no certificate that an anchor could have signed"
        }
        let isCompromised = { (anchor: Certificate) in setting.policy.isCompromised(anchor) }
        switch certificate.isVouchedFor(
            by: anchors, at: setting.policy.now.sinceEpoch.components.seconds, except: isCompromised)
        {
        case .success: return nil
        case .failure(let error): return error.message
        }
    }

    private func keyNotFound(_ certificate: UnverifiedHCERT) -> VerificationFailure {
        guard !setting.policy.signers.isEmpty else {
            return VerificationFailure(
                .keysUnavailable,
                "no trust list with signers of \(certificate.content.kind.plural) was given, so nothing can be verified"
            )
        }
        let keyID = certificate.message.keyID
        if let retrieved = setting.policy.signers.outdated(
            keyID, for: certificate.content.kind, where: setting.policy.isRecent)
        {
            return VerificationFailure(
                .keysUnavailable,
                "the trust list with the signer's key is not recent enough to rely on: it is of \(retrieved)")
        }
        guard known.otherScopes.isEmpty else {
            return VerificationFailure(
                .keyNotFound,
                "the signer with the key ID \(KeyLabel.quoted(keyID)) does not sign \(certificate.content.kind.plural): "
                    + "it is of \(known.otherScopes.joined(separator: ", and of "))")
        }
        let country = certificate.claims.issuer.map { ", which claims to be from \($0.quoted(upTo: 80))" } ?? ""
        return VerificationFailure(
            .keyNotFound,
            "no given trust list has a signer with the key ID \(KeyLabel.quoted(keyID)) that the certificate names\(country)"
        )
    }

    // MARK: Signature

    /// The places of the signers that made the signature, or why there are none.
    private func makers(
        of certificate: UnverifiedHCERT, among usable: [Int]
    ) -> Result<[Int], VerificationFailure> {
        let message = certificate.message
        let text = certificate.signedBytes[...]
        let signature: MessageSignature
        do throws(Malformed) {
            signature = try MessageSignature(message.parts.signature, by: message.algorithm)
        } catch {
            return .failure(VerificationFailure(.signatureInvalid, error.description))
        }
        let makers = usable.filter { place in
            guard case .success(let key) = known.signers[place].key else { return false }
            return key.isValid(signature, for: text, in: setting.context, claim: claim)
        }
        guard makers.isEmpty else { return .success(makers) }
        return .failure(
            ofAllSigners(
                VerificationFailure(
                    .signatureInvalid,
                    "the signature does not verify with the key \(KeyLabel.quoted(message.keyID)) of the trust list: the certificate was "
                        + "changed after it was signed, or somebody else signed it")))
    }

    func signature(of certificate: UnverifiedHCERT, by key: Key) -> CheckResult {
        switch key.signature {
        case .failure(let failure): .fail(failure)
        case .success: .pass(.text(certificate.message.algorithm.name))
        }
    }

    // MARK: Validity

    func validity(of certificate: UnverifiedHCERT, by key: Key) -> CheckResult {
        let claims = certificate.claims
        if let failure = key.untimeliness {
            let lapse = claims.expires.flatMap { failure.code == .expired ? Shortcoming.lapse(.expired($0)) : nil }
            return .fail(
                failure, only: lapse ?? .notYetValid,
                besides: objections(to: certificate, signedBy: key.makers))
        }
        if let signer = key.outdated { return .fail(ofAllSigners(signerNotValid(signer))) }
        return .pass(.validity(from: claims.issued, to: claims.expires))
    }

    /// Why the certificate is not valid at the moment of the verification; nil if it is.
    private func validityFailure(_ certificate: UnverifiedHCERT) -> VerificationFailure? {
        let claims = certificate.claims
        let begin = claims.begin
        guard begin <= setting.policy.now else {
            return VerificationFailure(
                .notYetValid,
                "the certificate is valid only from \(begin), and the time is \(setting.policy.now.toTheSecond)",
                impersonalMessage: "the certificate is not valid yet")
        }
        // Other than with SMART Health Cards, the moment of expiry is included (HCERT §3.3.1).
        if let expires = claims.expires, setting.policy.now > expires {
            return VerificationFailure(
                .expired, "the certificate expired at \(expires), and the time is \(setting.policy.now.toTheSecond)",
                impersonalMessage: "the certificate has expired")
        }
        return nil
    }

    /// What is wrong with a certificate that is not valid now, besides that: it was at no time, its signer could not sign it, a given list
    /// names it, or it lacks the records that are required.
    private func objections(to certificate: UnverifiedHCERT, signedBy signers: [Signer]) -> [Objection] {
        var objections: [Objection] = []
        let claims = certificate.claims
        if !signers.contains(where: { $0.couldSign(certificate) }) {
            let mayNotSign = !signers.contains { $0.maySign(certificate.content) }
            let isNeverValid = claims.expires.map { $0 < claims.begin } ?? false
            objections.append(mayNotSign ? .signerMayNotSign : isNeverValid ? .neverValid : .signerWasNotValid)
        }
        if isRevoked(certificate, signers) { objections.append(.revoked) }
        return objections + [recordsObjection].compactMap(\.self)
    }

    /// What is wrong with the records of a certificate; nil if nothing is, or if none were required.
    private var recordsObjection: Objection? {
        guard let query = setting.policy.recordQuery, !query.isEmpty,
            let contents = examined.contents(names: setting.policy.codeNames, at: setting.policy.now)
        else { return nil }
        return Self.objection(of: query, to: contents, names: setting.policy.codeNames)
    }

    private func signerNotValid(_ signer: Signer) -> VerificationFailure {
        let words = "the signer's certificate (\(signer.certificate?.plainSubject ?? "")) is"
        guard let from = signer.notBefore, let to = signer.notAfter else {
            return VerificationFailure(.certificateInvalid, "\(words) without readable dates")
        }
        // With `--at issued`, the time is a date of the certificate of a person.
        let dates = "\(words) valid from \(from) to \(to), and"
        return VerificationFailure(
            .certificateInvalid, "\(dates) the time is \(setting.policy.now.toTheSecond)",
            impersonalMessage: "\(dates) not at the time of the check")
    }

    private func words(for signer: Signer) -> String {
        let list = signer.origin == .jwksFile ? "from a given key set" : "from a trust list"
        let country = signer.country.map { ", of \($0)" } ?? ""
        return "\(KeyLabel.quoted(known.keyID)), \(list)\(country)"
    }

    // MARK: Key usage

    /// The notes that no signer may sign the group of the record. That is part of the check of the key, but it is judged only after the
    /// signature has verified.
    private func refusedUsage(_ signer: Signer, _ certificate: UnverifiedHCERT) -> KeyNotes {
        var notes = notes(about: signer)
        let group = certificate.content.group?.words ?? certificate.content.words
        let may = RecordGroup.allCases.filter(signer.usages.contains).map(\.name).joined(separator: ", ")
        let failure = ofAllSigners(
            VerificationFailure(
                .certificateInvalid,
                "the signer may not sign \(group): according to its certificate or its list, it is for "
                    + (may.isEmpty ? "no kind of record" : may)))
        notes.fail(.key, failure)
        return KeyNotes(notes)
    }

    // MARK: Warnings

    /// Deviations from duties of issuers and list makers, which do not make the certificate invalid.
    private func warnings(
        about certificate: UnverifiedHCERT, signedBy signer: Signer, among makers: [Signer]
    ) -> [CredentialWarning] {
        var warnings: [CredentialWarning] = []
        let claims = certificate.claims
        if let environment = signer.environment,
            makers.allSatisfy({ $0.environment?.isForTests == true })
        {
            warnings.add(
                .testList,
                "the signer is on no other list than one of WHO's test network \(environment.rawValue): it is for tests"
            )
        }
        if certificate.content.kind.isIssuedByCountry, let issuer = claims.issuer,
            let objection = signer.objection(toIssuer: issuer)
        {
            warnings.add(
                .issuerMismatch, "the certificate names the issuer \(issuer.quoted(upTo: 80)), but \(objection)")
        }
        if let listed = signer.otherListedCountry {
            warnings.add(
                .issuerMismatch,
                "the trust list attributes the signer to \(listed.quoted(upTo: 80)), but its certificate is of "
                    + "\(signer.country ?? "")")
        }
        if setting.policy.maximumListAge != nil, makers.allSatisfy(\.isOfUndatedList) {
            warnings.add(
                .directoryUndated,
                "the trust list with the signer does not say when it was made, so its age is not limited")
        }
        let countries = Signer.differentCountries(of: makers)
        if !countries.isEmpty {
            warnings.add(
                .issuerMismatch,
                "the key of the signer is listed for several countries: "
                    + countries.map(\.description).joined(separator: ", "))
        }
        if !signer.isLabelledByHash {
            warnings.add(
                .keyLabel,
                "the key ID \(KeyLabel.quoted(certificate.message.keyID)) is not the beginning of the SHA-256 of the signer's "
                    + "certificate")
        }
        if let notAfter = signer.notAfter, let expires = claims.expires, expires > notAfter {
            warnings.add(
                .outlivesCertificate,
                "the certificate expires at \(expires), but that of its signer already at \(notAfter)")
        }
        if let notBefore = signer.notBefore, claims.issued < notBefore {
            warnings.add(
                .issuedBeforeCertificate,
                "the certificate was issued at \(claims.issued), but that of its signer is valid only from \(notBefore)"
            )
        }
        return warnings
    }

    // MARK: Revocation

    func revocation(of certificate: UnverifiedHCERT, by key: Key) -> CheckResult {
        let objections = { [recordsObjection].compactMap(\.self) }
        guard !isRevoked(certificate, key.makers) else {
            return .fail(
                VerificationFailure(.revoked, "a given list of revoked certificates has this certificate"),
                only: .lapse(.revoked), besides: objections())
        }
        let lists = setting.policy.revocations.filter { $0.couldName(certificate, signedBy: key.makers) }
        guard lists.contains(where: { !$0.hasEnded(at: setting.policy.revocationsAreJudgedAt) }) else {
            let words =
                setting.policy.revocations.isEmpty
                ? "no list of revoked certificates was given"
                : lists.isEmpty
                    ? "no given list of revoked certificates is for this signer"
                    : "every given list of revoked certificates for this signer has expired"
            guard setting.policy.revocationRequirement == .notAsked else {
                return .fail(
                    VerificationFailure(.revocationUnavailable, words, isUnasked: true), only: .unknownRevocation,
                    besides: objections())
            }
            return .skip(.notAsked, words)
        }
        return .pass(.text("on none of the given lists of revoked certificates"))
    }

    /// Whether a given list has a certificate that these signers have signed.
    private func isRevoked(_ certificate: UnverifiedHCERT, _ signers: [Signer]) -> Bool {
        setting.policy.revocations.contains { $0.revokes(certificate, signedBy: signers) }
    }

    // MARK: Records

    mutating func records(of certificate: UnverifiedHCERT) -> CheckResult {
        if let link = certificate.content.link {
            // What the link holds is judged apart. Without that, the certificate vouches for something that nobody has seen.
            guard examined.presented.isFollowedByItsLink else {
                return .fail(setting.policy.failureOfUnopenedLink(link, setting.policy.now))
            }
            return .skip(.notApplicable, "the records are behind the link")
        }
        guard let query = setting.policy.recordQuery, !query.isEmpty else {
            return .skip(.notAsked, "no records were required")
        }
        guard let contents = examined.contents(names: setting.policy.codeNames, at: setting.policy.now) else {
            // Cannot happen: the check of the format requires a record.
            return .fail(VerificationFailure(.recordsNotMatching, "the certificate has no record"))
        }
        return result(of: query, in: contents, names: setting.policy.codeNames, of: "the certificate")
    }
}
