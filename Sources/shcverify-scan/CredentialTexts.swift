/// The credentials among the texts of codes. It decides only when the search ends: shcverify reads the texts itself.
struct CredentialTexts {
    /// Whether there is neither a credential nor a part of one.
    let areNone: Bool
    /// Whether there is a credential, and no part of one whose other parts are missing.
    let areWhole: Bool

    init(_ texts: [[UInt8]]) {
        var hasWhole = false
        var parts: [Int: Set<Int>] = [:]
        for text in texts {
            let start = text.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            if start.starts(with: "shc:/".utf8), let part = Self.part(text) {
                parts[part.count, default: []].insert(part.index)
            } else if start.starts(with: "shc:/".utf8) || start.starts(with: "hc1:".utf8)
                || start.elementsEqual("shlink:/".utf8) || Self.holdsLink(text)
            {
                hasWhole = true
            }
        }
        areNone = !hasWhole && parts.isEmpty
        areWhole = !areNone && parts.allSatisfy { count, found in found.count >= count }
    }

    /// The number of a part, and how many parts there are; nil if the text is a whole card.
    private static func part(_ text: [UInt8]) -> (index: Int, count: Int)? {
        let fields = text.dropFirst(5).split(separator: UInt8(ascii: "/"), maxSplits: 2)
        guard fields.count == 3, let index = number(fields[0]), let count = number(fields[1]), count > 1 else {
            return nil
        }
        return (index, count)
    }

    /// Whether a text is the URL of a viewer with a SMART Health Link in it.
    private static func holdsLink(_ text: [UInt8]) -> Bool {
        guard text.starts(with: "http".utf8), let hash = text.firstIndex(of: UInt8(ascii: "#")) else { return false }
        return text[(hash + 1)...].starts(with: "shlink:/".utf8)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.count <= 4 ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }
}
