import JSON

extension String {
    /// The text as a message shows it when somebody else wrote it: in quotation marks, cut to a length, with nothing in
    /// it that could steer a terminal.
    ///
    /// By scalars, since one character may be any number of them.
    package func quoted(upTo length: Int = 200) -> String {
        JSONWriter.quoted(String(UnicodeScalarView(unicodeScalars.prefix(length))))
    }
}
