import JSON

/// What the sender of a line calls it: any JSON value, echoed as it was written.
struct BatchID: Sendable {
    private let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    /// Writes it as it was written, save white space where a carriage return is among it: to some readers that would be the
    /// end of a line.
    func write(to writer: inout JSONWriter) {
        if value.rawBytes.contains(0x0D) { writer.value(value) } else { writer.asWritten(value) }
    }
}
