import JSON

extension String {
    /// The text as a message shows it when somebody else wrote it: in quotation marks, cut to a number of scalars (one
    /// character may be any number of them), with nothing in it that could steer a terminal.
    func quoted(upTo length: Int) -> String {
        let beginning = unicodeScalars.prefix(length)
        let isWhole = beginning.endIndex == unicodeScalars.endIndex
        return JSONWriter.quoted(String(String.UnicodeScalarView(beginning)) + (isWhole ? "" : "…"))
    }
}
