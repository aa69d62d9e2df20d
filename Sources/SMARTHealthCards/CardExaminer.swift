public import Deflate
import JSON

/// Examines the form of one card after the other, and sees to it that all of them together stay within bounds.
public struct CardExaminer {
    private let inflater: Inflater
    private var left: Int

    /// - Parameter totalPayloadSize: how many bytes the payloads of all cards may have together, inflated.
    /// - Throws: `InflateError` if there is no memory for zlib's state.
    public init(totalPayloadSize: Int = Bounds.totalPayloadSize) throws(InflateError) {
        inflater = try Inflater()
        left = totalPayloadSize
    }

    /// Examines the form of the next card.
    public mutating func examine(_ presented: PresentedCard) -> ExaminedCard {
        guard left > 0 else {
            return ExaminedCard(
                PresentedCard(
                    failure: VerificationFailure(
                        .payloadTooLarge, "the payloads of the cards before it have used up what one run may inflate"),
                    kind: presented.kind, source: presented.source, warnings: presented.warnings), inflater: inflater)
        }
        let limit = min(left, Bounds.payloadSize)
        let examined = ExaminedCard(presented, inflater: inflater, maximumPayloadSize: limit)
        left -= min(left, examined.spentPayloadSize)
        return examined
    }

    /// Takes the next card apart as far as it goes.
    public mutating func inspect(_ presented: PresentedCard) -> CardInspection {
        let inspection = CardInspection(examine(presented), inflater: inflater)
        if inspection.failure != nil { left -= min(left, inspection.payload?.text.count ?? 0) }
        return inspection
    }
}
