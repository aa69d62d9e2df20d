import JOSE
import JSON

/// The certificates of an issuer's keys: as a reason to trust it, and as something to warn of (SHC-K7, SHC-K8).
extension VerificationRun {
    /// The check `issuer-trust` by certificates, for an issuer that is on no list. The certificate comes with the key, so
    /// the keys are sought first.
    mutating func checkTrustByCertificate(
        _ name: KeyName, anchors: CertificateAnchors
    ) throws(Interruption) {
        skip(.issuerTrust, "the certificate that vouches for the issuer comes with its key")
        let keySet = try keySet(name)
        let published = keySet.keys(named: name.keyID).prefix(Bounds.certifiedEntries)
        narrowSpan(to: anchors.dates + published.flatMap(\.certificateDates))
        var objection: CertificateError?
        var certified: Set<P256PublicKey> = []
        var path: CertificatePath?
        for jwk in published {
            do throws(CertificateError) {
                path = try anchors.validate(
                    jwk, for: name.issuer.url, at: setting.policy.now.sinceEpoch.components.seconds)
                if let key = try? jwk.publicKey() { certified.insert(key) }
            } catch {
                // An entry without a certificate says less than one whose certificate is wrong.
                if objection == nil || objection?.reason == .noCertificate { objection = error }
            }
        }
        // That there is no usable key of this id is for the check of the key to say.
        guard !published.isEmpty, path != nil || objection?.reason != .unusableKey else { return }
        ownChecks.removeAll { $0.name == .issuerTrust }
        guard let path, !certified.isEmpty else {
            trust = .untrusted
            guard let objection, objection.reason != .noCertificate else {
                throw fail(
                    .issuerTrust, .issuerNotTrusted,
                    "the issuer \(quoted(name.issuer)) is not on any list of trusted issuers that was given, and its key has no "
                        + "certificate that could vouch for it")
            }
            throw fail(
                .issuerTrust, .certificateInvalid,
                "the certificate of the issuer's key does not vouch for it: \(objection.message)")
        }
        trust = .certificate
        self.certified = certified
        pass(.issuerTrust, "the certificate of \(path.leafSubject) vouches for the issuer, by \(path.anchorSubject)")
    }

    /// A certificate that nobody relies on is never fatal, unless it is of another key: then what the issuer publishes
    /// contradicts itself.
    mutating func checkCertificates(_ published: [JWK], of name: KeyName) throws(Interruption) {
        let certified = published.lazy.filter { $0.value.optional("x5c") != nil }.prefix(Bounds.certifiedEntries)
        var problems: [String] = []
        narrowSpan(to: certified.flatMap(\.certificateDates))
        for jwk in certified {
            let seconds = setting.policy.now.sinceEpoch.components.seconds
            for problem in jwk.certificateProblems(for: name.issuer.url, at: seconds) {
                if problem.reason == .otherKey {
                    throw fail(
                        .key, .certificateInvalid,
                        "the certificate (x5c) of the key \(quoted(name.keyID)) is of another key: \(problem.message)"
                    )
                }
                if !problems.contains(problem.message) { problems.append(problem.message) }
            }
        }
        guard trust != .certificate else { return }
        warnings += problems.map {
            CardWarning(.certificateUnusable, "the key's certificate (x5c) was not relied on, and could not be: \($0)")
        }
    }

    /// Notes that certificates may be judged otherwise from these moments on, in seconds since 1970.
    private mutating func narrowSpan(to dates: [Int64]) {
        span.narrow(to: dates.map { NumericDate(sinceEpoch: .seconds($0)) }, around: setting.policy.now)
    }
}
