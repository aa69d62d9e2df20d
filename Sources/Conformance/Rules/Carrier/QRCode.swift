import Credentials
import Directories
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
        if let offset = code.content.wrongOffset {
            return .found(
                "the digits of the QR code are ASCII codes minus \(offset), and not minus 45",
                offset: code.content.digits.startIndex)
        }
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
                    + "here or before; was the text cut off?", offset: bad,
                remedy: code.content.part.map { _ in
                    "Split the JWS between characters, before it is encoded, so that no pair of digits is cut."
                })
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
        let missing = set.card.missing.filter { !set.undecoded.contains($0) }
        guard !missing.isEmpty else { return [] }
        let shown = missing.prefix(8).map { String($0) }.joined(separator: ", ") + (missing.count > 8 ? ", …" : "")
        return .found("the split card has \(set.card.count) parts, but these are missing: \(shown)")
    }

    static let qrConflict = Rule("invalid-qr/conflict", RuleCheck.qrSet) { set in
        set.card.conflicts.sorted().prefix(8).map {
            Problem("part \($0) of \(set.card.count) of the split card is given with two different texts")
        }
    }

    static let qrOrder = Rule("invalid-qr/order", RuleCheck.qrSet) { set in
        set.reordered == nil
            ? [] : .found("the parts of the split card are in the wrong order: in another one they are a whole JWS")
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

    static let deepLinkAddress = Rule("schema-error/deep-link-address", RuleCheck.deepLink) { link in
        let scheme = "https://".utf8
        let begin = link.content.address.prefix(scheme.count).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return begin.elementsEqual(scheme) ? [] : .found("the deep link does not begin with https://", offset: 0)
    }

    static let deepLinkFragment = Rule("schema-error/deep-link-fragment", RuleCheck.deepLink) { link in
        guard let fragment = link.content.fragment, !fragment.isEmpty else {
            return .found("the deep link has no fragment")
        }
        switch link.content.lintedFile {
        case nil: return .found("the deep link has no fragment")
        case .failure(.percentEncoding)?:
            return .found(
                #"the fragment of the deep link has a "%" that is not followed by two hexadecimal digits"#,
                offset: fragment.startIndex)
        case .failure(let defect)?:
            return .found(
                "the fragment of the deep link is not acceptable JSON: \(defect)", offset: fragment.startIndex)
        case .success: return []
        }
    }

    static let deepLinkEncoding = Rule("schema-error/deep-link-encoding", RuleCheck.deepLink) { link in
        guard let fragment = link.content.fragment, !link.content.isEncoded,
            let raw = fragment.firstIndex(where: { $0 <= 0x20 || $0 >= 0x7F || "\"#<>[\\]^`{|}".utf8.contains($0) })
        else { return [] }
        return .found("the fragment of the deep link is not percent-encoded", offset: raw)
    }

    /// The rules of card files on a server, as a patient downloads them.
    static let servedCardRules: [Rule] = [servedAnswer, servedContentType, servedName]

    static let servedAnswer = Rule("file-download-error/answer", RuleCheck.servedCard) { served in
        switch served.answer.result {
        case .success(let response) where response.status == 200: return []
        case .success(let response):
            return .found(
                "the server answers the request for the card file with status \(response.status)",
                remedy: response.status >= 500
                    ? PublishedAnswer.remedy(forStatus: response.status, of: "the card file") : nil)
        case .failure(let failure):
            return .found(
                "the card file was not downloaded: \(failure.message)",
                severity: failure.kind == .unasked ? .unchecked : nil)
        }
    }

    static let servedContentType = Rule("invalid-file-extension/content-type", RuleCheck.servedCard) { served in
        guard let response = served.answer.published else { return [] }
        guard let field = response.headers["content-type"] else {
            return .found("the server sends the card file without Content-Type")
        }
        let type = Array(field.utf8.prefix { $0 != UInt8(ascii: ";") })[...].trimmingWhiteSpace()
        guard !type.map({ $0 | 0x20 }).elementsEqual("application/smart-health-card".utf8) else { return [] }
        return .found(
            "Content-Type of the card file is \(field.quoted(upTo: 100)), and not application/smart-health-card")
    }

    /// The name under which a browser saves the file: that of Content-Disposition, or else the last part of the URL.
    static let servedName = Rule("invalid-file-extension/served-name", RuleCheck.servedCard) { served in
        guard let response = served.answer.published else { return [] }
        let ending = ".smart-health-card"
        if let field = response.headers["content-disposition"], let name = DownloadName(field) {
            guard !name.bytes.suffix(ending.utf8.count).elementsEqual(ending.utf8) else { return [] }
            let words = String(decoding: name.bytes, as: UTF8.self).quoted(upTo: 100)
            return .found("Content-Disposition names the file \(words), which does not end in \(ending)")
        }
        let path = (response.redirects.last ?? served.answer.url).utf8.prefix { $0 != 0x3F && $0 != 0x23 }
        guard !path.suffix(ending.utf8.count).elementsEqual(ending.utf8) else { return [] }
        return .found(
            "the server sends no file name in Content-Disposition, and the path of the URL does not end in \(ending)"
        )
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

/// The file name in a Content-Disposition field (RFC 6266 §4.3).
struct DownloadName {
    /// The name in UTF-8.
    let bytes: [UInt8]

    /// - Parameter field: the value of the field.
    /// - Returns: nil if it has no file name.
    init?(_ field: String) {
        var plain: [UInt8]?
        for parameter in Self.parameters(Array(field.utf8)) {
            guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = parameter[..<equals].trimmingWhiteSpace().map { $0 | 0x20 }
            let value = parameter[(equals + 1)...].trimmingWhiteSpace()
            // filename* is UTF-8''name with percent-encoding (RFC 8187 §3.2), and counts before filename. The `*` has
            // the bit of lower case already.
            if name.elementsEqual("filename*".utf8) {
                let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
                if parts.count == 3, let decoded = PercentEncoding.decode(parts[2]) {
                    bytes = decoded
                    return
                }
            } else if name.elementsEqual("filename".utf8) {
                plain = plain ?? Self.unquoted(value)
            }
        }
        guard let plain else { return nil }
        bytes = plain
    }

    /// The parameters between semicolons that are not in a quoted string.
    private static func parameters(_ field: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var (start, isQuoted, isEscaped) = (0, false, false)
        for (place, byte) in field.enumerated() {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ";"), !isQuoted {
                parts.append(field[start..<place])
                start = place + 1
            }
        }
        return parts + [field[start...]]
    }

    /// A token, or the content of a quoted string.
    private static func unquoted(_ value: ArraySlice<UInt8>) -> [UInt8] {
        guard value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") else {
            return Array(value)
        }
        var content: [UInt8] = []
        var isEscaped = false
        for byte in value.dropFirst().dropLast() {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
                continue
            }
            isEscaped = false
            content.append(byte)
        }
        return content
    }
}
