public import Deflate
import JOSE
public import JSON

/// A card taken apart as far as it goes, whatever is wrong with it. Nothing is verified.
public struct CardInspection: Sendable {
    /// The card as it was presented.
    public let presented: PresentedCard
    /// The JWS header; nil where it is not JSON.
    public let header: JSONValue?
    /// The payload, inflated; nil where it cannot be inflated, or is not JSON.
    public let payload: JSONValue?
    /// The signature's length in bytes; nil where the JWS cannot be taken apart.
    public let signatureLength: Int?
    /// The first thing that is wrong with the card's form; nil where it is in order.
    public let failure: VerificationFailure?

    /// Takes a card apart.
    public init(_ presented: PresentedCard, inflater: Inflater) {
        self.presented = presented
        switch ExaminedCard(presented, inflater: inflater).card {
        case .success: failure = nil
        case .failure(let failure): self.failure = failure
        }
        guard let text = try? presented.jws.get(), let jws = try? CompactJWS(text) else {
            header = nil
            payload = nil
            signatureLength = nil
            return
        }
        header = try? JSONDocument.parse(jws.headerBytes, maximumDepth: Bounds.nesting)
        payload = (try? DecodedCard.payload(jws.payload, inflater: inflater))
            // A payload that was not compressed is shown all the same.
            ?? (try? JSONDocument.parse(jws.payload, maximumDepth: Bounds.nesting))
        signatureLength = jws.signature.count
    }
}
