import Encodings

extension JSONValue {
    /// The text of a string, for comparisons in tests; nil for other kinds of values.
    var words: String? { string?.description }
}
