import JOSE

extension Rule {
    /// Verifiers refuse the key otherwise, whether or not they look at certificates for anything else.
    static let certificateKey = Rule(
        "invalid-key-x5c", "leaf-key", .k7,
        requirement: "The public key in the first certificate of \"x5c\" is the one of x and y, and may sign.",
        remedy: "Publish the certificate that was issued for this key, as the first of x5c.",
        check: .key { key in
            guard let chain = key.chain, let leaf = chain.encoded.first, !chain.certificates.isEmpty,
                let point = key.point
            else { return [] }
            switch point.matches(certificate: leaf) {
            case .same: break
            case .different:
                let index = chain.encoded.firstIndex { point.matches(certificate: $0) == .same }
                let hint = index.map { "; element \($0) is of this key, and has to be the first" } ?? ""
                return [
                    Problem(#"the first certificate of "x5c" is of another key than x and y\#(hint)"#, at: chain.value)
                ]
            case .unreadable:
                return [Problem(#"the first certificate of "x5c" has a key that cannot be read"#, at: chain.value)]
            }
            let reasons: Set<CertificateError.Reason> = [.keyUsage, .malformed]
            return key.leafProblems.filter { reasons.contains($0.reason) }
                .map { Problem($0.message, at: chain.value) }
        })
}
