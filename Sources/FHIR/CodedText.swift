public import JSON

/// What a concept is, in words and in codes.
public struct CodedText: Sendable, Hashable {
    /// The words: a code list's name for one of the codes, else the issuer's; nil if neither has any.
    public let display: UTF8Text?
    /// Where the words come from; nil if there are none.
    public let displaySource: DisplaySource?
    /// The issuer's own words, which may contradict the code.
    public let issuerWords: UTF8Text?
    /// The codes, in the order of the card.
    public let codes: [Code]

    /// - Parameters:
    ///   - concept: the card's concept, if it has one.
    ///   - title: words that the resource has for it elsewhere, where the concept has none.
    ///   - names: names for the codes.
    public init(_ concept: CodeableConcept?, title: UTF8Text? = nil, names: CodeNames) {
        codes = concept?.codes ?? []
        issuerWords = concept?.issuerWords ?? title
        let known = codes.lazy.compactMap { names[$0] }.first
        display = known?.display ?? issuerWords
        displaySource = known?.source ?? (issuerWords == nil ? nil : .issuer)
    }

    /// The words, else the first code, which is all that can be said.
    public var text: UTF8Text? { display ?? codes.first?.code }
}
