import Encodings

/// A primitive type of FHIR R4, and its format. Text is compared byte by byte.
enum Primitive: String, Sendable, CaseIterable {
    case base64Binary, boolean, canonical, code, date, dateTime, decimal, id, instant, integer, markdown, oid
    case positiveInt, string, time, unsignedInt, uri, url, uuid, xhtml
    case sampledDataDataType = "SampledDataDataType"

    /// The kind of JSON value for this type.
    var jsonKind: JSONValue.Kind {
        switch self {
        case .boolean: .boolean
        case .decimal, .integer, .positiveInt, .unsignedInt: .number
        default: .string
        }
    }

    /// The name with an article.
    var described: String {
        switch self {
        case .integer, .instant, .id, .oid, .unsignedInt: "an \(rawValue)"
        case .sampledDataDataType: "sampled data"
        case .xhtml: "XHTML"
        default: "a \(rawValue)"
        }
    }

    // MARK: Formats (datatypes.html)

    /// Why a value is not of this type's format.
    struct Objection {
        let reason: String
        /// Whether R4 says should not, rather than shall not.
        var isAdvice = false
    }

    /// The most characters of a string (datatypes.html#string: "SHALL NOT exceed 1MB").
    static let longestString = 1 << 20

    /// Whether a look at the bytes of a string that is not empty shows that it is of this type. If not, `objection(to:)` decides.
    func surelyHas(_ text: JSONValue) -> Bool {
        switch self {
        // What does not begin with white space is not only white space.
        case .string, .markdown:
            text.byteRange.count <= Self.longestString && !text.begins(with: 0x20) && text.isPlainString(from: 0x20)
        case .code, .uri, .url, .canonical: text.isPlainString(from: 0x21)
        default: false
        }
    }

    /// Why a text is not of this type; nil if it is. The text is not empty.
    func objection(to text: [UInt8]) -> Objection? {
        if self == .string || self == .markdown { return objectionToString(text) }
        let reason: String? =
            switch self {
            case .code: Self.isCode(text) ? nil : "a code must not have white space other than single spaces inside"
            case .uri, .url, .canonical: text.contains(where: Self.isWhiteSpace) ? "it contains white space" : nil
            case .oid: Self.isOID(text) ? nil : "an oid has the form urn:oid:1.2.3"
            case .uuid where Self.isUUID(text): nil
            case .uuid: "a uuid has the form urn:uuid:c757873d-ec9a-4326-a141-556f43239520, in lower case"
            case .id: Self.isID(text) ? nil : "an id is 1 to 64 letters, digits, - and ."
            case .base64Binary: Self.isBase64(text) ? nil : "it is not base64"
            case .date, .dateTime, .instant, .time: DateTimeFormat.objection(to: text, as: self)
            case .sampledDataDataType: Self.isSampledData(text) ? nil : "it is not a list of decimals, E, U and L"
            case .xhtml: XHTML.objection(to: text)
            case .string, .markdown, .boolean, .decimal, .integer, .positiveInt, .unsignedInt: nil
            }
        return reason.map { Objection(reason: $0) }
    }

    /// Why the text of a number is not of this type; nil if it is.
    func objection(toNumber digits: ArraySlice<UInt8>) -> Objection? {
        guard self != .decimal else { return nil }
        guard digits.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }) else {
            return Objection(reason: "it must not have a fraction or an exponent")
        }
        let number = Int32(String(decoding: digits, as: UTF8.self))
        return switch (self, number) {
        case (_, nil): Objection(reason: "it must fit into 32 bits")
        case (.positiveInt, let number?) where number < 1: Objection(reason: "it must be 1 or more")
        case (.unsignedInt, _) where digits.first == UInt8(ascii: "-"): Objection(reason: "it must be 0 or more")
        default: nil
        }
    }

    private func objectionToString(_ text: [UInt8]) -> Objection? {
        // Characters are counted only if there may be too many of them.
        if text.count > Self.longestString, text.count(where: { $0 & 0xC0 != 0x80 }) > Self.longestString {
            return Objection(reason: "it is longer than 1 MB")
        }
        if text.allSatisfy(Self.isWhiteSpace) { return Objection(reason: "it is only white space", isAdvice: true) }
        if text.contains(where: { $0 < 0x20 && !Self.isWhiteSpace($0) }) {
            return Objection(reason: "it contains control characters", isAdvice: true)
        }
        return nil
    }

    static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isCode(_ text: [UInt8]) -> Bool {
        var wasSpace = true
        for byte in text {
            let isSpace = byte == 0x20
            if isSpace && wasSpace || isWhiteSpace(byte) && !isSpace { return false }
            wasSpace = isSpace
        }
        return !wasSpace
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isOID(_ text: [UInt8]) -> Bool {
        guard text.starts(with: "urn:oid:".utf8) else { return false }
        let arcs = text.dropFirst(8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard arcs.count > 1, let first = arcs.first, first.count == 1, let root = first.first,
            (UInt8(ascii: "0")...UInt8(ascii: "2")).contains(root)
        else { return false }
        return arcs.allSatisfy { arc in
            !arc.isEmpty && arc.allSatisfy(isDigit) && (arc.count == 1 || arc.first != UInt8(ascii: "0"))
        }
    }

    private static func isUUID(_ text: [UInt8]) -> Bool {
        guard text.count == 45, text.starts(with: "urn:uuid:".utf8) else { return false }
        return text.dropFirst(9).enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index)
                ? byte == UInt8(ascii: "-")
                : isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
    }

    private static func isID(_ text: [UInt8]) -> Bool {
        (1...64).contains(text.count)
            && text.allSatisfy { byte in
                isDigit(byte) || (0x41...0x5A).contains(byte & ~0x20) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: ".")
            }
    }

    /// Groups of four characters, with padding only at the end. White space is allowed anywhere, as in XML Schema's
    /// base64Binary.
    private static func isBase64(_ text: [UInt8]) -> Bool {
        var count = 0
        var padding = 0
        for byte in text where !isWhiteSpace(byte) {
            count += 1
            if byte == UInt8(ascii: "=") {
                padding += 1
            } else {
                let isLetter = (0x41...0x5A).contains(byte & ~0x20)
                guard padding == 0, isLetter || isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
                else { return false }
            }
        }
        return count > 0 && count % 4 == 0 && padding <= 2
    }

    private static func isSampledData(_ text: [UInt8]) -> Bool {
        text.split(separator: 0x20, omittingEmptySubsequences: false).allSatisfy { word in
            if word.elementsEqual("E".utf8) || word.elementsEqual("U".utf8) || word.elementsEqual("L".utf8) {
                return true
            }
            let unsigned = word.first == UInt8(ascii: "-") ? word.dropFirst() : word
            let parts = unsigned.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard let last = parts.last, parts.count <= 2, !last.isEmpty else { return false }
            return parts.allSatisfy { $0.allSatisfy(isDigit) }
        }
    }
}

/// The formats of FHIR's dates and times, which include that the day exists.
struct DateTimeFormat {
    private var left: ArraySlice<UInt8>

    /// Why a text is not a date, dateTime, instant or time; nil if it is.
    static func objection(to text: [UInt8], as type: Primitive) -> String? {
        var reader = DateTimeFormat(left: text[...])
        switch type {
        case .time: return reader.readTime() && reader.left.isEmpty ? nil : "a time has the form hh:mm:ss"
        case .date: return reader.readDate(isWhole: false, allowsTime: false)
        case .instant: return reader.readDate(isWhole: true, allowsTime: true)
        default: return reader.readDate(isWhole: false, allowsTime: true)
        }
    }

    /// - Parameter isWhole: whether nothing may be left out, as in an instant.
    private mutating func readDate(isWhole: Bool, allowsTime: Bool) -> String? {
        let form =
            isWhole
            ? "an instant has the form YYYY-MM-DDThh:mm:ss with a time zone, Z or +hh:mm"
            : allowsTime
                ? "a dateTime has the form YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDThh:mm:ss with a time zone, Z or "
                    + "+hh:mm"
                : "a date has the form YYYY, YYYY-MM or YYYY-MM-DD"
        guard let year = number(of: 4) else { return form }
        guard year > 0 else { return "there is no year 0" }
        if left.isEmpty { return isWhole ? form : nil }
        guard take("-"), let month = number(of: 2) else { return form }
        guard (1...12).contains(month) else { return "there is no month \(month)" }
        if left.isEmpty { return isWhole ? form : nil }
        guard take("-"), let day = number(of: 2) else { return form }
        guard CalendarDate(year: Int64(year), month: Int64(month), day: Int64(day)) != nil else {
            return "the month has no day \(day)"
        }
        if left.isEmpty { return isWhole ? form : nil }
        guard allowsTime else { return left.first == UInt8(ascii: "T") ? "a date must not have a time" : form }
        guard take("T"), readTime() else { return form }
        guard !left.isEmpty else { return "a time of day needs a time zone, Z or +hh:mm" }
        return readZone() && left.isEmpty ? nil : form
    }

    /// hh:mm:ss with or without a fraction. 60 is a leap second.
    private mutating func readTime() -> Bool {
        guard let hour = number(of: 2), hour < 24, take(":"), let minute = number(of: 2), minute < 60, take(":"),
            let second = number(of: 2), second <= 60
        else { return false }
        guard take(".") else { return true }
        let fraction = left.prefix { (0x30...0x39).contains($0) }
        left = left.dropFirst(fraction.count)
        return !fraction.isEmpty
    }

    private mutating func readZone() -> Bool {
        if take("Z") { return true }
        guard take("+") || take("-"), let hours = number(of: 2), take(":"), let minutes = number(of: 2) else {
            return false
        }
        return hours <= 13 && minutes < 60 || hours == 14 && minutes == 0
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard left.first == UInt8(ascii: character) else { return false }
        left.removeFirst()
        return true
    }

    /// A number of exactly this many digits.
    private mutating func number(of digits: Int) -> Int? {
        let found = left.prefix(digits)
        guard found.count == digits, found.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        left = left.dropFirst(digits)
        return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
