extension [UInt8] {
    /// Whether the bytes, read as JSON, hold more values than `limit`, names of members counted as well.
    ///
    /// The parser spends memory on each value, several times what the shortest takes in the text. Every value but the
    /// outermost follows one of `[`, `{`, `,` and `:` outside strings, so they can be counted before that.
    package func holdsMoreJSONValues(than limit: Int) -> Bool {
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
