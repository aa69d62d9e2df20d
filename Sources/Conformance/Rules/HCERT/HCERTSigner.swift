import Credentials
import Cryptography
import Encodings
import HealthCertificates
import SMARTHealthCards

extension Rule {
    /// The rules of a certificate together with the given signers.
    static let signerRules: [Rule] = [
        hcertSignatureForm, hcertSigner, hcertSignature, signerCountry, signerKeyID, signerKey,
        signerUsage, outlivesSigner, issuedBeforeSigner, signerNotValid, signerAnchor, hcertRevoked,
    ]

    static let hcertSignatureForm = Rule("signature-format-error/certificate", RuleCheck.hcert) { hcert in
        guard case .malformed(let words) = hcert.signature else { return [] }
        return .found(words)
    }

    /// Without signers there is nothing to verify with. Nothing is ever fetched for a certificate.
    static let hcertSigner = Rule("jws-verification-error/signer-missing", RuleCheck.hcert) { hcert in
        guard let keyID = hcert.keyID, hcert.signers.isEmpty, hcert.otherKeyID == nil else { return [] }
        guard !hcert.policy.signers.isEmpty else {
            return .found(
                "neither the signer nor the signature was checked: no list of signers of EU certificates was given",
                severity: .unchecked)
        }
        guard hcert.otherScopes.isEmpty else {
            return .found(
                "the signer with the key ID \(KeyLabel.quoted(keyID)) does not sign such content: it is of "
                    + hcert.otherScopes.joined(separator: ", and of "))
        }
        return .found("no given list has a signer with the key ID \(KeyLabel.quoted(keyID)) that the certificate names")
    }

    static let hcertSignature = Rule("jws-verification-error/certificate", RuleCheck.hcert) { hcert in
        guard let keyID = hcert.keyID else { return [] }
        if case .tooManySigners = hcert.signature {
            return .found(
                "the signature does not verify with any of the first \(SignerCache.maximumSigners) signers "
                    + "\(KeyLabel.quoted(keyID)), and the rest was not tried", severity: .unchecked)
        }
        guard case .invalid = hcert.signature, hcert.otherKeyID == nil else { return [] }
        return .found(
            "the signature does not verify with the signer's key \(KeyLabel.quoted(keyID)): the certificate "
                + "was changed after it was signed, or it was signed with another key")
    }

    /// A warning: verifiers go by the signer's country.
    static let signerCountry = Rule("hcert-claim-error/iss-country", RuleCheck.hcert) { hcert in
        let countries = hcert.countries.map(\.description).joined(separator: ", ")
        let problems: [Problem] =
            countries.isEmpty
            ? [] : .found("the key of the signer is listed for several countries: \(countries)", path: "iss")
        guard let issuer = hcert.message.payload?.issuer, issuer.isCountry,
            let objection = hcert.maker?.objection(toIssuer: issuer)
        else { return problems }
        return [Problem("`iss` (claim 1) is \(issuer.quoted(upTo: 80)), but \(objection)", path: "iss")] + problems
    }

    /// A warning if the list has the key ID, for which verifiers look. If it has another one, they do not find the signer.
    static let signerKeyID = Rule("issuer-kid-mismatch/signer", RuleCheck.hcert) { hcert in
        if let other = hcert.otherKeyID, let keyID = hcert.keyID {
            return .found(
                "the certificate names the key ID \(KeyLabel.quoted(keyID)), but its signature verifies with the key of the signer "
                    + "\(KeyLabel.quoted(other)): the key ID is the first eight bytes of the SHA-256 of the signer's certificate",
                path: "kid", severity: .error)
        }
        guard let maker = hcert.maker, !maker.isLabelledByHash, let keyID = hcert.keyID else {
            return []
        }
        return .found(
            "the key ID \(KeyLabel.quoted(keyID)) is not the beginning of the SHA-256 of the signer's "
                + "certificate", path: "kid")
    }

    // MARK: The signer's certificate

    static let signerKey = Rule("dsc-validity-error/key", RuleCheck.hcert) { hcert in
        guard case .success(let (algorithm, _))? = hcert.message.reading.algorithm, let keyID = hcert.keyID
        else {
            return []
        }
        let problems = hcert.signers.map { $0.key.objection(to: algorithm) }
        guard !problems.contains(nil), let first = problems.first ?? nil else { return [] }
        return .found("the signer's key \(KeyLabel.quoted(keyID)) cannot be used: it is \(first)", path: "kid")
    }

    static let signerUsage = Rule("dsc-validity-error/usage", RuleCheck.hcert) { hcert in
        guard let maker = hcert.maker, let group = hcert.message.payload?.dcc?.record?.group,
            !maker.usages.contains(group)
        else { return [] }
        let may = RecordGroup.allCases.filter(maker.usages.contains).map(\.name).joined(separator: ", ")
        return .found(
            "the signer may not sign a certificate of the kind \(group.name): its certificate is for "
                + (may.isEmpty ? "no kind of record" : may))
    }

    static let outlivesSigner = Rule("dsc-validity-error/outlives", RuleCheck.hcert) { hcert in
        guard let end = hcert.maker?.notAfter, let expires = hcert.message.payload?.expires,
            expires > end
        else { return [] }
        return .found(
            "the certificate expires at \(expires) (`exp`), but that of its signer already at \(end)", path: "exp")
    }

    static let issuedBeforeSigner = Rule("dsc-validity-error/issued-before", RuleCheck.hcert) { hcert in
        guard let begin = hcert.maker?.notBefore, let issued = hcert.message.payload?.issued,
            issued < begin
        else { return [] }
        return .found(
            "the certificate was issued at \(issued) (`iat`), but that of its signer is valid only from \(begin)",
            path: "iat")
    }

    /// A warning, because it depends on the day.
    static let signerNotValid = Rule("dsc-validity-error/dates", RuleCheck.hcert) { hcert in
        let now = hcert.policy.now
        guard let maker = hcert.maker, !maker.isValid(at: now) else { return [] }
        guard let begin = maker.notBefore, let end = maker.notAfter else {
            return .found("the certificate of the signer has no readable dates", severity: .error)
        }
        return .found("the certificate of the signer is valid from \(begin) to \(end); it was checked for \(now)")
    }

    /// Applies only with anchors (`--anchor`). It is a warning for signers of lists whose makers have checked the authorities, and
    /// if it depends on the day.
    static let signerAnchor = Rule("csca-chain-error/anchor", RuleCheck.hcert) { hcert in
        guard let anchors = hcert.policy.trustedIssuers.anchors, !hcert.signers.isEmpty else {
            return []
        }
        let policy = hcert.policy.hcertPolicy
        let seconds = policy.now.sinceEpoch.components.seconds
        var problems: [Problem] = []
        for signer in hcert.maker.map({ [$0] }) ?? hcert.signers {
            let severity: Severity? = signer.needsAnchor ? nil : .warning
            guard let own = signer.certificate else {
                problems.add("the signer has no certificate that an anchor could have signed", severity: severity)
                continue
            }
            switch own.isVouchedFor(by: anchors, at: seconds, except: { policy.isCompromised($0) }) {
            case .success: return []
            case .failure(let error):
                let isOfTheDay = error.reason == .expired || error.reason == .notYetValid
                problems.add("the signer: \(error.message)", severity: isOfTheDay ? .warning : severity)
            }
        }
        return Array(problems.prefix(1))
    }

    /// A warning: the certificate itself violates nothing.
    static let hcertRevoked = Rule("revocation-error/batch", RuleCheck.hcert) { hcert in
        guard let keyID = hcert.keyID, let parts = try? hcert.message.reading.parts.get(),
            case .success(let (algorithm, _))? = hcert.message.reading.algorithm,
            let payload = hcert.message.payload
        else { return [] }
        let isRevoked = hcert.policy.revocations.contains { batch in
            batch.revokes(
                keyID: keyID, signers: hcert.maker.map { [$0] } ?? [], algorithm: algorithm,
                signature: parts.signature, issuer: payload.issuer,
                record: payload.dcc?.record?.record)
        }
        return isRevoked ? .found("a given batch of revoked certificates has this certificate") : []
    }

    /// The rules of health certificates, from the text to the signer.
    static let hcertRules: [Rule] =
        [hcertPrefix, hcertBase45, hcertLineBreaks, hcertCompression]
        + coseRules + hcertClaimRules + HCERTPayloadSubject.contents.flatMap { $0.rules } + hcertLinkRules
        + signerRules

    static let hcertPrefix = Rule("base45-error/prefix", RuleCheck.hcertText) { hcert in
        guard hcert.document.layer == .hc1, !hcert.document.text.starts(with: HCERTText.prefix.utf8) else {
            return []
        }
        return .found(
            hcert.text.start > 0 ? "the prefix HC1: is not in upper case" : "the text does not begin with HC1:",
            offset: 0)
    }

    static let hcertBase45 = Rule("base45-error/text", RuleCheck.hcertText) { hcert in
        guard let error = hcert.text.encodingError else { return [] }
        return .found(
            "the text after the prefix is not base45: \(error)\(hcert.text.loss ?? "")",
            offset: hcert.text.start + error.offset)
    }

    /// A warning, because verifiers of files join the lines. From a QR code there are no lines.
    static let hcertLineBreaks = Rule("base45-error/line-breaks", RuleCheck.hcertText) { hcert in
        hcert.isWrapped ? .found("the text is wrapped over several lines, which were joined") : []
    }

    static let hcertCompression = Rule("zlib-error/stream", RuleCheck.hcertText) { hcert in
        hcert.text.compressionError.map { [Problem("the certificate cannot be inflated as it should be: \($0)")] }
            ?? []
    }

    /// The rules of the COSE message and its headers.
    static let coseRules: [Rule] = [
        coseStructure, coseCritical, coseAlgorithm, coseProtectedAlgorithm, coseKeyID, coseProtectedKeyID,
    ]

    static let coseStructure = Rule("cose-header-error/structure", RuleCheck.cose) { .unread($0.reading.parts) }

    static let coseAlgorithm = Rule("cose-header-error/alg", RuleCheck.cose) { message in
        .unread(message.reading.algorithm, path: "alg")
    }

    /// Verifiers accept this with a warning. Anyone who changes an unsigned header can make them use another algorithm.
    static let coseProtectedAlgorithm = signedHeader("alg", COSESign1.Label.algorithm, "the algorithm")

    static let coseKeyID = Rule("cose-header-error/kid", RuleCheck.cose) { .unread($0.keyID, path: "kid") }

    /// A warning: the specification allows this if it is required.
    static let coseProtectedKeyID = signedHeader("kid", COSESign1.Label.keyID, "the key")

    /// The rule that what the unprotected header names is in the protected one too.
    private static func signedHeader(_ name: String, _ label: Int64, _ words: String) -> Rule {
        Rule("cose-header-error/\(name)-protected", RuleCheck.cose) { message in
            guard message.protected(label) == nil, message.unprotected(label) != nil else { return [] }
            return .found("only the unprotected header names \(words), which nobody has signed there", path: name)
        }
    }

    static let coseCritical = Rule("cose-header-error/crit", RuleCheck.cose) { message in
        let label = COSESign1.Label.critical
        guard message.protected(label) != nil || message.unprotected(label) != nil else { return [] }
        return .found("`crit` (2) names extensions that a reader must understand, and none is defined", path: "crit")
    }
}
