/// The text of a value, or of some members of an object, written once to be used again and again.
public struct JSONFragment: Sendable {
    let bytes: [UInt8]

    /// How many bytes it has.
    public var size: Int { bytes.count }

    /// - Parameter body: writes the value. It stays on one line, whatever the layout around it.
    public init(_ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        body(&writer)
        bytes = writer.bytes
    }

    /// - Parameters:
    ///   - escapesUnprintable: as for the writer that it is for.
    ///   - body: writes members of an object, at least one. They stay on one line.
    public init(escapesUnprintable: Bool, members body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter(escapesUnprintable: escapesUnprintable)
        writer.object(body)
        bytes = Array(writer.bytes.dropFirst().dropLast())
    }
}

extension JSONWriter {
    /// Writes a value that was written before.
    public mutating func value(_ fragment: JSONFragment) { append(fragment.bytes) }

    /// Writes members that were written before.
    public mutating func members(_ fragment: JSONFragment) { append(fragment.bytes) }
}
