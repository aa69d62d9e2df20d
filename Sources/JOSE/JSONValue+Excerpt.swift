import JSON

extension JSONValue {
    /// What an error message shows of a value that somebody else wrote: strings and numbers cut to a length that
    /// is easily read, with nothing in them that could steer a terminal; of other values the kind.
    package var excerpt: String {
        switch kind {
        case .string: JSONValue.excerpt(of: string?.description ?? "")
        case .number: String(decoding: rawBytes.prefix(JSONValue.excerptLength), as: UTF8.self)
        case .boolean, .null: String(decoding: rawBytes, as: UTF8.self)
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The string in quotation marks, cut as `excerpt` is, or to another length.
    package static func excerpt(of string: String, upTo length: Int = excerptLength) -> String {
        // By scalars, since one character may be any number of them.
        var start = String.UnicodeScalarView(string.unicodeScalars.prefix(length))
        if start.count < string.unicodeScalars.count { start.append("…") }
        return JSONWriter.quoted(String(start))
    }

    private static let excerptLength = 64
}
