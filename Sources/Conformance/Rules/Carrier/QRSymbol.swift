import Credentials
import Encodings

/// The rules of QR symbols, which are known if the input is a picture or PDF.
extension Rule {
    /// `Linter` itself finds what cannot be read while it reads, and adds the findings.
    static let codeOnPicture = Rule(
        "qr-decode-error", "picture", "SHC-C2",
        requirement: "A picture or PDF contains the QR code of a card, and scanners can read it.",
        remedy: "Draw the code larger, with a light margin, and save it without loss (PNG or SVG).",
        check: .input { _ in [] })

    static let symbolVersion = Rule(
        "invalid-qr-version", "version", "SHC-C2",
        requirement: "The QR code of a card is of version 22 (105 by 105 modules) or lower.",
        remedy: "Use error correction level L and two segments. If the card is still too large, make it smaller.",
        check: .qrSymbol { code in
            guard code.symbol.version > 22 else { return [] }
            return .found("the QR code is of version \(code.symbol.version); the largest allowed is 22")
        })

    static let symbolSize = Rule(
        "invalid-qr-version", "needless-size", "SHC-C2", severity: .warning,
        requirement: "A QR code is no larger than its text needs.",
        remedy: "Let the encoder choose the version.",
        check: .qrSymbol { code in
            let symbol = code.symbol
            guard code.hasTwoSegments,
                let smallest = QRSymbol.smallestVersion(
                    bytes: symbol.segments[0].count, digits: symbol.segments[1].count, level: symbol.errorCorrection),
                symbol.version > smallest
            else { return [] }
            return .found(
                "the QR code is of version \(symbol.version), but its text fits in version \(smallest) with the same error "
                    + "correction")
        })

    static let symbolSegments = Rule(
        "invalid-qr", "segments", "SHC-C2",
        requirement: "The QR code of a card has two segments: shc:/ in byte mode, and the digits in numeric mode.",
        remedy:
            "Give the encoder the two segments one by one. Encoders that get one text often make one byte segment of it, "
            + "which makes the code much larger.",
        check: .qrSymbol { code in
            guard !code.hasTwoSegments else { return [] }
            let segments = code.symbol.segments.prefix(8).map { "\($0.mode.words) (\($0.count))" }.joined(
                separator: ", ")
            return .found(
                "the QR code has \(code.symbol.segments.count.counted("segment")) "
                    + "instead of byte and numeric: \(segments)")
        })

    static let symbolErrorCorrection = Rule(
        "invalid-qr", "error-correction", "SHC-C2", severity: .warning,
        requirement:
            "The QR code of a card has error correction level L, so that its modules are as large as possible.",
        remedy: "Choose error correction level L (low).",
        check: .qrSymbol { code in
            guard code.symbol.errorCorrection != UInt8(ascii: "L") else { return [] }
            let level = Character(Unicode.Scalar(code.symbol.errorCorrection))
            return .found("the QR code has error correction level \(level), which makes it larger than level L")
        })

    static let symbolQuietZone = Rule(
        "invalid-qr", "quiet-zone", "SHC-C2", severity: .warning,
        requirement: "A QR code has a light margin of four modules on all sides (ISO/IEC 18004).",
        remedy: "Leave a white margin of four modules around the code, without text or frames.",
        check: .qrSymbol { code in
            guard code.symbol.hasQuietZone == false else { return [] }
            return .found("the QR code has no light margin of four modules around it, so some scanners do not find it")
        })
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
