import Encodings

extension JSONValue {
    /// The value for people, with a line for each member or element. No character in it can control a terminal.
    var indentedText: String {
        var writer = JSONWriter(layout: .indented, escapesUnprintable: true)
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
