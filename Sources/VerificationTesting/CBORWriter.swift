import Encodings

/// Writes CBOR (RFC 8949), in the order of the calls, with the shortest heads. The caller counts the items of arrays and maps.
struct CBORWriter {
    /// The text so far.
    private(set) var bytes: [UInt8] = []

    mutating func integer(_ number: Int64) {
        if number < 0 { head(1, UInt64(-1 - number)) } else { head(0, UInt64(number)) }
    }

    mutating func bytes(_ content: [UInt8]) {
        head(2, UInt64(content.count))
        bytes += content
    }

    mutating func text(_ characters: some Collection<UInt8>) {
        head(3, UInt64(characters.count))
        bytes += characters
    }

    mutating func array(_ count: Int) { head(4, UInt64(count)) }

    mutating func map(_ count: Int) { head(5, UInt64(count)) }

    mutating func tag(_ number: UInt64) { head(6, number) }

    /// Writes a parsed JSON value. A number with a fraction or an exponent, or of more than 64 bits, becomes a floating-point
    /// number.
    mutating func value(_ value: JSONValue) {
        switch value.kind {
        case .object:
            let members = value.members.map { Array($0) } ?? []
            map(members.count)
            for member in members {
                text(member.name.utf8)
                self.value(member.value)
            }
        case .array:
            let elements = value.elements.map { Array($0) } ?? []
            array(elements.count)
            for element in elements { self.value(element) }
        case .string: text(value.stringBytes ?? [])
        case .number:
            if let number = value.number?.integer {
                integer(number)
            } else {
                bytes.append(0xFB)
                append((value.number?.double ?? 0).bitPattern, count: 8)
            }
        case .boolean: bytes.append(value.boolean == true ? 0xF5 : 0xF4)
        case .null: bytes.append(0xF6)
        }
    }

    private mutating func head(_ major: UInt8, _ number: UInt64) {
        let first = major << 5
        switch number {
        case ..<24: bytes.append(first | UInt8(number))
        case ..<0x100: append(number, count: 1, after: first | 24)
        case ..<0x1_0000: append(number, count: 2, after: first | 25)
        case ..<0x1_0000_0000: append(number, count: 4, after: first | 26)
        default: append(number, count: 8, after: first | 27)
        }
    }

    private mutating func append(_ number: UInt64, count: Int, after first: UInt8) {
        bytes.append(first)
        append(number, count: count)
    }

    private mutating func append(_ number: UInt64, count: Int) {
        for place in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place)))) }
    }
}
