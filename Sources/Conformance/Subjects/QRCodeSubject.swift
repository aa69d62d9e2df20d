/// The text of one QR code, taken apart as far as it goes.
struct QRCodeSubject: Sendable {
    let document: Document
    /// Whether the text begins with `shc:/`, in whatever case.
    let hasScheme: Bool
    /// What stands between the scheme and the digits: `C/N` has two fields, a whole card none.
    let fields: [ArraySlice<UInt8>]
    /// What follows the last slash.
    let digits: ArraySlice<UInt8>
    /// Which part of how many it says it is; nil if it says nothing, or no sense.
    let part: (index: Int, count: Int)?
    /// The characters that the digits stand for, up to the first pair that stands for none.
    let characters: [UInt8]
    /// Where in the text the first pair of digits is that stands for no character; nil if all do.
    let firstBadPair: Int?

    init(_ document: Document) {
        self.document = document
        let text = document.text[...]
        hasScheme = text.prefix(5).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.elementsEqual("shc:/".utf8)
        let rest = hasScheme ? text.dropFirst(5) : text
        let slash = rest.lastIndex(of: UInt8(ascii: "/"))
        digits = slash.map { rest[($0 + 1)...] } ?? (hasScheme ? rest : rest.drop { !(0x30...0x39).contains($0) })
        fields =
            slash.map {
                rest[..<$0].split(separator: UInt8(ascii: "/"), maxSplits: 7, omittingEmptySubsequences: false)
            }
            ?? []
        part = Self.part(fields)
        (characters, firstBadPair) = Self.characters(digits)
    }

    private static func part(_ fields: [ArraySlice<UInt8>]) -> (index: Int, count: Int)? {
        guard fields.count == 2, let index = number(fields[0]), let count = number(fields[1]), count >= 1,
            (1...count).contains(index)
        else { return nil }
        return (index, count)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.first != 0x30 || digits.count == 1
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func characters(_ digits: ArraySlice<UInt8>) -> ([UInt8], Int?) {
        var characters: [UInt8] = []
        var here = digits.startIndex
        while here + 1 < digits.endIndex {
            guard (0x30...0x39).contains(digits[here]), (0x30...0x39).contains(digits[here + 1]) else {
                return (characters, here)
            }
            let pair = (digits[here] - 0x30) * 10 + digits[here + 1] - 0x30
            guard pair <= 77 else { return (characters, here) }
            characters.append(pair + 45)
            here += 2
        }
        return (characters, here < digits.endIndex ? here : nil)
    }
}
