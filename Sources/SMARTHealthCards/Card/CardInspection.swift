public import Credentials
package import Deflate
import JOSE
public import JSON

/// A card, decoded as far as possible, even if it has errors. Nothing in it is verified.
public struct CardInspection: Sendable {
    /// The card as it was presented.
    public let presented: PresentedCredential
    /// The JWS header; nil if it is not JSON.
    public let header: JSONValue?
    /// The inflated payload; nil if it cannot be inflated, or is not JSON.
    public let payload: JSONValue?
    /// The length of the signature in bytes; nil if the JWS cannot be decoded.
    public let signatureLength: Int?
    /// The first error in the card's form; nil if the form is correct.
    public let failure: VerificationFailure?

    /// Decodes a card as far as possible.
    ///
    /// - Parameters:
    ///   - examined: the card, after its form was examined.
    ///   - inflater: inflates the payload.
    package init(_ examined: ExaminedCard, inflater: Inflater) {
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
        guard let text = try? presented.text.get(), let jws = try? DecodedCard.compactJWS(text) else {
            header = nil
            payload = nil
            signatureLength = nil
            return
        }
        header = try? JSONDocument.parse(jws.headerBytes, maximumDepth: Bounds.nesting)
        // If only the header is wrong, the payload can still be shown, also if it is not compressed.
        let limit = failure?.code == .payloadTooLarge ? 0 : Bounds.payloadSize
        let inflated = try? DecodedCard.payload(jws.payload, inflater: inflater, maximumSize: limit)
        let isPlain = inflated == nil && jws.payload.count <= limit
        payload = isPlain ? try? JSONDocument.parse(jws.payload, maximumDepth: Bounds.nesting) : inflated
        signatureLength = jws.signature.count
    }
}
