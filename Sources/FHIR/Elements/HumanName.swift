public import StrictJSON

/// A person's name (FHIR `HumanName`).
public struct HumanName: Sendable, Hashable {
    /// The whole name, as it should be shown.
    public let text: UTF8Text?
    /// Titles that come first.
    public let prefix: [UTF8Text]
    /// Given names, in the order of the card.
    public let given: [UTF8Text]
    /// The family name. DSTU2 allows several.
    public let family: [UTF8Text]
    /// Parts that follow the name.
    public let suffix: [UTF8Text]
    /// `official`, `usual`, `nickname`, `old`, …
    public let use: UTF8Text?

    /// Reads a name. A part that is missing or of the wrong type is empty.
    public init(_ value: JSONValue) {
        text = value.text("text")
        prefix = Self.parts(value, "prefix")
        given = Self.parts(value, "given")
        family = Self.parts(value, "family")
        suffix = Self.parts(value, "suffix")
        use = value.text("use")
    }

    private static func parts(_ value: JSONValue, _ name: String) -> [UTF8Text] {
        value.all(name).compactMap(\.string).filter { !$0.isEmpty }
    }

    /// The name as the card gives it: its text, or else the parts in FHIR's order (prefix, given, family, suffix),
    /// separated by spaces. The order does not depend on the locale. Nil if the name is empty.
    public var display: UTF8Text? {
        if let text { return text }
        let parts = prefix + given + family + suffix
        return parts.isEmpty ? nil : UTF8Text(parts.map(\.description).joined(separator: " "))
    }

    /// The name to show: an `official` name first, then a `usual` one, then any other. Of several, the first. An `old`
    /// or empty name is never chosen.
    public static func preferred(of values: some Sequence<JSONValue>) -> HumanName? {
        var best: (rank: Int, name: HumanName)?
        for value in values {
            let rank: Int? =
                switch value["use"]?.string {
                case "official": 0
                case "usual": 1
                case "nickname", "anonymous", "temp": 3
                case "maiden": 4
                case "old": nil
                default: 2
                }
            guard let rank, rank < best?.rank ?? .max else { continue }
            let name = HumanName(value)
            if name.display != nil { best = (rank, name) }
        }
        return best?.name
    }
}
