/// One card as it was presented, before anything in it has been looked at.
public struct PresentedCard: Sendable {
    /// Where it came from: the input's name and the card's number in it, `card.smart-health-card#0`.
    public let source: String
    /// The form it came in; nil if that could not be told.
    public let kind: InputKind?
    /// The bytes of the compact JWS, or why there are none.
    public let jws: Result<[UInt8], VerificationFailure>
    /// What the form departs from, harmlessly.
    public let warnings: [CardWarning]

    /// A card whose compact JWS is at hand.
    public init(jws: [UInt8], kind: InputKind = .jws, source: String, warnings: [CardWarning] = []) {
        self.source = source
        self.kind = kind
        self.jws = .success(jws)
        self.warnings = warnings
    }

    /// A card of which nothing is left but the reason why it cannot be read.
    public init(failure: VerificationFailure, kind: InputKind? = nil, source: String, warnings: [CardWarning] = []) {
        self.source = source
        self.kind = kind
        self.jws = .failure(failure)
        self.warnings = warnings
    }
}
