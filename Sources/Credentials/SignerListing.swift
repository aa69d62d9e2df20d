/// What a trust list says about the signer of a health certificate, besides its country.
public struct SignerListing: Sendable, Hashable {
    /// The trust domain: what the signer signs, such as `DCC` or `ICVP`; nil if the list does not say.
    public let domain: String?
    /// The country or organisation to which the network attributes the signer; nil if the list does not say.
    public let participant: String?
    /// The network of the list: `production`, `uat` or `dev`; nil if the list does not say.
    public let environment: String?

    /// Creates what a list says.
    package init(domain: String?, participant: String?, environment: String?) {
        self.domain = domain
        self.participant = participant
        self.environment = environment
    }
}

extension Verdict {
    /// What the trust list says about the signer; nil if no signer was found, and for SMART Health Cards.
    public var signerListing: SignerListing? { key?.listing }
}
