extension [UInt8] {
    /// Whether the bytes, read as JSON, contain more values than `limit`. Names of members count as values.
    ///
    /// The parser needs memory for each value, several times as much as the shortest values take in the text. So the
    /// values can be counted before parsing: each value except the outermost follows a `[`, `{`, `,` or `:` outside
    /// strings.
    package func holdsMoreJSONValues(than limit: Int) -> Bool {
        // Each takes a byte at least.
        guard self.count >= limit else { return false }
        var count = 1
        var isInString = false
        var isEscaped = false
        for byte in self {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "\\"): isEscaped = isInString
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":"):
                guard !isInString else { continue }
                count += 1
                if count > limit { return true }
            default: continue
            }
        }
        return false
    }
}
