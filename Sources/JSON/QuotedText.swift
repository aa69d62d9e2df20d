extension String {
    /// The text as a message shows it if somebody else wrote it: in quotation marks, cut to a number of scalars (one
    /// character may be any number of them), with nothing in it that could steer a terminal.
    package func quoted(upTo length: Int = 200) -> String {
        let beginning = unicodeScalars.prefix(length)
        let isWhole = beginning.endIndex == unicodeScalars.endIndex
        return JSONWriter.quoted(String(String.UnicodeScalarView(beginning)) + (isWhole ? "" : "…"))
    }
}

extension UTF8Text {
    /// The text as a message shows it; see `String.quoted(upTo:)`.
    package func quoted(upTo length: Int = 200) -> String { description.quoted(upTo: length) }
}
