/// Base45 (RFC 9285), the form of bytes in the QR codes of EU Digital COVID Certificates.
///
/// Three characters stand for two bytes, and two characters at the end for one. Each sequence of bytes has exactly one
/// text. A space is a character of the alphabet.
package enum Base45 {
    /// Decodes text in base45.
    ///
    /// - Returns: the bytes. Empty if the text is empty.
    /// - Throws: `Base45Error`, with the offset of the first wrong character or group. Offsets count from the start of
    ///   `text`, even if it is a slice.
    package static func decode(_ text: ArraySlice<UInt8>) throws(Base45Error) -> [UInt8] { try decode(text.span) }

    /// Decodes text in base45; see `decode(_:)` for a slice.
    package static func decode(_ text: [UInt8]) throws(Base45Error) -> [UInt8] { try decode(text.span) }

    /// Decodes text in base45; see `decode(_:)` for a slice.
    package static func decode(_ text: String.UTF8View) throws(Base45Error) -> [UInt8] { try decode(text.span) }

    /// Encodes bytes in base45.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.underestimatedCount * 3 + 1) / 2)
        var first: UInt8?
        for byte in bytes {
            if let high = first {
                append(Int(high) << 8 | Int(byte), as: 3, to: &text)
                first = nil
            } else {
                first = byte
            }
        }
        if let last = first { append(Int(last), as: 2, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ number: Int, as count: Int, to text: inout [UInt8]) {
        var rest = number
        for _ in 0..<count {
            text.append(characters[rest % 45])
            rest /= 45
        }
    }

    /// The character for each value.
    private static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    /// Larger than the number of any group, and so small that a group of three characters with this value does not
    /// overflow.
    private static let foreign: UInt32 = 1 << 20

    /// The value of each of the 256 characters, or `foreign`. A group with any foreign character makes a number above
    /// 65535, so one comparison checks a whole group.
    private static let values = {
        var values = [UInt32](repeating: foreign, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt32(value) }
        return values
    }()

    private static func decode(_ text: Span<UInt8>) throws(Base45Error) -> [UInt8] {
        let (groups, rest) = text.count.quotientAndRemainder(dividingBy: 3)
        var bytes: [UInt8] = []
        let count = groups * 2 + (rest == 2 ? 1 : 0)
        // A count of 0 is skipped, because it would write to the empty array that all threads share.
        if count > 0 { bytes.append(addingCapacity: count) { $0.append(repeating: 0, count: count) } }
        var output = bytes.mutableSpan
        // Spans check each index as arrays do, but their length is in a register.
        let values = values.span
        guard values.count == 256 else { preconditionFailure("the table has a value of each character") }
        for group in 0..<groups {
            let start = group * 3
            let number =
                values[Int(text[start])] + 45 * values[Int(text[start + 1])] + 2025 * values[Int(text[start + 2])]
            guard number <= 0xFFFF else { throw problem(in: text, from: start) }
            output[group * 2] = UInt8(truncatingIfNeeded: number >> 8)
            output[group * 2 + 1] = UInt8(truncatingIfNeeded: number)
        }
        let start = groups * 3
        switch rest {
        case 1:
            // A wrong character is a better explanation than the wrong length that it causes.
            guard values[Int(text[start])] < foreign else { throw problem(in: text, from: start) }
            throw Base45Error(.length, at: text.count)
        case 2:
            let number = values[Int(text[start])] + 45 * values[Int(text[start + 1])]
            guard number <= 0xFF else { throw problem(in: text, from: start) }
            output[groups * 2] = UInt8(truncatingIfNeeded: number)
        default: break
        }
        return bytes
    }

    /// What is wrong with the group at an offset: its first character outside the alphabet, or else its number.
    private static func problem(in text: Span<UInt8>, from start: Int) -> Base45Error {
        for here in start..<min(start + 3, text.count) where values[Int(text[here])] == foreign {
            return Base45Error(.character(text[here]), at: here)
        }
        return Base45Error(.value, at: start)
    }
}

/// Why text is not base45, and where.
///
/// The offset is that of the wrong character, of the first character of the group whose number is too large, or of the end of the text.
package typealias Base45Error = TextError<Base45Problem>

/// The kinds of `Base45Error`.
package enum Base45Problem: TextProblem {
    /// A character outside the alphabet.
    case character(UInt8)
    /// One character too many. No bytes have a text of this length.
    case length
    /// Three characters stand for a number above 65535, or the two at the end for one above 255.
    case value

    package func words(at offset: Int) -> String {
        switch self {
        case .character(let byte):
            "\(Self.name(of: byte)) is not a character of base45\(Self.hint(about: byte)), at character \(offset)"
        case .length: "the text is one character too long or cut off, at character \(offset)"
        case .value:
            "the group of characters that begins at character \(offset) stands for a number that is too large for its bytes"
        }
    }

    private static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x09: "a tab"
        case 0x0A, 0x0D: "a line break"
        case UInt8(ascii: "\""): #"'"'"#
        case 0x21...0x7E: #""\#(Character(Unicode.Scalar(byte)))""#
        default: "byte 0x\(byte.twoHexDigits)"
        }
    }

    private static func hint(about byte: UInt8) -> String {
        (0x61...0x7A).contains(byte) ? " (lower case is not allowed)" : ""
    }
}
