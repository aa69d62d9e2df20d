/// The text of one value, written once to be used again and again.
public struct JSONFragment: Sendable {
    let bytes: [UInt8]

    /// - Parameter body: writes the value. It stays on one line, whatever the layout around it.
    public init(_ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        body(&writer)
        bytes = writer.bytes
    }
}

extension JSONWriter {
    /// Writes a value that was written before.
    public mutating func value(_ fragment: JSONFragment) { append(fragment.bytes) }
}
