package import StrictJSON

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

    /// Whether the signer signs EU certificates.
    package var includesEUCertificates: Bool {
        switch self {
        case .domain(let domain): domain == "DCC" || domain == "DDCC"
        case .unstated, .all: true
        }
    }
}
