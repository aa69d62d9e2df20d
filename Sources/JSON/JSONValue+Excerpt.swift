extension JSONValue {
    /// A short text for a value in an error message. Strings and numbers from other people are shortened and safe to
    /// print on a terminal. For other values, it is their kind.
    package var excerpt: String {
        let length = 64
        return switch kind {
        case .string: (string?.description ?? "").quoted(upTo: length)
        case .number: String(decoding: rawBytes.prefix(length), as: UTF8.self)
        case .boolean, .null: String(decoding: rawBytes, as: UTF8.self)
        case .array: "an array"
        case .object: "an object"
        }
    }
}
