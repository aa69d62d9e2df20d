public import Deflate

/// A presented card after its form has been examined: a card to verify, or as much as could be read and the reason
/// why it is none.
public struct ExaminedCard: Sendable {
    /// The card as it was presented.
    public let presented: PresentedCard
    /// The card taken apart, where it could be.
    public let decoded: DecodedCard?
    /// The card, or why its form is not in order.
    public let card: Result<UnverifiedCard, VerificationFailure>

    /// Examines a card's form.
    public init(_ presented: PresentedCard, inflater: Inflater) {
        self.presented = presented
        do throws(VerificationFailure) {
            let decoded = try DecodedCard(jws: presented.jws.get(), inflater: inflater)
            self.decoded = decoded
            card = Result { () throws(VerificationFailure) in try UnverifiedCard(decoded) }
        } catch {
            decoded = nil
            card = .failure(error)
        }
    }
}
