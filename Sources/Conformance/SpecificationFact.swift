/// A numbered fact of the specification: what a rule that cites this number relies on.
///
/// The numbers are this project's own, since the specification has none. `docs/specification.md` has the texts, from which
/// `make facts` makes `all`.
public struct SpecificationFact: Sendable {
    /// `SHC-K3`
    public let number: String
    /// What the specification says, in our words.
    public let text: String
    /// The section of the specification.
    public let url: String

    init(_ citation: Citation, _ text: String) {
        number = citation.number
        url = citation.url
        self.text = text
    }

    /// The fact of a number, in upper or lower case; nil if there is none.
    public static func of(_ number: String) -> SpecificationFact? {
        guard number.utf8.count <= 16 else { return nil }
        let upperCase = number.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        return all.first { $0.number.utf8.elementsEqual(upperCase) }
    }
}
