import Encodings

/// A disease that codes of vaccines and tests are marked with, so that records against it can be required.
public enum TargetDisease: String, Sendable, Hashable, CaseIterable {
    case covid19
    case yellowFever = "yellow-fever"
    case polio

    /// The letter in the rows of installed lists. `CodeArchive` has other marks as well.
    var mark: UInt8 {
        switch self {
        case .covid19: UInt8(ascii: "c")
        case .yellowFever: UInt8(ascii: "y")
        case .polio: UInt8(ascii: "p")
        }
    }

    /// The codes of the disease itself.
    var codes: [Code] {
        switch self {
        case .covid19: Self.covid19Codes
        case .yellowFever: Self.yellowFeverCodes
        case .polio: Self.polioCodes
        }
    }

    // They are made once, since each record is asked about the disease.
    private static let covid19Codes = [Code.covid19, Code(system: Code.icd11, code: "RA01")]
    private static let yellowFeverCodes = [Code(system: Code.icd11, code: "1D47")]
    private static let polioCodes = [Code(system: Code.icd11, code: "1C81")]

    /// Whether CDC's list of groups of vaccines (`VG.txt`) gives this name to the group of the vaccines against the disease.
    func isGroup(_ name: UTF8Text) -> Bool {
        switch self {
        case .covid19: name.holdsNameOfCOVID19
        case .yellowFever: name.asciiLowercased == "yellow fever"
        case .polio: name.asciiLowercased == "polio"
        }
    }
}

extension UTF8Text {
    /// Whether this, as the name of a code or of a group in CVX, says that it is about COVID-19. CDC writes one of these two in each
    /// such name, so no other spelling counts, and no word before it denies it.
    var holdsNameOfCOVID19: Bool {
        let text = asciiLowercased.utf8
        return ["covid-19", "sars-cov-2"].contains { text.contains($0.utf8) }
    }
}
