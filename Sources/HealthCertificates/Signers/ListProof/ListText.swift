/// The texts that may stand in a list whose proof is checked (WHO-P9). All of them have only characters that mean nothing in N-Quads, so no
/// value can end a term or a sentence.
enum ListText {
    /// Whether a text is a DID without a fragment.
    static func isDID(_ text: some Collection<UInt8>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0].elementsEqual("did".utf8) && !parts[1].isEmpty && !parts[2].isEmpty
            && parts[1].allSatisfy { isLower($0) || isDigit($0) } && parts[2].allSatisfy { isOfDID($0) || $0 == colon }
    }

    /// Whether a text is a DID with a fragment.
    static func isDIDWithFragment(_ text: some Collection<UInt8>) -> Bool {
        guard let sign = text.firstIndex(of: number) else { return false }
        let fragment = text[text.index(after: sign)...]
        return isDID(text[..<sign]) && !fragment.isEmpty
            && fragment.allSatisfy { isOfDID($0) || $0 == colon || "+/=".utf8.contains($0) }
    }

    /// Whether a text is a code: a number sign, and then letters, digits and hyphens.
    static func isCode(_ text: [UInt8]) -> Bool {
        text.count > 1 && text[0] == number && text.dropFirst().allSatisfy { isLetterOrDigit($0) || $0 == hyphen }
    }

    /// Whether a text is a nonce.
    static func isNonce(_ text: [UInt8]) -> Bool {
        (1...128).contains(text.count) && text.allSatisfy { isLetterOrDigit($0) || "+/=_-".utf8.contains($0) }
    }

    /// Whether a text has the form `2026-08-22T17:05:01Z`. The date itself may not exist.
    static func hasFormOfTime(_ text: [UInt8]) -> Bool {
        let form = Array("0000-00-00T00:00:00Z".utf8)
        return text.count == form.count
            && zip(text, form).allSatisfy { $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }
    }

    /// Whether a text consists of printable characters of ASCII.
    static func isPrintable(_ text: ArraySlice<UInt8>) -> Bool {
        text.withSpan { span in
            for index in span.indices where span[index] < 0x20 || span[index] > 0x7E { return false }
            return true
        }
    }

    private static let colon = UInt8(ascii: ":")
    private static let number = UInt8(ascii: "#")
    private static let hyphen = UInt8(ascii: "-")

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || isLower(byte) || (0x41...0x5A).contains(byte)
    }
    private static func isOfDID(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == hyphen || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "%")
    }
}

extension ArraySlice<UInt8> {
    /// Calls `body` with the bytes, without a check of the array at each of them.
    fileprivate func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result { body(span) }
}
