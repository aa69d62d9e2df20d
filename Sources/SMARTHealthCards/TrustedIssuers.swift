/// The issuers that the verifier trusts. Lists add up: an issuer on any of them is trusted.
public struct TrustedIssuers: Sendable {
    private var allowed: Set<Issuer> = []

    public init() {}

    /// Whether there is no list at all, so that trust is not judged.
    public var isEmpty: Bool { allowed.isEmpty }

    /// Trusts one issuer. URLs are compared exactly.
    public mutating func allow(_ issuer: Issuer) {
        allowed.insert(issuer)
    }

    /// Why the issuer is trusted; nil where no list names it.
    func trust(in issuer: Issuer) -> IssuerTrust? {
        allowed.contains(issuer) ? .allowList : nil
    }

    /// A listed issuer that differs from this one only in case or in a trailing slash.
    func nearMiss(of issuer: Issuer) -> Issuer? {
        let wanted = Self.folded(issuer)
        return allowed.first { Self.folded($0) == wanted }
    }

    private static func folded(_ issuer: Issuer) -> String {
        var text = issuer.url.lowercased()
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}
