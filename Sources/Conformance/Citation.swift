/// The source of a rule: a fact of the specification, or a section of another standard.
package struct Citation: Sendable, Hashable, ExpressibleByStringLiteral {
    /// `SHC-K3`, or `RFC 7515 §4.1.11`.
    package let number: String
    /// The address of the text in another standard.
    private let address: String?

    init(_ number: String, _ url: String) {
        self.number = number
        address = url
    }

    /// A fact of the specification, by its number.
    package init(stringLiteral number: String) {
        self.number = number
        address = nil
    }

    /// The address of the text.
    package var url: String { address ?? SpecificationFact.urls[number] ?? "" }

    /// Whether it is a fact of the specification of SMART Health Cards.
    var isOfHealthCards: Bool { number.hasPrefix("SHC-") }

    /// A section of an RFC.
    static func rfc(_ number: Int, _ section: String) -> Citation {
        Citation("RFC \(number) §\(section)", "https://www.rfc-editor.org/rfc/rfc\(number)#section-\(section)")
    }

    /// A page of FHIR R4.
    static func fhir(_ page: String) -> Citation {
        Citation("FHIR R4 \(page)", "https://hl7.org/fhir/R4/\(page).html")
    }

    /// This tool's own limits, which no real card reaches.
    static let limits = Citation("shcverify limits", "https://spec.smarthealth.cards/#health-cards-are-compact")

    /// SMART Health Links.
    static let links = Citation(
        "SMART Health Links", "https://hl7.org/fhir/uv/smart-health-cards-and-links/links-specification.html")

    /// The SMART Health Cards: Vaccination & Testing implementation guide.
    static let vaccinationProfile = Citation(
        "SHC Vaccination & Testing", "http://hl7.org/fhir/uv/shc-vaccination/2021Sep/profiles.html")
}
