public import Encodings

/// A concept: its codes in one or several code systems, and the issuer's words for it (FHIR `CodeableConcept`).
public struct CodeableConcept: Sendable, Hashable {
    /// The codings in the order of the card.
    public let codings: [Coding]
    /// The issuer's words for the concept as a whole.
    public let text: UTF8Text?
    /// The place of the first coding with a code.
    let firstCode: CodePlace?

    /// Reads a `CodeableConcept`, or a bare `Coding`, which some elements have instead (Coverage.type in DSTU2).
    ///
    /// - Returns: nil if there is neither a coding nor a text.
    public init?(_ value: JSONValue) {
        text = value.text("text")
        var firstCode: CodePlace?
        var codings: [Coding] = []
        for (index, element) in value.all("coding").enumerated() {
            guard let coding = Coding(element) else { continue }
            if firstCode == nil, coding.code != nil {
                firstCode = value["coding"]?.elements == nil ? .onlyCoding : .coding(index)
            }
            codings.append(coding)
        }
        if codings.isEmpty, let bare = Coding(value), bare.code != nil {
            codings = [bare]
            firstCode = .concept
        }
        self.firstCode = firstCode
        self.codings = codings
        if codings.isEmpty && text == nil { return nil }
    }

    /// The codes without their words.
    public var codes: [Code] {
        codings.compactMap { coding in coding.code.map { Code(system: coding.system, code: $0) } }
    }

    /// The issuer's words: the text, or else the first coding's display.
    public var issuerWords: UTF8Text? { text ?? codings.lazy.compactMap(\.display).first }
}

/// Where a concept has a code.
enum CodePlace: Sendable, Hashable {
    /// In the coding with this index.
    case coding(Int)
    /// In `coding`, which is not an array.
    case onlyCoding
    /// In the concept itself, which is a coding.
    case concept

    /// The path from the concept to the code.
    var path: String {
        switch self {
        case .coding(let index): "coding[\(index)].code"
        case .onlyCoding: "coding.code"
        case .concept: "code"
        }
    }
}

/// A code with the issuer's words for it (FHIR `Coding`).
public struct Coding: Sendable, Hashable {
    /// The code system's URI.
    public let system: UTF8Text?
    /// The code in that system.
    public let code: UTF8Text?
    /// The issuer's words for the code. They may contradict the code.
    public let display: UTF8Text?

    /// - Returns: nil if the value is not an object or has none of the three members.
    public init?(_ value: JSONValue) {
        system = value.text("system")
        code = value.text("code")
        display = value.text("display")
        if system == nil && code == nil && display == nil { return nil }
    }
}

/// A code and the system that gives it its meaning.
public struct Code: Sendable, Hashable {
    /// The code system's URI, or nil if the card names none.
    public let system: UTF8Text?
    /// The code, as the card spells it.
    public let code: UTF8Text

    /// Makes a code as written. It need not be in its canonical form.
    public init(system: UTF8Text?, code: UTF8Text) {
        self.system = system
        self.code = code
    }

    /// One form for codes with the same meaning: CVX `1` becomes `01`, and the names of a system, such as its OID, become one.
    public var canonical: Code {
        guard let system = system.map(Self.canonicalSystem) else { return self }
        return Code(system: system, code: system == Self.cvx ? Self.twoDigits(code) : code)
    }

    /// CDC's vaccine codes.
    public static let cvx: UTF8Text = "http://hl7.org/fhir/sid/cvx"
    /// CDC's codes for manufacturers of vaccines.
    public static let mvx: UTF8Text = "http://hl7.org/fhir/sid/mvx"
    /// SNOMED CT.
    public static let snomed: UTF8Text = "http://snomed.info/sct"
    /// LOINC.
    public static let loinc: UTF8Text = "http://loinc.org"
    /// ICD-11's linearization for mortality and morbidity statistics.
    public static let icd11: UTF8Text = "http://id.who.int/icd/release/11/mms"
    /// WHO's IDs of vaccines that it has prequalified.
    public static let whoProducts: UTF8Text = "http://smart.who.int/pcmt-vaxprequal/CodeSystem/PreQualProductIds"

    /// COVID-19, the disease, in SNOMED CT.
    public static let covid19 = Code(system: snomed, code: "840539006")

    /// Pads a number to two digits. Returns other text, and a number longer than any code, unchanged.
    private static func twoDigits(_ code: UTF8Text) -> UTF8Text {
        let zero = UInt8(ascii: "0")
        guard (1...32).contains(code.utf8.count), code.utf8.allSatisfy({ (zero...UInt8(ascii: "9")).contains($0) })
        else { return code }
        if code.utf8.count > 1, code.utf8.first != zero { return code }
        let digits = code.utf8.drop { $0 == zero }
        return UTF8Text(decoding: Array(repeating: zero, count: max(0, 2 - digits.count)) + Array(digits))
    }
}

/// A concept in words and in codes.
public struct CodedText: Sendable, Hashable {
    /// The words: a code list's name for one of the codes, or else the issuer's words. Nil if there are none.
    public let display: UTF8Text?
    /// The source of the words, or nil if there are none.
    public let displaySource: DisplaySource?
    /// The issuer's own words, which may contradict the code.
    public let issuerWords: UTF8Text?
    /// The codes, in the order of the card.
    public let codes: [Code]
    /// What the first code of a known kind stands for, if there are no words.
    package let kind: UTF8Text?
    /// The place of the first code in the card's concept; nil if it is not known.
    let firstCode: CodePlace?

    /// - Parameters:
    ///   - concept: the card's concept, if it has one.
    ///   - title: words from elsewhere in the resource, used if the concept has none.
    ///   - names: names for the codes.
    public init(_ concept: CodeableConcept?, title: UTF8Text? = nil, names: CodeNames) {
        codes = concept?.codes ?? []
        firstCode = concept?.firstCode
        issuerWords = concept?.issuerWords ?? title
        // A record of absence is nothing else, whatever else it claims.
        let known =
            codes.lazy.compactMap { AbsenceCode.name(of: $0) }.first ?? codes.lazy.compactMap { names[$0] }.first
        display = known?.display ?? issuerWords
        displaySource = known?.source ?? (issuerWords == nil ? nil : .issuer)
        kind = display == nil ? codes.lazy.compactMap { names.kind(of: $0) }.first : nil
    }

    /// A concept of a credential that has no Bundle. The issuer's words are the display, if it comes from the issuer.
    package init(display: UTF8Text?, source: DisplaySource?, codes: [Code]) {
        self.display = display
        displaySource = source
        issuerWords = source == .issuer ? display : nil
        self.codes = codes
        kind = nil
        firstCode = nil
    }

    /// The words, or the first code if there are none.
    public var text: UTF8Text? { display ?? codes.first?.code }
}

/// A measured amount (FHIR `Quantity`), with its digits as signed.
package struct Quantity: Sendable, Hashable {
    /// `<`, `<=`, `>=` or `>`.
    package let comparator: UTF8Text?
    /// The number's digits: `6.30` stays `6.30`.
    package let digits: String
    /// The readable unit, or else its code.
    package let unit: UTF8Text?

    /// - Returns: nil if there is no number.
    package init?(_ value: JSONValue) {
        guard let digits = value["value"]?.number?.digits else { return nil }
        self.digits = digits
        comparator = value.text("comparator")
        unit = value.text("unit") ?? value.text("code")
    }

    /// The quantity in one line, such as `<0.5 mg/L`.
    package var text: String { amount + (unit.map { " \($0)" } ?? "") }

    private var amount: String { (comparator?.description ?? "") + digits }

    /// An interval (FHIR `Range`, and the `low` and `high` of a reference range): `3.5 to 5.0 mmol/L`.
    static func range(_ value: JSONValue) -> String? {
        let low = value["low"].flatMap { Quantity($0) }
        let high = value["high"].flatMap { Quantity($0) }
        switch (low, high) {
        case (let low?, let high?):
            return low.unit == nil || low.unit == high.unit
                ? "\(low.amount) to \(high.text)" : "\(low.text) to \(high.text)"
        case (let low?, nil): return ">= " + low.text
        case (nil, let high?): return "<= " + high.text
        case (nil, nil): return nil
        }
    }

    /// A ratio (FHIR `Ratio`): `1:128`.
    static func ratio(_ value: JSONValue) -> String? {
        guard let numerator = value["numerator"].flatMap({ Quantity($0) }),
            let denominator = value["denominator"].flatMap({ Quantity($0) })
        else { return nil }
        let isPlain = numerator.unit == nil && denominator.unit == nil
        return numerator.text + (isPlain ? ":" : " / ") + denominator.text
    }
}
