/// A JSON text, read as far as possible: its value, and the first thing that is wrong with it.
package struct JSONReading: Sendable {
    /// The text, without a byte-order mark before it.
    package let text: [UInt8]
    /// The value, also if a byte-order mark is before it; nil if there is none.
    package let value: JSONValue?
    /// What is wrong, at an offset in `text`; nil if nothing is.
    package let error: JSONError?

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - depth: how deep arrays and objects may be nested.
    ///   - takesBeginning: whether to take a value that something follows.
    package init(_ bytes: [UInt8], maximumDepth depth: Int, takesBeginning: Bool = false) {
        do throws(JSONError) {
            (text, value, error) = (bytes, try JSONDocument.parse(bytes, maximumDepth: depth), nil)
        } catch {
            text = error.reason == .byteOrderMark ? Array(bytes.dropFirst(3)) : bytes
            let part: [UInt8]? =
                switch error.reason {
                case .byteOrderMark: text
                case .trailingBytes: takesBeginning ? Array(text[..<error.offset]) : nil
                default: nil
                }
            value = part.flatMap { try? JSONDocument.parse($0, maximumDepth: depth) }
            self.error = error
        }
    }

    /// Takes a value that was read.
    package init(_ value: JSONValue) { (text, self.value, error) = (value.text, value, nil) }
}
