/// Writes JSON text, in the order it is told.
///
/// Values that were parsed are written as they stood: the same order, digits and escapes, only the white space
/// between them is the writer's.
///
/// Some characters are always spelled as `\u` escapes, which leaves their meaning the same. The first of two number signs:
/// `##[`, `##vso[` or `##teamcity[` is a command to build servers wherever it is in a log. And what steers a terminal or a
/// reader of a log without being seen: DEL, the controls U+0080 to U+009F, the line ends of Unicode, and what reorders text.
public struct JSONWriter: Sendable {
    /// How values are laid out.
    public enum Layout: Sendable {
        /// One line without white space.
        case compact
        /// One member or element a line, indented by two spaces a level.
        case indented
    }

    /// The text so far, in UTF-8.
    public private(set) var bytes: [UInt8] = []
    private var layout: Layout
    private let escapesUnprintable: Bool
    private var depth: Int
    private var isFirst = true
    private var follows = false

    /// - Parameters:
    ///   - layout: how values are laid out.
    ///   - escapesUnprintable: whether characters that could steer a terminal, or hide what is shown, are written as
    ///     `\u` escapes. The text's meaning stays the same.
    ///   - depth: how many levels the first line's surroundings are indented.
    public init(layout: Layout = .compact, escapesUnprintable: Bool = false, depth: Int = 0) {
        self.layout = layout
        self.escapesUnprintable = escapesUnprintable
        self.depth = depth
    }

    private static let deepestIndentation = 32
    private static let longestIndented = 256 << 10

    /// Forgets the text, and keeps its memory for the next, which is laid out like the first.
    public mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        isFirst = true
        follows = false
    }

    // MARK: Structure

    /// Writes an object, or begins one where the members are written by `body`.
    public mutating func object(_ body: (inout JSONWriter) -> Void) { container("{", "}", body) }

    /// Writes an array, whose elements are written by `body`.
    public mutating func array(_ body: (inout JSONWriter) -> Void) { container("[", "]", body) }

    /// Writes the name of a member; its value is written next.
    ///
    /// - Parameter name: a name that stands in the source, of printable ASCII without quotation marks and backslashes.
    public mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        // Unsafe: the text is the program's own, and lives as long.
        name.withUTF8Buffer { text in
            unsafe assert(JSONWriter.isPlain(text.span), "a name that would have to be escaped")
            unsafe bytes.append(contentsOf: text)
        }
        bytes.append(UInt8(ascii: "\""))
        endName()
    }

    /// Writes the name of a member, whatever it is; its value is written next.
    public mutating func name(text name: String) {
        separate()
        quote(name)
        endName()
    }

    private mutating func endName() {
        bytes.append(UInt8(ascii: ":"))
        if layout == .indented { bytes.append(UInt8(ascii: " ")) }
        follows = true
    }

    private mutating func container(_ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void)
    {
        separate()
        bytes.append(UInt8(ascii: open))
        let outer = isFirst
        isFirst = true
        depth += 1
        body(&self)
        depth -= 1
        if !isFirst { newLine() }
        isFirst = outer
        bytes.append(UInt8(ascii: close))
    }

    /// Writes what stands between two values. A value that follows its name needs nothing.
    private mutating func separate() {
        if follows {
            follows = false
            return
        }
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        if !bytes.isEmpty { newLine() }
    }

    private mutating func newLine() {
        guard layout == .indented, depth > 0 || !bytes.isEmpty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: min(depth, Self.deepestIndentation) * 2))
    }

    // MARK: Values

    /// Writes a string, or `null` for nil.
    public mutating func value(_ string: String?) {
        separate()
        if let string { quote(string) } else { bytes.append(contentsOf: "null".utf8) }
    }

    /// Writes a string, or `null` for nil.
    public mutating func value(_ text: UTF8Text?) { value(text?.description) }

    /// Writes an integer, or `null` for nil.
    public mutating func value(_ integer: Int?) {
        separate()
        if let integer { append(integer) } else { bytes.append(contentsOf: "null".utf8) }
    }

    /// Writes a string that ends in a number sign and a number, such as `cards.txt#0`.
    public mutating func value(_ string: String, number: Int) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(string)
        bytes.append(UInt8(ascii: "#"))
        append(number)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes `true` or `false`.
    public mutating func value(_ boolean: Bool) {
        separate()
        bytes.append(contentsOf: (boolean ? "true" : "false").utf8)
    }

    /// Writes a parsed value as it stands in its text, or `null` for nil.
    ///
    /// An object or array longer than 256 KiB is written on one line: nobody reads it, and indentation makes deeply nested
    /// text many times longer.
    public mutating func value(_ value: JSONValue?) {
        guard let value else { return self.value(nil as String?) }
        if layout == .indented, value.rawBytes.count > Self.longestIndented {
            separate()
            isFirst = true
            follows = true
            layout = .compact
            defer { (layout, isFirst) = (.indented, false) }
            return self.value(value)
        }
        switch value.kind {
        case .object:
            object { writer in
                for child in value.rawMembers {
                    writer.raw(child.name)
                    writer.bytes.append(UInt8(ascii: ":"))
                    if writer.layout == .indented { writer.bytes.append(UInt8(ascii: " ")) }
                    writer.follows = true
                    writer.value(child.value)
                }
            }
        case .array:
            array { writer in
                if let elements = value.elements { for element in elements { writer.value(element) } }
            }
        default: raw(value)
        }
    }

    /// Writes a parsed value with the white space in it, except where characters are to be escaped that could hide in it.
    public mutating func asWritten(_ value: JSONValue) {
        guard !escapesUnprintable else { return self.value(value) }
        separate()
        append(escaping: value.rawBytes.span, isWritten: true)
    }

    /// Writes the characters of a string that was parsed, or `null` for nil and any value of another kind.
    ///
    /// Unlike `value`, it writes no escapes but those that have to be.
    public mutating func text(_ value: JSONValue?) {
        guard let value, value.isPlainString else { return self.value(value?.string) }
        raw(value)
    }

    /// Writes a member with its value.
    public mutating func member(_ name: StaticString, _ string: String?) {
        self.name(name)
        value(string)
    }

    /// Writes a member with its value.
    public mutating func member(_ name: StaticString, _ text: UTF8Text?) {
        self.name(name)
        value(text)
    }

    /// Writes a member with its value.
    public mutating func member(_ name: StaticString, _ integer: Int?) {
        self.name(name)
        value(integer)
    }

    /// Writes the text of a value.
    mutating func append(_ text: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: text)
    }

    private mutating func raw(_ scalar: JSONValue) {
        separate()
        guard scalar.kind == .string, !Self.isPlain(scalar) else { return bytes.append(contentsOf: scalar.rawBytes) }
        append(escaping: scalar.rawBytes.span, isWritten: true)
    }

    // MARK: Strings

    /// The string as JSON, in quotation marks, every character that could steer a terminal escaped.
    public static func quoted(_ string: String) -> String {
        var writer = JSONWriter(escapesUnprintable: true)
        writer.value(string)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private mutating func quote(_ string: String) {
        bytes.append(UInt8(ascii: "\""))
        append(string)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends an integer's digits.
    private mutating func append(_ integer: Int) {
        if integer < 0 { bytes.append(UInt8(ascii: "-")) }
        // From the last to the first; there are no more than 19.
        var digits = InlineArray<19, UInt8>(repeating: 0)
        var first = digits.count
        var rest = integer.magnitude
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        } while rest > 0
        for place in first..<digits.count { bytes.append(digits[place]) }
    }

    /// Appends a string's characters, those escaped that have to be.
    private mutating func append(_ string: String) {
        let text = string.utf8.span
        guard !Self.isPlain(text) else {
            // Unsafe: the array copies the bytes during the call, while the string lives.
            return unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        }
        append(escaping: text, isWritten: false)
    }

    /// Appends text, with the characters escaped that have to be.
    ///
    /// - Parameters:
    ///   - text: the text, in UTF-8.
    ///   - isWritten: whether it is JSON text already, whose escapes are left as they are.
    private mutating func append(escaping text: Span<UInt8>, isWritten: Bool) {
        var here = 0
        while here < text.count {
            let byte = text[here]
            guard byte < 0x80 else {
                here = appendSequence(in: text, at: here)
                continue
            }
            here += 1
            switch byte {
            case UInt8(ascii: "#") where here < text.count && text[here] == byte: appendEscape(0x23)
            case 0x7F: appendEscape(0x7F)
            case _ where isWritten: bytes.append(byte)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20: appendEscape(UInt16(byte))
            default: bytes.append(byte)
            }
        }
    }

    /// Appends the character beyond ASCII that begins at a place, escaped if it has to be.
    ///
    /// - Returns: where the character after it begins.
    private mutating func appendSequence(in text: Span<UInt8>, at start: Int) -> Int {
        let end = start + (UTF8Sequence.length(in: text, at: start) ?? 1)
        var value = UInt32(text[start]) & (0xFF >> UInt32(end - start + 1))
        for place in (start + 1)..<end { value = value << 6 | UInt32(text[place] & 0x3F) }
        guard end - start > 1, let scalar = Unicode.Scalar(value) else {
            // Neither a String nor a text that was parsed holds such bytes.
            bytes.append(contentsOf: UTF8.encodedReplacementCharacter)
            return end
        }
        if scalar.isSteering || escapesUnprintable && scalar.isUnprintable {
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter { appendEscape(unit) }
        } else {
            for place in start..<end { bytes.append(text[place]) }
        }
        return end
    }

    private mutating func appendEscape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        bytes.append(contentsOf: "\\u".utf8)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
        bytes.append(contentsOf: digits.utf8)
    }

    private static func isPlain(_ string: JSONValue) -> Bool {
        guard let content = string.plainStringBytes else { return false }
        return isPlain(content.span)
    }

    /// Whether the text is of printable ASCII with nothing to escape, as nearly all is. Eight bytes are looked at together.
    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        let low: UInt64 = 0x0101_0101_0101_0101
        let high: UInt64 = 0x8080_8080_8080_8080
        var here = 0
        while here + 8 <= text.count {
            // Unsafe: any bits are an integer, and the eight bytes are checked to be inside the span, here and there.
            let word = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: here, as: UInt64.self)
            // A bit is set for each that is not plain, and perhaps for one above it.
            let quote = word ^ (low &* 0x22)
            let backslash = word ^ (low &* 0x5C)
            let delete = word ^ (low &* 0x7F)
            let found =
                (quote &- low) | (backslash &- low) | (delete &- low) | (word &- low &* 0x20) | word
            let sign = word ^ (low &* 0x23)
            let signs = (sign &- low) & ~sign & high
            // Two number signs in a row, in these bytes; that they part the two is left to the other loop.
            guard found & high == 0, signs & (signs << 8) == 0, signs >> 63 == 0 else { break }
            here += 8
        }
        while here < text.count {
            let byte = text[here]
            guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"),
                byte != UInt8(ascii: "#") || here == 0 || text[here - 1] != byte
            else { return false }
            here += 1
        }
        return true
    }
}

extension Unicode.Scalar {
    /// Whether it is a control beyond ASCII, ends a line, or changes the direction of text (UAX #9).
    fileprivate var isSteering: Bool {
        switch value {
        case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension JSONValue {
    /// The members with their names as they stand in the text.
    fileprivate var rawMembers: [(name: JSONValue, value: JSONValue)] {
        guard let count = members?.count else { return [] }
        var child = index + 1
        return (0..<count).map { _ in
            defer { child = Int(document.nodes[child + 1].next) }
            return (JSONValue(document: document, index: child), JSONValue(document: document, index: child + 1))
        }
    }
}
