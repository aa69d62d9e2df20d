import JSON

extension JSONValue {
    /// Whether the text that the value is part of has no white space outside strings (SHC-J2).
    package var isMinified: Bool {
        var isInString = false
        var isEscaped = false
        for byte in text {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte <= 0x20 {
                return false
            }
        }
        return true
    }
}
