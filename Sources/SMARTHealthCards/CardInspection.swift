public import Deflate
import JOSE
public import JSON

/// A card taken apart as far as it goes, whatever is wrong with it. Nothing is verified.
public struct CardInspection: Sendable {
    /// The card as it was presented.
    public let presented: PresentedCard
    /// The JWS header; nil if it is not JSON.
    public let header: JSONValue?
    /// The payload, inflated; nil if it cannot be inflated, or is not JSON.
    public let payload: JSONValue?
    /// The signature's length in bytes; nil if the JWS cannot be taken apart.
    public let signatureLength: Int?
    /// The first thing that is wrong with the card's form; nil if it is in order.
    public let failure: VerificationFailure?

    /// Takes a card apart, as far as its form lets.
    ///
    /// - Parameters:
    ///   - examined: the card, after its form has been examined.
    ///   - inflater: what inflates the payload.
    public init(_ examined: ExaminedCard, inflater: Inflater) {
        presented = examined.presented
        switch examined.card {
        case .success: failure = nil
        case .failure(let failure): self.failure = failure
        }
        if let decoded = examined.decoded {
            header = decoded.header.value
            payload = decoded.claims.payload
            signatureLength = decoded.jws.signature.count
            return
        }
        guard let text = try? presented.jws.get(), let jws = try? DecodedCard.compactJWS(text) else {
            header = nil
            payload = nil
            signatureLength = nil
            return
        }
        header = try? JSONDocument.parse(jws.headerBytes, maximumDepth: Bounds.nesting)
        // Where the header is at fault the payload may be in order, and one that was not compressed is shown all the same.
        let limit = failure?.code == .payloadTooLarge ? 0 : Bounds.payloadSize
        let inflated = try? DecodedCard.payload(jws.payload, inflater: inflater, maximumSize: limit)
        let isPlain = inflated == nil && jws.payload.count <= limit
        payload = isPlain ? try? JSONDocument.parse(jws.payload, maximumDepth: Bounds.nesting) : inflated
        signatureLength = jws.signature.count
    }
}
