/// An item of CBOR that a test writes. It uses no code of the package, and can also be wrong on purpose.
package indirect enum MadeCBOR: Sendable {
    case integer(Int64)
    case float(Double)
    case bytes([UInt8])
    case text(String)
    case array([MadeCBOR])
    case map([(MadeCBOR, MadeCBOR)])
    case tag(UInt64, MadeCBOR)
    case boolean(Bool)
    case null
    /// Bytes that are written as they are.
    case raw([UInt8])

    /// How items are written. All ways mean the same.
    package enum Style: Sendable, CaseIterable {
        /// The shortest heads, and definite lengths.
        case short
        /// All heads with eight bytes.
        case wide
        /// Arrays and maps without a length, and strings in two chunks.
        case indefinite
    }

    /// The bytes of the item.
    package func encoded(_ style: Style = .short) -> [UInt8] {
        switch self {
        case .integer(let number):
            return number < 0
                ? Self.head(1, UInt64(-1 - number), style) : Self.head(0, UInt64(number), style)
        case .float(let number): return [0xFB] + Self.bigEndian(number.bitPattern, count: 8)
        case .bytes(let bytes): return Self.string(2, [Array(bytes.prefix(1)), Array(bytes.dropFirst())], style)
        case .text(let text):
            let scalars = text.unicodeScalars
            let parts = [String(scalars.prefix(1)), String(scalars.dropFirst())].map { Array($0.utf8) }
            return Self.string(3, parts, style)
        case .array(let elements): return Self.collection(4, elements.map { $0.encoded(style) }, style)
        case .map(let members):
            return Self.collection(5, members.map { $0.0.encoded(style) + $0.1.encoded(style) }, style)
        case .tag(let number, let value): return Self.head(6, number, style) + value.encoded(style)
        case .boolean(let value): return [value ? 0xF5 : 0xF4]
        case .null: return [0xF6]
        case .raw(let bytes): return bytes
        }
    }

    private static func head(_ major: UInt8, _ number: UInt64, _ style: Style) -> [UInt8] {
        let first = major << 5
        if style == .wide { return [first | 27] + bigEndian(number, count: 8) }
        switch number {
        case ..<24: return [first | UInt8(number)]
        case ..<256: return [first | 24] + bigEndian(number, count: 1)
        case ..<65_536: return [first | 25] + bigEndian(number, count: 2)
        case ..<4_294_967_296: return [first | 26] + bigEndian(number, count: 4)
        default: return [first | 27] + bigEndian(number, count: 8)
        }
    }

    private static func bigEndian(_ number: UInt64, count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    private static func string(_ major: UInt8, _ parts: [[UInt8]], _ style: Style) -> [UInt8] {
        guard style == .indefinite else {
            return head(major, UInt64(parts.joined().count), style) + parts.joined()
        }
        return [major << 5 | 31] + parts.flatMap { head(major, UInt64($0.count), .short) + $0 } + [0xFF]
    }

    private static func collection(_ major: UInt8, _ parts: [[UInt8]], _ style: Style) -> [UInt8] {
        guard style == .indefinite else { return head(major, UInt64(parts.count), style) + parts.joined() }
        return [major << 5 | 31] + parts.joined() + [0xFF]
    }
}

extension MadeCBOR: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .float(value) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: MadeCBOR...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (MadeCBOR, MadeCBOR)...) { self = .map(elements) }
}

extension [UInt8] {
    /// The bytes of a text in hexadecimal. Spaces are left out.
    package init(hex text: String) {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        precondition(digits.count % 2 == 0, "two digits make a byte")
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
