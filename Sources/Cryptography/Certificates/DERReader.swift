/// Reads elements of ASN.1 in DER (X.690), one after another.
///
/// Lengths must be definite. They need not be minimal, since OpenSSL's parser does not require that either: what both
/// read, they read in the same way. Tags of several bytes occur in no certificate and are not read.
struct DERReader {
    /// An element, with its tag and length and without them.
    struct Element {
        let tag: UInt8
        let content: ArraySlice<UInt8>
        let whole: ArraySlice<UInt8>
    }

    /// The tags that certificates have (X.680 §8.4).
    enum Tag {
        static let boolean: UInt8 = 0x01
        static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        static let octetString: UInt8 = 0x04
        static let objectIdentifier: UInt8 = 0x06
        static let utcTime: UInt8 = 0x17
        static let generalizedTime: UInt8 = 0x18
        static let sequence: UInt8 = 0x30
        static let set: UInt8 = 0x31

        /// The tag of a field that a number in brackets denotes.
        static func context(_ number: UInt8, isConstructed: Bool = true) -> UInt8 {
            (isConstructed ? 0xA0 : 0x80) | number
        }
    }

    private var rest: ArraySlice<UInt8>

    /// Reads the elements that fill these bytes.
    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Whether nothing is left.
    var isAtEnd: Bool { rest.isEmpty }

    /// The next element. Nil if there is none or it cannot be read.
    mutating func next() -> Element? {
        let start = rest.startIndex
        guard rest.count >= 2, rest[start] & 0x1F != 0x1F else { return nil }
        var body = start + 2
        var length = Int(rest[start + 1])
        if length >= 0x80 {
            let digits = length & 0x7F
            // 0x80 means an indefinite length.
            guard (1...4).contains(digits), rest.endIndex - body >= digits else { return nil }
            length = rest[body..<body + digits].reduce(0) { $0 << 8 | Int($1) }
            body += digits
        }
        guard length <= rest.endIndex - body else { return nil }
        let end = body + length
        let element = Element(tag: rest[start], content: rest[body..<end], whole: rest[start..<end])
        rest = rest[end...]
        return element
    }

    /// The next element, if it has this tag. Otherwise nil, and the element is not skipped.
    mutating func next(_ tag: UInt8) -> Element? {
        guard rest.first == tag else { return nil }
        return next()
    }

    /// The only element in the bytes, if it has this tag.
    static func only(_ tag: UInt8, in bytes: ArraySlice<UInt8>) -> Element? {
        var reader = DERReader(bytes)
        guard let element = reader.next(tag), reader.isAtEnd else { return nil }
        return element
    }

    /// An OBJECT IDENTIFIER as numbers with dots between them. Nil if the content is not one, or if a number has more
    /// than 63 bits.
    static func dotted(objectIdentifier content: ArraySlice<UInt8>) -> String? {
        guard let last = content.last, last < 0x80 else { return nil }
        var numbers: [UInt64] = []
        var number: UInt64 = 0
        var isFirstByte = true
        for byte in content {
            // Leading zeros are not allowed (X.690 §8.19.2).
            guard !isFirstByte || byte != 0x80, number < 1 << 56 else { return nil }
            number = number << 7 | UInt64(byte & 0x7F)
            isFirstByte = byte < 0x80
            guard isFirstByte else { continue }
            if numbers.isEmpty {
                let first = min(number / 40, 2)
                numbers.append(first)
                number -= first * 40
            }
            numbers.append(number)
            number = 0
        }
        return numbers.map(String.init).joined(separator: ".")
    }
}
