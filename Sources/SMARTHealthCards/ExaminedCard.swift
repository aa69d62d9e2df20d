public import Deflate

/// A presented card after its form has been examined: a card to verify, or as much as could be read and the reason
/// why it is none.
///
/// An object, as the card in it, since it is handed on from step to step and copying what it holds would cost more than a step.
public final class ExaminedCard: Sendable {
    /// The card as it was presented.
    public let presented: PresentedCard
    /// The card taken apart, where it could be.
    public let decoded: DecodedCard?
    /// The card, or why its form is not in order.
    public let card: Result<UnverifiedCard, VerificationFailure>
    /// How much of what a run may spend on payloads was spent on this one, in bytes that were inflated and parsed.
    let spentPayloadSize: Int

    /// Examines a card's form.
    ///
    /// - Parameters:
    ///   - presented: the card.
    ///   - inflater: what inflates the payload.
    ///   - maximumPayloadSize: how many bytes the payload may have, inflated.
    public convenience init(
        _ presented: PresentedCard, inflater: Inflater, maximumPayloadSize: Int = Bounds.payloadSize
    ) {
        self.init(presented, inflater: inflater, maximumPayloadSize: maximumPayloadSize, recent: nil)
    }

    /// The same, with what earlier cards had alike.
    init(_ presented: PresentedCard, inflater: Inflater, maximumPayloadSize: Int, recent: RecentForms?) {
        self.presented = presented
        var spent = 0
        do throws(VerificationFailure) {
            let decoded = try DecodedCard(
                jws: presented.jws.get(), inflater: inflater, maximumPayloadSize: maximumPayloadSize, spent: &spent,
                recent: recent)
            self.decoded = decoded
            card = Result { () throws(VerificationFailure) in try UnverifiedCard(decoded, recent: recent) }
        } catch {
            decoded = nil
            card = .failure(error)
        }
        spentPayloadSize = spent
    }
}
