import JSON
import SMARTHealthCards

/// The header of a JWS.
struct HeaderSubject: Sendable {
    let document: Document
    /// The header's JSON, or why it is none.
    let json: Result<JSONValue, JSONError>

    /// The header, where it is JSON.
    var value: JSONValue? { try? json.get() }

    init(_ bytes: [UInt8], of jws: Document) {
        json = Result { () throws(JSONError) in try JSONDocument.parse(bytes, maximumDepth: Bounds.nesting) }
        document = Document(
            source: jws.source, card: jws.card, layer: .header, text: bytes, root: try? json.get())
    }
}
