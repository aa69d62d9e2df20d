package import Encodings

/// The sender's ID of a line: any JSON value, which is echoed.
package struct LineID: Sendable {
    private let value: JSONValue

    package init(_ value: JSONValue) { self.value = value }

    /// The ID as it is written.
    package var text: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Writes the member `id`.
    package func writeMember(to writer: inout JSONWriter) {
        writer.name("id")
        write(to: &writer)
    }

    /// Writes the ID exactly as it was given. If it contains carriage returns, its white space is dropped, since some
    /// readers take a carriage return for the end of a line.
    private func write(to writer: inout JSONWriter) {
        if value.rawBytes.contains(0x0D) { writer.value(value) } else { writer.asWritten(value) }
    }
}
