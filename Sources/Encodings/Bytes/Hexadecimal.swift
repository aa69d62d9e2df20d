extension Sequence<UInt8> {
    /// The bytes in lower-case hexadecimal, two digits for each.
    package var hexadecimal: String { Array(self).hexadecimal }
}

extension [UInt8] {
    /// The bytes in lower-case hexadecimal, two digits for each.
    package var hexadecimal: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * count)
        for byte in self {
            digits.append(Hexadecimal.digit(byte >> 4))
            digits.append(Hexadecimal.digit(byte & 0x0F))
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension UInt8 {
    /// The byte in two upper-case hexadecimal digits.
    package var twoHexDigits: String { CollectionOfOne(self).hexadecimal.uppercased() }

    /// The value of an ASCII hexadecimal digit of either case. Nil for other bytes.
    package var hexDigitValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46, 0x61...0x66: (self | 0x20) - 0x61 + 10
        default: nil
        }
    }
}

private enum Hexadecimal {
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x61 + value - 10
    }
}
