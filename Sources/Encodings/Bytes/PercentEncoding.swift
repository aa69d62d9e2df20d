/// Percent-encoding (RFC 3986 §2.1).
package enum PercentEncoding {
    /// Encodes bytes as text. Each byte that is not kept becomes `%` and two upper-case hexadecimal digits.
    ///
    /// - Parameters:
    ///   - bytes: the bytes to encode.
    ///   - isKept: whether a byte is written as its ASCII character. It must be false for bytes outside ASCII.
    package static func encode(_ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool) -> String {
        bytes.reduce(into: "") { text, byte in
            if isKept(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + byte.twoHexDigits
            }
        }
    }

    /// Decodes text. Nil if a `%` is not followed by two hexadecimal digits.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        // An array, because generic code of another module is slow for each byte.
        var rest = Array(text)[...]
        bytes.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Decodes text. A `%` that is not followed by two hexadecimal digits stays.
    package static func decodeWhatIsEncoded(_ text: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        bytes.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { $0.hexDigitValue }
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Whether a byte is an unreserved character, which needs no encoding anywhere in a URI (RFC 3986 §2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
