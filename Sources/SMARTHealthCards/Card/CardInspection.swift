package import Credentials
package import Cryptography
import Encodings

extension CredentialInspection {
    /// Decodes a card as far as possible.
    ///
    /// - Parameters:
    ///   - examined: the card, after its form was examined.
    ///   - inflater: inflates the payload.
    package init(_ examined: ExaminedCard, inflater: Inflater) {
        let failure = examined.strictFailure
        let text = (try? examined.presented.text.get()).flatMap { $0.count <= Bounds.jwsSize ? $0 : nil }
        let reading = text.map { text in
            CardReading(
                text, inflater: inflater,
                maximumPayloadSize: failure?.code == .payloadTooLarge ? 0 : Bounds.payloadSize)
        }
        self.init(
            presented: examined.presented, header: reading?.header?.value, payload: reading?.payload?.value,
            signatureLength: reading?.signature?.count, failure: failure)
    }
}
