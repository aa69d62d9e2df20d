/// The alphabet of base64 or base64url (RFC 4648 §4, §5), with the code that both share.
struct Base64Alphabet: Sendable {
    /// The base64url alphabet (RFC 4648 §5).
    static let url = Base64Alphabet(last: "-_")
    /// The base64 alphabet (RFC 4648 §4).
    static let standard = Base64Alphabet(last: "+/")

    /// The character for each value.
    private let characters: [UInt8]
    /// The value of each character, or `foreign`.
    private let values: [UInt8]
    /// For each position in a group of four characters, the value of each of the 256 characters, shifted to its
    /// position in the 24 bits of the group, or `foreignInGroup`. So three ORs give the bytes of a group, and one
    /// comparison checks all four characters.
    private let groupValues: [UInt32]

    /// Larger than any value.
    private static let foreign: UInt8 = 0xFF
    /// A bit above the 24 bits of a group, so it remains set after any OR.
    private static let foreignInGroup: UInt32 = 1 << 24

    private init(last: String) {
        let characters = Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last).utf8)
        var values = [UInt8](repeating: Self.foreign, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
        self.characters = characters
        self.values = values
        groupValues = [18, 12, 6, 0].flatMap { shift in
            values.map { $0 == Self.foreign ? Self.foreignInGroup : UInt32($0) << UInt32(shift) }
        }
    }

    // MARK: Decoding

    /// Decodes text without padding. Unused bits of the last character must be zero (RFC 4648 §3.5). Otherwise a
    /// signature could be written in several ways.
    func decode(_ text: Span<UInt8>) throws(Base64Error) -> [UInt8] {
        let (groups, rest) = text.count.quotientAndRemainder(dividingBy: 4)
        var bytes: [UInt8] = []
        let count = groups * 3 + max(rest - 1, 0)
        // A count of 0 is skipped, because it would write to the empty array that all threads share.
        if count > 0 { bytes.append(addingCapacity: count) { $0.append(repeating: 0, count: count) } }
        var output = bytes.mutableSpan
        // Each pair of groups writes two bytes too many, which the next pair overwrites.
        let pairs = max(groups / 2 - 1, 0)
        try decodePairs(pairs, of: text, into: &output)
        for group in pairs * 2..<groups {
            let bits = try bits(of: text, at: group * 4)
            output[group * 3] = UInt8(truncatingIfNeeded: bits >> 16)
            output[group * 3 + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            output[group * 3 + 2] = UInt8(truncatingIfNeeded: bits)
        }
        if rest > 0 { try decodeRest(of: text, from: groups * 4, into: &output, at: groups * 3) }
        return bytes
    }

    /// Decodes eight characters at a time.
    private func decodePairs(
        _ pairs: Int, of text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>
    ) throws(Base64Error) {
        // Spans check each index as arrays do, but their length is in a register.
        let values = groupValues.span
        guard values.count == 1024 else { preconditionFailure("the table has four values of each character") }
        // Unsafe: the array has bytes, for which all values are valid.
        var output = unsafe bytes.mutableBytes
        for pair in 0..<pairs {
            // Unsafe: all values are valid integers. The eight bytes are checked to be inside the span, for reading and
            // for writing.
            let eight = UInt64(
                littleEndian: unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: pair * 8, as: UInt64.self))
            let first =
                values[Int(eight & 0xFF)] | values[256 + Int(eight >> 8 & 0xFF)] | values[512 + Int(eight >> 16 & 0xFF)]
                | values[768 + Int(eight >> 24 & 0xFF)]
            let second =
                values[Int(eight >> 32 & 0xFF)] | values[256 + Int(eight >> 40 & 0xFF)]
                | values[512 + Int(eight >> 48 & 0xFF)] | values[768 + Int(eight >> 56)]
            guard first | second < Self.foreignInGroup else { throw foreignCharacter(in: text, from: pair * 8) }
            let bits = UInt64(first) << 40 | UInt64(second) << 16
            output.storeBytes(of: bits.bigEndian, toByteOffset: pair * 6, as: UInt64.self)
        }
    }

    /// The 24 bits of four characters.
    private func bits(of text: Span<UInt8>, at start: Int) throws(Base64Error) -> UInt32 {
        let bits =
            groupValues[Int(text[start])] | groupValues[256 + Int(text[start + 1])]
            | groupValues[512 + Int(text[start + 2])] | groupValues[768 + Int(text[start + 3])]
        guard bits < Self.foreignInGroup else { throw foreignCharacter(in: text, from: start) }
        return bits
    }

    /// Decodes the one to three characters after the last whole group.
    private func decodeRest(
        of text: Span<UInt8>, from start: Int, into bytes: inout MutableSpan<UInt8>, at end: Int
    ) throws(Base64Error) {
        // A wrong character, such as padding, is a better explanation than the wrong length that it causes.
        for here in start..<text.count where values[Int(text[here])] == Self.foreign {
            throw foreignCharacter(in: text, from: here)
        }
        guard text.count - start > 1 else { throw Base64Error(.impossibleLength, at: text.count) }
        let first = values[Int(text[start])]
        let second = values[Int(text[start + 1])]
        bytes[end] = first << 2 | second >> 4
        var unused = second << 4
        if text.count - start == 3 {
            let third = values[Int(text[start + 2])]
            bytes[end + 1] = unused | third >> 2
            unused = third << 6
        }
        guard unused == 0 else { throw Base64Error(.trailingBits, at: text.count - 1) }
    }

    private func foreignCharacter(in text: Span<UInt8>, from start: Int) -> Base64Error {
        var here = start
        while values[Int(text[here])] != Self.foreign { here += 1 }
        switch text[here] {
        case UInt8(ascii: "="):
            return Base64Error(.padding, at: here)
        case 0x20, 0x09, 0x0A, 0x0D:
            return Base64Error(.whiteSpace, at: here)
        case let byte where "+/-_".utf8.contains(byte):
            return Base64Error(.otherAlphabet(byte), at: here)
        case let byte:
            return Base64Error(.foreignCharacter(byte), at: here)
        }
    }

    // MARK: Encoding

    /// Encodes bytes, without padding.
    func encode(_ bytes: some Sequence<UInt8>) -> String {
        // A span is as fast in another module as here, which a sequence is not.
        encode(Array(bytes).span)
    }

    private func encode(_ bytes: Span<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits: UInt32 = 0
        var count = 0
        for place in bytes.indices {
            bits = bits << 8 | UInt32(bytes[place])
            count += 8
            while count >= 6 {
                count -= 6
                text.append(characters[Int(bits >> UInt32(count) & 63)])
            }
        }
        if count > 0 { text.append(characters[Int(bits << UInt32(6 - count) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
