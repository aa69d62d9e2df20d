import JOSE

extension Rule {
    /// A dNSName names a host, on which several issuers may live; and the path is part of an issuer's name.
    static let certificateName = Rule(
        "invalid-key-x5c", "issuer-name", .k8,
        requirement: "The first certificate's Subject Alternative Name has a uniformResourceIdentifier equal to "
            + "the issuer's URL.",
        remedy: "Have a certificate issued with a URI entry that is the iss of the cards, character by character.",
        check: .key { key in
            guard let chain = key.chain, let leaf = chain.certificates.first else { return [] }
            let names = leaf.names
            let hasURI = names.contains { if case .uri = $0 { true } else { false } }
            guard hasURI else {
                let words =
                    names.first.map { #" but only \#($0), which is no issuer"# }
                    ?? ", so it does not say whose key it is"
                return [
                    Problem(
                        "the first certificate has no uniformResourceIdentifier as Subject Alternative Name\(words)",
                        at: chain.value)
                ]
            }
            guard key.issuer != nil else { return [] }
            return key.leafProblems.filter { $0.reason == .otherName }.map { Problem($0.message, at: chain.value) }
        })
}
