/// Writes JSON text, in the order of the calls.
///
/// Parsed values keep their order, digits and escapes. Only the white space between values is changed.
///
/// Some characters are always written as `\u` escapes. This does not change the text's meaning. One is the first of two
/// number signs: `##[`, `##vso[` and `##teamcity[` are commands to build servers anywhere in a log. The others can
/// invisibly control a terminal or mislead a reader: DEL, the controls U+0080 to U+009F, Unicode line separators, and
/// characters that reorder text.
package struct JSONWriter: Sendable {
    /// How values are laid out.
    package enum Layout: Sendable {
        /// One line without white space.
        case compact
        /// One member or element per line, indented by two spaces per level.
        case indented
    }

    /// The text so far, in UTF-8.
    package private(set) var bytes: [UInt8] = []
    private var layout: Layout
    private let escapesUnprintable: Bool
    private var depth: Int
    private var isFirst = true
    private var follows = false
    /// Whether earlier text was taken out of `bytes`.
    private var isContinued = false

    /// - Parameters:
    ///   - layout: how values are laid out.
    ///   - escapesUnprintable: whether characters that could control a terminal, or hide other text, are written as
    ///     `\u` escapes. This does not change the text's meaning.
    ///   - depth: the level at which the text is indented.
    package init(layout: Layout = .compact, escapesUnprintable: Bool = false, depth: Int = 0) {
        self.layout = layout
        self.escapesUnprintable = escapesUnprintable
        self.depth = depth
    }

    private static let deepestIndentation = 32
    private static let longestIndented = 256 << 10

    /// Discards the text, but keeps its memory and layout for the next text.
    package mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        isFirst = true
        follows = false
        isContinued = false
    }

    /// Removes the text so far from the writer and returns it. The writer continues after it, so a long text can be
    /// written in parts.
    package mutating func take() -> [UInt8] {
        defer { bytes = [] }
        isContinued = isContinued || !bytes.isEmpty
        return bytes
    }

    // MARK: Structure

    /// A value that contains other values.
    package enum Container: Sendable {
        case object, array
    }

    /// Begins an object or array without a closure, to write it in parts. End it with `end`.
    package mutating func begin(_ container: Container) { begin(container == .object ? "{" : "[") }

    /// Ends the innermost open object or array.
    package mutating func end(_ container: Container) { end(container == .object ? "}" : "]") }

    /// Writes an object, whose members are written by `body`.
    package mutating func object(_ body: (inout JSONWriter) -> Void) { container("{", "}", body) }

    /// Writes an array, whose elements are written by `body`.
    package mutating func array(_ body: (inout JSONWriter) -> Void) { container("[", "]", body) }

    /// Writes the name of a member. Write its value next.
    ///
    /// - Parameter name: printable ASCII without quotation marks and backslashes.
    package mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        // Unsafe: the text is a literal, which is never freed.
        name.withUTF8Buffer { text in
            unsafe assert(JSONWriter.isPlain(text.span), "a name that would have to be escaped")
            unsafe bytes.append(contentsOf: text)
        }
        bytes.append(UInt8(ascii: "\""))
        endName()
    }

    /// Writes any name of a member, with escapes if necessary. Write its value next.
    package mutating func name(text name: String) {
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
        begin(open)
        body(&self)
        end(close)
    }

    private mutating func begin(_ open: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: open))
        isFirst = true
        depth += 1
    }

    private mutating func end(_ close: Unicode.Scalar) {
        depth -= 1
        if !isFirst { newLine() }
        // The container itself is a value of the one around it.
        isFirst = false
        bytes.append(UInt8(ascii: close))
    }

    /// Writes the separator between two values. A value that follows its name needs none.
    private mutating func separate() {
        if follows {
            follows = false
            return
        }
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        if !bytes.isEmpty || isContinued { newLine() }
    }

    private mutating func newLine() {
        guard layout == .indented, depth > 0 || !bytes.isEmpty || isContinued else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: min(depth, Self.deepestIndentation) * 2))
    }

    // MARK: Values

    /// Writes a string, or `null` for nil.
    package mutating func value(_ string: String?) {
        separate()
        if let string { quote(string) } else { bytes.append(contentsOf: "null".utf8) }
    }

    /// Writes a string, or `null` for nil.
    package mutating func value(_ text: UTF8Text?) { value(text?.description) }

    /// Writes an integer, or `null` for nil.
    package mutating func value(_ integer: Int?) {
        separate()
        if let integer { append(integer) } else { bytes.append(contentsOf: "null".utf8) }
    }

    /// Writes a string that ends in a number sign and a number, such as `cards.txt#0`.
    package mutating func value(_ string: String, number: Int) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(string)
        bytes.append(UInt8(ascii: "#"))
        append(number)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a number.
    ///
    /// - Parameter digits: the number as JSON writes it (RFC 8259 §6).
    package mutating func number(_ digits: String) {
        separate()
        bytes.append(contentsOf: digits.utf8)
    }

    /// Writes `true` or `false`.
    package mutating func value(_ boolean: Bool) {
        separate()
        bytes.append(contentsOf: (boolean ? "true" : "false").utf8)
    }

    /// Writes a parsed value as it is written in its text, or `null` for nil.
    ///
    /// An object or array longer than 256 KiB is written on one line: indentation makes deeply nested text many times
    /// longer.
    package mutating func value(_ value: JSONValue?) {
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
                guard let members = value.members else { return }
                for (name, value) in members.named {
                    writer.raw(name)
                    writer.endName()
                    writer.value(value)
                }
            }
        case .array:
            array { writer in
                if let elements = value.elements { for element in elements { writer.value(element) } }
            }
        default: raw(value)
        }
    }

    /// Writes a parsed value with its own white space. If unprintable characters must be escaped, the writer's layout
    /// is used instead.
    package mutating func asWritten(_ value: JSONValue) {
        guard !escapesUnprintable else { return self.value(value) }
        separate()
        append(escaping: value.rawBytes.span, isWritten: true)
    }

    /// Writes a member with its value.
    package mutating func member(_ name: StaticString, _ string: String?) {
        self.name(name)
        value(string)
    }

    /// Writes a member with its value.
    package mutating func member(_ name: StaticString, _ text: UTF8Text?) {
        self.name(name)
        value(text)
    }

    /// Writes a member with its value.
    package mutating func member(_ name: StaticString, _ integer: Int?) {
        self.name(name)
        value(integer)
    }

    /// Writes a member whose value is true or false, or `null` for nil.
    package mutating func member(_ name: StaticString, _ boolean: Bool?) {
        self.name(name)
        if let boolean { value(boolean) } else { value(nil as String?) }
    }

    /// Writes a member whose value is an object, whose members are written by `body`.
    package mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.name(name)
        object(body)
    }

    /// Writes a member whose value is an array, whose elements are written by `body`.
    package mutating func array(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.name(name)
        array(body)
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

    /// The string as JSON, in quotation marks, with all characters escaped that could control a terminal.
    package static func quoted(_ string: String) -> String {
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
        // From the last digit to the first. There are at most 19.
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

    /// Appends a string's characters, with the necessary escapes.
    private mutating func append(_ string: String) {
        let text = string.utf8.span
        guard !Self.isPlain(text) else {
            // Unsafe: the array copies the bytes during the call, while the string lives.
            return unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        }
        append(escaping: text, isWritten: false)
    }

    /// Appends text, with the necessary escapes.
    ///
    /// - Parameters:
    ///   - text: the text, in UTF-8.
    ///   - isWritten: whether the text already is JSON, so that its own escapes are kept.
    private mutating func append(escaping text: Span<UInt8>, isWritten: Bool) {
        let isHidden = escapesUnprintable && String(decoding: text.indices.map { text[$0] }, as: UTF8.self).isInvisible
        var here = 0
        while here < text.count {
            let byte = text[here]
            guard byte < 0x80 else {
                here = appendSequence(in: text, at: here, isHidden)
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

    /// Appends the character outside ASCII that begins at `start`, escaped if necessary.
    ///
    /// - Parameter isHidden: whether nobody sees any of the text.
    /// - Returns: the start of the next character.
    private mutating func appendSequence(in text: Span<UInt8>, at start: Int, _ isHidden: Bool) -> Int {
        let end = start + (UTF8Sequence.length(in: text, at: start) ?? 1)
        var value = UInt32(text[start]) & (0xFF >> UInt32(end - start + 1))
        for place in (start + 1)..<end { value = value << 6 | UInt32(text[place] & 0x3F) }
        guard end - start > 1, let scalar = Unicode.Scalar(value) else {
            // Neither a String nor a parsed text contains such bytes, so this is never reached.
            bytes.append(contentsOf: UTF8.encodedReplacementCharacter)
            return end
        }
        if isHidden || scalar.isSteering || escapesUnprintable && scalar.isUnprintable {
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

    /// Whether the text is printable ASCII without characters to escape, as most text is. Eight bytes are tested
    /// together.
    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        let low: UInt64 = 0x0101_0101_0101_0101
        let high: UInt64 = 0x8080_8080_8080_8080
        var here = 0
        while here + 8 <= text.count {
            // Unsafe: all values are valid integers. The eight bytes are checked to be inside the span, here and in the
            // call.
            let word = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: here, as: UInt64.self)
            // A bit is set for each byte that is not plain, and perhaps for one above it.
            let quote = word ^ (low &* 0x22)
            let backslash = word ^ (low &* 0x5C)
            let delete = word ^ (low &* 0x7F)
            let found =
                (quote &- low) | (backslash &- low) | (delete &- low) | (word &- low &* 0x20) | word
            let sign = word ^ (low &* 0x23)
            let signs = (sign &- low) & ~sign & high
            // The test fails if two number signs follow each other. If the last byte is one, the loop below looks at
            // the byte after it.
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
    /// Whether this is a control character outside ASCII, a line separator, or a character that changes the direction
    /// of text (UAX #9).
    fileprivate var isSteering: Bool {
        switch value {
        case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// The text of a value or of some members of an object. It is written once and used many times.
package struct JSONFragment: Sendable {
    package let bytes: [UInt8]

    /// The length in bytes.
    package var size: Int { bytes.count }

    /// - Parameter bytes: what a fragment was written as.
    package init(written bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    /// - Parameter body: writes the value. It stays on one line in any layout.
    package init(_ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        body(&writer)
        bytes = writer.bytes
    }

    /// Writes a value in the layout of the text that it will be part of.
    ///
    /// - Parameters:
    ///   - layout: the layout of the writer that will write the fragment.
    ///   - escapesUnprintable: the setting of the writer that will write the fragment.
    ///   - depth: the level at which the fragment will be written.
    ///   - body: writes the value.
    package init(
        layout: JSONWriter.Layout, escapesUnprintable: Bool, depth: Int, _ body: (inout JSONWriter) -> Void
    ) {
        var writer = JSONWriter(layout: layout, escapesUnprintable: escapesUnprintable, depth: depth)
        body(&writer)
        bytes = writer.bytes
    }

    /// - Parameters:
    ///   - escapesUnprintable: the setting of the writer that will write the fragment.
    ///   - body: writes one or more members of an object. They stay on one line.
    package init(escapesUnprintable: Bool, members body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter(escapesUnprintable: escapesUnprintable)
        writer.object(body)
        bytes = Array(writer.bytes.dropFirst().dropLast())
    }
}

extension JSONWriter {
    /// Writes a fragment that is a value.
    package mutating func value(_ fragment: JSONFragment) { append(fragment.bytes) }

    /// Writes a fragment that is members of an object.
    package mutating func members(_ fragment: JSONFragment) { append(fragment.bytes) }
}
