import Credentials
import Encodings
import Inputs

extension Rule {
    // MARK: One code

    static let qrScheme = Rule("invalid-numeric-qr-header/scheme", RuleCheck.qrCode) { code in
        guard !code.content.hasScheme else { return [] }
        let found = InputContent.failure(ofLine: code.document.text[...])?.message
        return .found(found ?? "the text of the QR code does not begin with shc:/", offset: 0)
    }

    static let qrSchemeCase = Rule("qr-scheme-case/upper-case", RuleCheck.qrCode) { code in
        guard code.content.hasScheme, !code.document.text.starts(with: "shc:/".utf8) else { return [] }
        return .found("the scheme shc:/ of the QR code is not written in lower case", offset: 0)
    }

    static let qrPart = Rule("invalid-numeric-qr-header/part", RuleCheck.qrCode) { code in
        guard code.content.hasScheme, !code.content.fields.isEmpty else { return [] }
        if let part = code.content.part {
            guard part.count > Bounds.chunks else { return [] }
            return .found(
                "the QR code says that the card has \(part.count) parts; lint reads at most \(Bounds.chunks)",
                offset: 5)
        }
        return .found(
            "between shc:/ and the digits of the QR code there is not a part number C/N with C from 1 to N",
            offset: 5)
    }

    static let qrSinglePart = Rule("invalid-numeric-qr-header/single-part", RuleCheck.qrCode) { code in
        code.content.part?.count == 1 ? .found("the QR code has the needless part number 1/1", offset: 5) : []
    }

    static let qrDigits = Rule("invalid-numeric-qr/digits", RuleCheck.qrCode) { code in
        guard code.content.hasScheme else { return [] }
        guard !code.content.digits.isEmpty else { return .found("the QR code has no digits after its prefix") }
        guard let bad = code.content.firstBadPair else { return [] }
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        let digits = code.document.text[bad...].prefix(2)
        guard digits.allSatisfy(isDigit) else {
            return .found("the digits of the QR code contain a character that is not a digit", offset: bad)
        }
        // A lost digit shifts all pairs after it, and some of these may still stand for characters.
        guard code.content.digits.count.isMultiple(of: 2) || !code.content.digits.allSatisfy(isDigit) else {
            return .found(
                "the QR code has an odd number of digits: \(code.content.digits.count); one is missing or too many, "
                    + "here or before; was the text cut off?", offset: bad)
        }
        return .found(
            "the digits \(String(decoding: digits, as: UTF8.self)) in the QR code stand for no character; "
                + "the largest number is 77", offset: bad)
    }

    static let qrChunkLength = Rule("invalid-numeric-qr/chunk-length", RuleCheck.qrCode) { code in
        guard let part = code.content.part, part.count > 1, code.content.characters.count > 1191 else { return [] }
        return .found(
            "the part in the QR code has \(code.content.characters.count) characters of the JWS, more than 1191")
    }

    // MARK: The codes of one card

    static let qrChunking = Rule("qr-chunking-deprecated/chunked", RuleCheck.qrSet) { set in
        [Problem("the card is split over \(set.card.count) QR codes")]
    }

    static let qrMissingChunk = Rule("missing-qr-chunk/missing", RuleCheck.qrSet) { set in
        let missing = set.card.missing
        guard !missing.isEmpty else { return [] }
        let shown = missing.prefix(8).map { String($0) }.joined(separator: ", ") + (missing.count > 8 ? ", …" : "")
        return .found("the split card has \(set.card.count) parts, but these are missing: \(shown)")
    }

    static let qrConflict = Rule("invalid-qr/conflict", RuleCheck.qrSet) { set in
        set.card.conflicts.sorted().prefix(8).map {
            Problem("part \($0) of \(set.card.count) of the split card is given with two different texts")
        }
    }

    static let qrNeedlessChunks = Rule("invalid-qr/needless-chunks", RuleCheck.qrSet) { set in
        guard set.card.conflicts.isEmpty, let jws = set.card.jws, jws.count <= Bounds.singleQRLength else {
            return []
        }
        return .found("the JWS has only \(jws.count) characters, but is split over \(set.card.count) QR codes")
    }

    /// Parts of equal length, rounded up, leave a last part that is shorter by less than the number of parts.
    static let qrBalance = Rule("unbalanced-qr-chunks/balance", RuleCheck.qrSet) { set in
        guard set.card.conflicts.isEmpty, let jws = set.card.jws else { return [] }
        let average = jws.count / set.card.count
        let tolerance = max((average + 199) / 200, set.card.count - 1)
        let lengths = (1...set.card.count).map { set.card.parts[$0]?.count ?? 0 }
        guard lengths.contains(where: { abs($0 - average) > tolerance }) else { return [] }
        let shown = lengths.prefix(8).map { String($0) }.joined(separator: ", ")
        return .found(
            "the parts of the split card differ in length: \(shown)\(lengths.count > 8 ? ", …" : "") characters")
    }

    // MARK: Symbols, which are known if the input is a picture or PDF

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
