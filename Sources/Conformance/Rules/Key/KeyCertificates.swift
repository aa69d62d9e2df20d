import Credentials
import Cryptography
import SMARTHealthCards

extension Rule {
    /// This is the one place in JOSE that uses base64 instead of base64url.
    static let certificateEncoding = Rule("invalid-key-x5c/encoding", RuleCheck.key) { key in
        key.chain?.problem.map { [$0] } ?? []
    }

    /// Otherwise verifiers reject the key, even those that do not use certificates.
    static let certificateKey = Rule("invalid-key-x5c/leaf-key", RuleCheck.key) { key in
        guard let chain = key.chain, let leaf = chain.encoded.first, !chain.certificates.isEmpty,
            let point = key.point
        else { return [] }
        switch point.matches(certificate: leaf) {
        case .same: break
        case .different:
            let index = chain.encoded.firstIndex { point.matches(certificate: $0) == .same }
            let hint = index.map { "; element \($0) is for this key and has to be the first" } ?? ""
            return .found("the first certificate in `x5c` is for another key than `x` and `y`\(hint)", at: chain.value)
        case .unreadable:
            return .found("the public key of the first certificate in `x5c` cannot be read", at: chain.value)
        }
        let reasons: Set<CertificateError.Reason> = [.keyUsage, .malformed]
        return key.leafProblems.filter { reasons.contains($0.reason) }
            .map { Problem($0.message, at: chain.value) }
    }

    /// A host name (dNSName) is not enough: one host may serve several issuers, since the path is part of an issuer's
    /// URL.
    static let certificateName = Rule("invalid-key-x5c/issuer-name", RuleCheck.key) { key in
        guard let chain = key.chain, let leaf = chain.certificates.first else { return [] }
        let names = leaf.names
        let hasURI = names.contains { if case .uri = $0 { true } else { false } }
        guard hasURI else {
            let words = names.first.map { ", only \($0)" } ?? ""
            return .found(
                "the Subject Alternative Name of the first certificate in `x5c` has no URI\(words), so it does "
                    + "not name the issuer", at: chain.value)
        }
        guard key.issuer != nil else { return [] }
        return key.leafProblems.filter { $0.reason == .otherName }.map { Problem($0.message, at: chain.value) }
    }

    /// A warning, because it depends on the day. Cards may be in use longer than the certificate of their key is valid.
    static let certificateDates = Rule("invalid-key-x5c/dates", RuleCheck.key) { key in
        guard let chain = key.chain else { return [] }
        let moment = key.policy.now.sinceEpoch.components.seconds
        return chain.certificates.enumerated().flatMap { depth, certificate in
            certificate.problems(at: moment, depth: depth)
        }.map { Problem($0.message, at: chain.value, severity: $0.reason == .malformed ? .error : nil) }
    }

    /// Checks only whether the certificates belong together. Whether they are trusted is another rule's question.
    static let certificateChain = Rule("invalid-key-x5c/chain", RuleCheck.key) { key in
        guard let chain = key.chain, chain.certificates.count > 1 else { return [] }
        guard !chain.hasTooManyNeighbours else {
            return .found(
                "the chain in `x5c` was not checked, because more than \(Bounds.certifiedEntries) keys of the "
                    + "set have certificates", at: chain.value, severity: .warning)
        }
        let certificates = chain.certificates
        for index in certificates.indices.dropLast() {
            let certificate = certificates[index]
            let next = certificates[index + 1]
            let name = "the certificate \(certificate.subject) (element \(index) of `x5c`)"
            guard certificate.isSigned(by: next) else {
                var words = "\(name) is not signed by the next certificate"
                let signer = certificates.indices.first { certificate.isSigned(by: certificates[$0]) }
                if let signer {
                    words +=
                        signer == index
                        ? ": it is self-signed, so the certificates after it do not belong to it"
                        : " but by element \(signer): the chain is out of order"
                } else if certificate.namesAsIssuer(next) {
                    words += ", although it names that as its issuer"
                } else {
                    words += ": its issuer is \(certificate.issuer), but the next certificate is \(next.subject)"
                }
                return .found(words, at: chain.value)
            }
            guard next.isAuthority else {
                return .found(
                    "\(name) is signed by the next certificate, \(next.subject), which is not a certificate "
                        + "authority", at: chain.value)
            }
        }
        return []
    }

    /// Applies only with anchors (`--anchor`). It does not repeat what other rules say of the certificates.
    static let certificateAnchor = Rule("invalid-key-x5c/anchor", RuleCheck.key) { key in
        guard let chain = key.chain, !chain.hasTooManyNeighbours, let point = key.point,
            let anchors = key.policy.trustedIssuers.anchors, let leaf = chain.certificates.first
        else { return [] }
        // If the issuer is unknown, the URI in the certificate is taken for it.
        let named = leaf.names.lazy.compactMap { name -> String? in
            if case .uri(let bytes) = name { String(decoding: bytes, as: UTF8.self) } else { nil }
        }.first
        guard let issuer = key.issuer?.url ?? named else { return [] }
        do throws(CertificateError) {
            _ = try anchors.validate(
                chain.encoded, of: point, for: issuer, at: key.policy.now.sinceEpoch.components.seconds)
            return []
        } catch {
            switch error.reason {
            case .otherKey, .otherName, .malformed, .tooLarge, .noCertificate, .unusableKey: return []
            case .keyUsage where error.depth == 0: return []
            case .expired, .notYetValid: return .found(error.message, at: chain.value, severity: .warning)
            default: return .found(error.message, at: chain.value)
            }
        }
    }
}
