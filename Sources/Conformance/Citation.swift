/// The source of a rule: a fact of the specification, or a section of another standard.
package struct Citation: Sendable, Hashable {
    /// `SHC-K3`, or `RFC 7515 §4.1.11`.
    package let number: String
    /// The address of the text in another standard.
    private let address: String?

    init(_ number: String, _ url: String) {
        self.number = number
        address = url
    }

    /// - Parameter text: the number of a fact of the specification, or a title and an address in angle brackets.
    init(_ text: String) {
        let start = text.utf8.last == UInt8(ascii: ">") ? text.utf8.lastIndex(of: UInt8(ascii: "<")) : nil
        number = start.map { String(text[..<$0].dropLast()) } ?? text
        address = start.map { String(text[$0...].dropFirst().dropLast()) }
    }

    /// The address of the text.
    package var url: String { address ?? SpecificationFact.urls[number] ?? "" }

    /// Whether it is a fact of the specification of SMART Health Cards.
    var isOfHealthCards: Bool { number.hasPrefix("SHC-") }

    /// The SMART Health Cards: Vaccination & Testing implementation guide.
    static let vaccinationProfile = Citation(
        "SHC Vaccination & Testing", "http://hl7.org/fhir/uv/shc-vaccination/2021Sep/profiles.html")
}
