@testable import FHIR

extension RecordQuery {
    /// Why a card does not meet the query; nil if it meets it, or if that is not known.
    func mismatch(with contents: CardContents, names: CodeNames = .builtIn) -> RecordMismatch? {
        guard case .mismatch(let mismatch) = answer(about: contents, names: names) else { return nil }
        return mismatch
    }

    /// Whether the query selects each record of a card for certain.
    func selects(_ contents: CardContents, names: CodeNames = .builtIn) -> [Bool] {
        selections(in: contents, names: names).map { $0 == .selected }
    }
}

extension CodeList {
    /// Whether the list puts all its codes with COVID-19.
    var isOfCOVID19: Bool { entries.allSatisfy(\.isOfCOVID19) }
}
