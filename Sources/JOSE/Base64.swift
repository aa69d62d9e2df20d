/// Base64 with padding (RFC 4648 §4), which JOSE uses for certificates alone (RFC 7517 §4.7).
public enum Base64 {
    /// Decodes text in base64.
    ///
    /// - Returns: the bytes; none for no text.
    /// - Throws: `Base64Error`, with the offset of the first character that is not acceptable.
    public static func decode(_ text: [UInt8]) throws(Base64Error) -> [UInt8] {
        // Padding fills the last group and nothing more, so any further equals sign is left to be found as foreign.
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let bytes = try Base64Alphabet.standard.decode(text.span.extracting(0..<text.count - padding))
        guard text.count.isMultiple(of: 4) else {
            throw Base64Error(padding == 0 ? .missingPadding : .padding, at: text.count - padding)
        }
        return bytes
    }
}
