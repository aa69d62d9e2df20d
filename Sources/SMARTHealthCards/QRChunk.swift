/// The text of one QR code (SHC "Encoding Chunks as QR Codes").
struct QRChunk: Sendable {
    /// Which part of how many, for a card that was split; nil for a whole card.
    let part: (index: Int, count: Int)?
    /// The characters of the JWS that the digits stand for.
    let jws: [UInt8]
    let warnings: [CardWarning]

    static let scheme = "shc:/"

    /// Whether the text begins as a QR code's does, in whatever case.
    static func isBegin(of text: ArraySlice<UInt8>) -> Bool {
        text.prefix(4).map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }.elementsEqual("shc:".utf8)
    }

    /// Decodes `shc:/` or `shc:/C/N/` and the digits that follow.
    init(_ text: ArraySlice<UInt8>) throws(VerificationFailure) {
        var warnings: [CardWarning] = []
        guard Self.isBegin(of: text), text.dropFirst(4).first == UInt8(ascii: "/") else {
            throw Self.malformed("it begins with \"shc:/\", and this does not")
        }
        if !text.starts(with: Self.scheme.utf8) {
            warnings.append(CardWarning(.qrSchemeCase, "the scheme \"shc:/\" is written in lower case"))
        }
        let fields = text.dropFirst(Self.scheme.utf8.count).split(
            separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
        switch fields.count {
        case 1: part = nil
        case 3:
            part = try Self.part(fields[0], of: fields[1])
            warnings.append(
                CardWarning(.qrChunkingDeprecated, "splitting a card over QR codes is deprecated since version 1.3.0"))
        default: throw Self.malformed("expected \"shc:/\" or \"shc:/C/N/\", followed by digits")
        }
        jws = try Self.characters(fields[fields.count - 1])
        if part == nil, jws.count > Bounds.singleQRLength {
            warnings.append(
                CardWarning(
                    .jwsTooLong,
                    "a single QR code holds at most \(Bounds.singleQRLength) characters, this one \(jws.count)"))
        }
        self.warnings = warnings
    }

    private static func part(
        _ index: ArraySlice<UInt8>, of count: ArraySlice<UInt8>
    ) throws(VerificationFailure) -> (index: Int, count: Int) {
        guard let index = number(index), let count = number(count) else {
            throw malformed("in \"shc:/C/N/\", C and N are numbers without leading zeros")
        }
        guard count <= Bounds.chunks else {
            throw malformed("it says that there are \(count) parts; at most \(Bounds.chunks) are accepted")
        }
        guard (1...max(count, 1)).contains(index), count >= 1 else {
            throw malformed("it says that it is part \(index) of \(count)")
        }
        return (index, count)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.first != 0x30 || digits.count == 1
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Each two digits are one character of the JWS: its code less 45.
    private static func characters(_ digits: ArraySlice<UInt8>) throws(VerificationFailure) -> [UInt8] {
        guard !digits.isEmpty else { throw malformed("there are no digits after the prefix") }
        if let other = digits.firstIndex(where: { !(0x30...0x39).contains($0) }) {
            throw malformed("character \(other - digits.startIndex + 1) after the prefix is not a digit")
        }
        guard digits.count.isMultiple(of: 2) else {
            throw malformed("every character is two digits, and there are \(digits.count); was the text cut off?")
        }
        var characters: [UInt8] = []
        characters.reserveCapacity(digits.count / 2)
        for position in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
            let pair = (digits[position] - 0x30) * 10 + digits[position + 1] - 0x30
            guard pair <= 77 else {
                throw malformed("two digits stand for a number of at most 77; here they are \(pair)")
            }
            characters.append(pair + 45)
        }
        return characters
    }

    private static func malformed(_ message: String) -> VerificationFailure {
        VerificationFailure(.malformedQR, "not the text of a health card's QR code: \(message)")
    }
}
