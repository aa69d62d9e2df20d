package import Encodings

/// What a list says that a signer signs.
package enum SignerScope: Sendable, Hashable {
    /// Content of this trust domain, in capital letters, such as `DCC` or `PH4H`.
    case domain(UTF8Text)
    /// Nothing, because the list is of a time or a place in which there were only EU certificates.
    case unstated
    /// Everything, since the user has named the certificate or the key set for that.
    case all

    /// The trust domain; nil if the list does not state one.
    package var domain: UTF8Text? {
        if case .domain(let domain) = self { domain } else { nil }
    }

    /// Whether the signer signs content of a kind.
    package func includes(_ kind: HealthContentKind) -> Bool {
        switch self {
        case .domain(let domain): kind.domains.contains(domain)
        case .unstated: kind.isOfListsWithoutDomains
        case .all: true
        }
    }

    /// What the signer signs, in words that follow "it is of"; nil if it signs everything.
    package var words: String? {
        switch self {
        case .domain(let domain): "the domain \(domain.quoted(upTo: 40))"
        case .unstated: "a list without domains, which is for EU certificates only"
        case .all: nil
        }
    }
}
