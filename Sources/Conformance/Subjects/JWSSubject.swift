import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

/// A compact JWS.
final class JWSSubject: Sendable {
    let document: Document
    /// The form that the card came in.
    let kind: InputForm
    /// Whether the text was cut off, so that no rule can judge its end.
    let isCut: Bool
    let reading: CardReading
    /// The header; nil if it is too large.
    let header: HeaderSubject?
    /// The inflated payload; nil if it cannot be inflated.
    let payload: PayloadSubject?
    /// The issuer that the payload names, even if the URL is not valid; nil if it names none.
    let issuer: Issuer?

    init(
        _ document: Document, kind: InputForm, isCut: Bool = false, settings: LintSettings, inflater: Inflater
    ) {
        self.document = document
        self.kind = kind
        self.isCut = isCut
        reading = CardReading(document.text, inflater: inflater)
        header = reading.header.map { HeaderSubject($0, of: document) }
        payload = reading.payload.map { payload in
            PayloadSubject(payload, source: document.source, card: document.card, settings: settings)
        }
        issuer = payload?.claims?.issuer.map { Issuer(unchecked: $0) }
    }
}

/// The header of a JWS.
struct HeaderSubject: Sendable {
    let document: Document
    let json: JSONReading
    /// The header; nil if it is not JSON.
    var value: JSONValue? { json.value }

    init(_ json: JSONReading, of jws: Document) {
        self.json = json
        document = Document(source: jws.source, card: jws.card, layer: .header, text: json.text, root: json.value)
    }
}
