public import Encodings

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
    /// The beginning of the time in which the name is in use, as the card gives it.
    public let periodStart: UTF8Text?
    /// The end of that time.
    public let periodEnd: UTF8Text?

    /// Reads a name. A part that is missing or of the wrong type is empty.
    public init(_ value: JSONValue) {
        text = value.text("text")
        prefix = Self.parts(value, "prefix")
        given = Self.parts(value, "given")
        family = Self.parts(value, "family")
        suffix = Self.parts(value, "suffix")
        use = value.text("use")
        let period = value["period"]
        periodStart = period?.text("start")
        periodEnd = period?.text("end")
    }

    /// The name of a credential that has no Bundle.
    package init(text: UTF8Text) {
        self.text = text
        (prefix, given, family, suffix) = ([], [], [], [])
        (use, periodStart, periodEnd) = (nil, nil, nil)
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

    /// The name to show: an `official` name first, then a `usual` one, then any other. Of several, the first. A name that is not in
    /// use comes last: an `old` one, and one whose period has ended or has not begun. An empty name is never chosen.
    ///
    /// - Parameter moment: the moment for which this is asked; nil to disregard periods.
    public static func preferred(of values: some Sequence<JSONValue>, at moment: FHIRDate? = nil) -> HumanName? {
        preferred(of: values.lazy.map { HumanName($0) }, at: moment)
    }

    /// The name to show among several; nil if all are empty.
    static func preferred(of names: some Sequence<HumanName>, at moment: FHIRDate?) -> HumanName? {
        var best: (rank: Int, name: HumanName)?
        for name in names {
            let rank = name.rank + (name.isInUse(at: moment) ? 0 : 10)
            if rank < best?.rank ?? .max, name.display != nil { best = (rank, name) }
        }
        return best?.name
    }

    private var rank: Int {
        switch use {
        case "official": 0
        case "usual": 1
        case "nickname", "anonymous", "temp": 3
        case "maiden": 4
        default: 2
        }
    }

    /// Whether the name is in use at a moment; if that is nil, periods are disregarded.
    func isInUse(at moment: FHIRDate?) -> Bool {
        guard use != "old" else { return false }
        guard let moment else { return true }
        let hasEnded = periodEnd.flatMap { FHIRDate($0) }.map { $0.isBefore(moment) } ?? false
        let isAhead = periodStart.flatMap { FHIRDate($0) }.map { moment.isBefore($0) } ?? false
        return !hasEnded && !isAhead
    }
}
