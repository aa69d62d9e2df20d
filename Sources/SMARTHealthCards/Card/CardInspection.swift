package import Credentials
package import Deflate
import JOSE
import StrictJSON

extension CredentialInspection {
    /// Decodes a card as far as possible.
    ///
    /// - Parameters:
    ///   - examined: the card, after its form was examined.
    ///   - inflater: inflates the payload.
    package init(_ examined: ExaminedCard, inflater: Inflater) {
        let failure = examined.strictFailure
        if let decoded = examined.decoded {
            self.init(
                presented: examined.presented, header: decoded.header.value, payload: decoded.claims.payload,
                signatureLength: decoded.jws.signature.count, failure: failure)
            return
        }
        guard let text = try? examined.presented.text.get(), let jws = try? DecodedCard.compactJWS(text) else {
            self.init(
                presented: examined.presented, header: nil, payload: nil, signatureLength: nil, failure: failure)
            return
        }
        // If only the header is wrong, the payload can still be shown, also if it is not compressed.
        let limit = failure?.code == .payloadTooLarge ? 0 : Bounds.payloadSize
        let inflated = try? DecodedCard.payload(jws.payload, inflater: inflater, maximumSize: limit)
        let isPlain = inflated == nil && jws.payload.count <= limit
        self.init(
            presented: examined.presented,
            header: try? JSONDocument.parse(jws.headerBytes, maximumDepth: Bounds.nesting),
            payload: isPlain ? try? JSONDocument.parse(jws.payload, maximumDepth: Bounds.nesting) : inflated,
            signatureLength: jws.signature.count, failure: failure)
    }
}
