public import JSON

/// A concept: its codes, in as many systems as the issuer gave, and the issuer's words (FHIR `CodeableConcept`).
public struct CodeableConcept: Sendable, Hashable {
    /// The codings in the order of the card.
    public let codings: [Coding]
    /// The issuer's words for the whole.
    public let text: UTF8Text?

    /// Reads a `CodeableConcept`, or a bare `Coding`, which some elements have instead (Coverage.type in DSTU2).
    ///
    /// Nil where there is neither a coding nor a text.
    public init?(_ value: JSONValue) {
        text = value.text("text")
        var codings = value.all("coding").compactMap { Coding($0) }
        if codings.isEmpty, let bare = Coding(value), bare.code != nil { codings = [bare] }
        self.codings = codings
        if codings.isEmpty && text == nil { return nil }
    }

    /// The codes, without words.
    public var codes: [Code] {
        codings.compactMap { coding in coding.code.map { Code(system: coding.system, code: $0) } }
    }

    /// The issuer's words: the text, else the first coding's display.
    public var issuerWords: UTF8Text? { text ?? codings.lazy.compactMap(\.display).first }
}
