import JSON

/// A JSON object that carries cards.
struct JSONSubject: Sendable {
    let document: Document
    /// The object.
    let value: JSONValue
}
