import Credentials
import Encodings

/// The rules of QR symbols, which are known if the input is a picture or PDF.
extension Rule {
    /// `Linter` itself finds what cannot be read while it reads, and adds the findings.
    static let codeOnPicture = Rule("qr-decode-error/picture", RuleCheck.input)

    static let symbolVersion = Rule("invalid-qr-version/version", RuleCheck.qrSymbol) { code in
        guard code.symbol.version > 22 else { return [] }
        return .found("the QR code is of version \(code.symbol.version); the largest allowed is 22")
    }

    static let symbolSize = Rule("invalid-qr-version/needless-size", RuleCheck.qrSymbol) { code in
        let symbol = code.symbol
        guard code.hasTwoSegments,
            let smallest = QRSymbol.smallestVersion(
                bytes: symbol.segments[0].count, digits: symbol.segments[1].count, level: symbol.errorCorrection),
            symbol.version > smallest
        else { return [] }
        return .found(
            "the QR code is of version \(symbol.version), but its text fits in version \(smallest) with the same error "
                + "correction")
    }

    static let symbolSegments = Rule("invalid-qr/segments", RuleCheck.qrSymbol) { code in
        guard !code.hasTwoSegments else { return [] }
        let segments = code.symbol.segments.prefix(8).map { "\($0.mode.words) (\($0.count))" }.joined(separator: ", ")
        return .found(
            "the QR code has \(code.symbol.segments.count.counted("segment")) "
                + "instead of byte and numeric: \(segments)")
    }

    static let symbolErrorCorrection = Rule("invalid-qr/error-correction", RuleCheck.qrSymbol) { code in
        guard code.symbol.errorCorrection != UInt8(ascii: "L") else { return [] }
        let level = Character(Unicode.Scalar(code.symbol.errorCorrection))
        return .found("the QR code has error correction level \(level), which makes it larger than level L")
    }

    static let symbolQuietZone = Rule("invalid-qr/quiet-zone", RuleCheck.qrSymbol) { code in
        guard code.symbol.hasQuietZone == false else { return [] }
        return .found("the QR code has no light margin of four modules around it, so some scanners do not find it")
    }
}

extension QRSegment.Mode {
    fileprivate var words: String {
        switch self {
        case .numeric: "numeric"
        case .alphanumeric: "alphanumeric"
        case .byte: "byte"
        case .kanji: "kanji"
        }
    }
}
