extension Sequence<UInt8> {
    /// The bytes in lower-case hexadecimal, two digits for each.
    package var hexadecimal: String { Array(self).hexadecimal }
}

extension [UInt8] {
    /// The bytes in lower-case hexadecimal, two digits for each.
    package var hexadecimal: String {
        // Unsafe: there is room for two digits of each byte, and all are written.
        unsafe String(unsafeUninitializedCapacity: 2 * count) { digits in
            for (place, byte) in enumerated() {
                unsafe digits[2 * place] = Hexadecimal.digit(byte >> 4)
                unsafe digits[2 * place + 1] = Hexadecimal.digit(byte & 0x0F)
            }
            return 2 * count
        }
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
