extension JSONValue {
    /// The outermost value of the text that this value is part of.
    package var root: JSONValue { JSONValue(document: document, index: 0) }
}
