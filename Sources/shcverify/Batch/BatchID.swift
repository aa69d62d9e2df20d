import JSON

/// What the sender of a line calls it: any JSON value, echoed as it was written.
struct BatchID: Sendable {
    private let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    /// Its text.
    ///
    /// - Parameter escapesUnprintable: whether it is for a terminal.
    func bytes(escapesUnprintable: Bool) -> [UInt8] {
        // A carriage return between two values would be the end of a line to some readers.
        guard escapesUnprintable || value.rawBytes.contains(0x0D) else { return Array(value.rawBytes) }
        var writer = JSONWriter(escapesUnprintable: escapesUnprintable)
        writer.value(value)
        return writer.bytes
    }
}
