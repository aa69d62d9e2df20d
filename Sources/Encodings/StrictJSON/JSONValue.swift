/// A value in a JSON text: a view of the text, cheap to copy.
public struct JSONValue: Sendable {
    let document: JSONDocument
    let index: Int

    /// The kinds of value that JSON has.
    public enum Kind: String, Sendable {
        case object, array, string, number, boolean, null
    }

    private var node: JSONNode { document.nodes[index] }

    /// The kind of this value.
    public var kind: Kind {
        switch firstByte {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    private var firstByte: UInt8 { document.bytes[Int(node.start)] }

    /// The value's position in the text, in bytes.
    public var byteRange: Range<Int> { Int(node.start)..<Int(node.end) }

    /// The bytes of the value as written.
    public var rawBytes: ArraySlice<UInt8> { document.bytes[byteRange] }

    /// The bytes of a string without escapes. Nil for any other value.
    package var plainStringBytes: ArraySlice<UInt8>? { isPlainString ? document.bytes[node.content] : nil }

    /// Whether the value is a string without escapes.
    var isPlainString: Bool { kind == .string && !node.hasEscapes }

    /// Whether the whole text of this value has no white space outside strings (SHC-J2).
    package var isMinified: Bool { !document.hasWhiteSpace }

    /// The whole text that contains this value.
    public var text: [UInt8] { document.bytes }

    /// The outermost value of the text that contains this value.
    package var root: JSONValue { JSONValue(document: document, index: 0) }

    /// The characters of a string. Nil for any other kind.
    public var string: UTF8Text? {
        guard kind == .string else { return nil }
        guard node.hasEscapes else { return UTF8Text(decoding: document.bytes[node.content]) }
        return UTF8Text(decoding: JSONText.unescaped(node, in: document.bytes))
    }

    /// The characters of a string in UTF-8. Nil for any other kind.
    public var stringBytes: [UInt8]? {
        kind == .string ? JSONText.unescaped(node, in: document.bytes) : nil
    }

    /// The number, with its digits as written. Nil for any other kind.
    public var number: JSONNumber? {
        kind == .number ? JSONNumber(digits: String(decoding: rawBytes, as: UTF8.self)) : nil
    }

    /// The boolean. Nil for any other kind.
    public var boolean: Bool? {
        kind == .boolean ? firstByte == UInt8(ascii: "t") : nil
    }

    /// Whether the value is `null`.
    public var isNull: Bool { kind == .null }

    /// The elements of an array, in order. Nil for any other kind.
    public var elements: Elements? { kind == .array ? Elements(array: self) : nil }

    /// The members of an object, in the order they are written. Nil for any other kind.
    public var members: Members? { kind == .object ? Members(object: self) : nil }

    /// The member with this name. Nil if there is none, or if the value is not an object.
    ///
    /// Names are compared byte by byte, after escapes are resolved.
    public subscript(name: String) -> JSONValue? {
        guard firstByte == UInt8(ascii: "{"), let value = document.member(name.utf8.span, of: index) else { return nil }
        return JSONValue(document: document, index: value)
    }

    /// The member whose name is an underscore and this one.
    package subscript(underscored name: String) -> JSONValue? {
        guard firstByte == UInt8(ascii: "{"), document.hasUnderscoredMember(index) else { return nil }
        return self["_" + name]
    }

    /// The member with this name. Nil if there is none, or if it is `null`. Use it for optional members, because some
    /// issuers write `null` instead of leaving a member out.
    package func optional(_ name: String) -> JSONValue? { self[name].flatMap { $0.isNull ? nil : $0 } }

    /// Whether the value is exactly this string, byte by byte, after escapes are resolved.
    package func isString(_ text: String) -> Bool {
        firstByte == UInt8(ascii: "\"") && document.spells(text.utf8.span, at: index)
    }

    /// Whether the value is exactly this string, byte by byte, after escapes are resolved.
    package func isString(_ text: UTF8Text) -> Bool { isString(text.description) }

    /// Whether the value is a string, or a member's name, that begins with this ASCII character.
    package func begins(with character: UInt8) -> Bool {
        guard let place = plainStringRange else { return stringBytes?.first == character }
        return !place.isEmpty && document.bytes[place.lowerBound] == character
    }

    /// Whether the value is a string without escapes, none of whose bytes is below this one.
    package func isPlainString(from lowest: UInt8) -> Bool {
        guard let place = plainStringRange else { return false }
        return Self.areAll(document.bytes, in: place, from: lowest)
    }

    private static func areAll(_ bytes: [UInt8], in range: Range<Int>, from lowest: UInt8) -> Bool {
        let bytes = bytes.span
        for index in range where bytes[index] < lowest { return false }
        return true
    }

    /// Where the characters of a string without escapes are in the text. Nil for any other value.
    var plainStringRange: Range<Int>? {
        let node = node
        return document.bytes[Int(node.start)] == UInt8(ascii: "\"") && !node.hasEscapes ? node.content : nil
    }

    /// The elements of an array.
    public struct Elements: Sequence, Sendable {
        let array: JSONValue

        /// The number of elements.
        public var count: Int { Int(array.node.count) }

        /// Makes an iterator over the elements.
        public func makeIterator() -> Iterator { Iterator(array: array) }

        /// Iterates over the elements of an array.
        public struct Iterator: IteratorProtocol {
            private let document: JSONDocument
            private var child: Int
            private var left: UInt32

            init(array: JSONValue) {
                document = array.document
                child = array.index + 1
                left = array.node.count
            }

            /// The next element, or nil at the end.
            public mutating func next() -> JSONValue? {
                guard left > 0 else { return nil }
                left -= 1
                defer { child = Int(document.nodes[child].next) }
                return JSONValue(document: document, index: child)
            }
        }
    }

    /// The members of an object.
    public struct Members: Sequence, Sendable {
        let object: JSONValue

        /// The number of members.
        public var count: Int { Int(object.node.count) }

        /// Makes an iterator over the members.
        public func makeIterator() -> Iterator { Iterator(object: object) }

        /// The members with their names as strings in the text, of which no copy is made.
        package var named: Named { Named(object: object) }

        /// The members of an object, with their names as strings in the text.
        package struct Named: Sequence, IteratorProtocol {
            private let document: JSONDocument
            private var child: Int
            private var left: UInt32

            init(object: JSONValue) {
                document = object.document
                child = object.index + 1
                left = object.node.count
            }

            /// The next member, or nil at the end.
            package mutating func next() -> (name: JSONValue, value: JSONValue)? {
                guard left > 0 else { return nil }
                left -= 1
                let here = child
                child = Int(document.nodes[here + 1].next)
                return (JSONValue(document: document, index: here), JSONValue(document: document, index: here + 1))
            }
        }

        /// Iterates over the members of an object.
        public struct Iterator: IteratorProtocol {
            private var named: Named

            init(object: JSONValue) { named = Named(object: object) }

            /// The next member, or nil at the end.
            public mutating func next() -> (name: UTF8Text, value: JSONValue)? {
                named.next().map { ($0.name.string ?? "", $0.value) }
            }
        }
    }
}

/// A JSON number with its digits as written: `6.30` stays `6.30`.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The number as written (RFC 8259 §6).
    public let digits: String

    init(digits: String) {
        self.digits = digits
    }

    /// The number as written.
    public var description: String { digits }

    /// The nearest `Double`. Infinite if the number is out of its range.
    public var double: Double { Double(digits) ?? .infinity }

    /// The number as an integer. Nil if it is written with a fraction or exponent, or does not fit in 64 bits.
    public var integer: Int64? { Int64(digits) }

    /// The number as an integer, however it is written: `1.0` and `10e-1` are 1. Nil if it has a fraction, or does not fit in
    /// 64 bits.
    public var wholeNumber: Int64? {
        if let integer { return integer }
        let parts = digits.utf8.split { $0 | 0x20 == UInt8(ascii: "e") }
        let isNegative = parts[0].first == UInt8(ascii: "-")
        let mantissa = isNegative ? parts[0].dropFirst() : parts[0]
        let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
        let fraction = mantissa[point...].dropFirst()
        var all = Array(mantissa[..<point]) + Array(fraction)
        guard all.contains(where: { $0 != UInt8(ascii: "0") }) else { return 0 }
        // The number is that of the digits times ten to the power of `shift`. No number of 64 bits has more than 19 digits.
        guard let exponent = parts.count == 2 ? Int(Substring(parts[1])) : 0 else { return nil }
        let (difference, isTooFar) = exponent.subtractingReportingOverflow(fraction.count)
        var shift = difference
        while shift < 0, all.last == UInt8(ascii: "0") {
            all.removeLast()
            shift += 1
        }
        guard !isTooFar, (0...19).contains(shift) else { return nil }
        all += [UInt8](repeating: UInt8(ascii: "0"), count: shift)
        return Int64((isNegative ? "-" : "") + String(decoding: all, as: UTF8.self))
    }
}

extension JSONValue {
    /// A short text for a value in an error message. Strings and numbers from other people are shortened and safe to
    /// print on a terminal. For other values, it is their kind.
    package var excerpt: String {
        let length = 64
        return switch kind {
        case .string: (string?.description ?? "").quoted(upTo: length)
        case .number: String(decoding: rawBytes.prefix(length), as: UTF8.self)
        case .boolean, .null: String(decoding: rawBytes, as: UTF8.self)
        case .array: "an array"
        case .object: "an object"
        }
    }
}
