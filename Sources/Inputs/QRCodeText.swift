import Credentials
import Encodings

/// The text of one QR code: `shc:/` or `shc:/C/N/`, followed by digits (SHC "Encoding Chunks as QR Codes").
///
/// It is read as far as possible, so that lint can report every problem. `validated()` fails with the first problem.
package struct QRCodeText: Sendable {
    /// The whole text.
    package let text: ArraySlice<UInt8>
    /// Whether the text begins with `shc:/`, in upper or lower case.
    package let hasScheme: Bool
    /// The fields between the scheme and the digits: two for `C/N`, none for a card that is not split.
    package let fields: [ArraySlice<UInt8>]
    /// The text after the last slash.
    package let digits: ArraySlice<UInt8>
    /// The characters of the JWS that the digits encode, up to the first invalid pair.
    package let characters: [UInt8]
    /// The index of the first pair of digits that encodes no character, or of a single digit at the end; nil if there is none.
    package let firstBadPair: Int?

    /// The largest number that two digits may form: the code of "z" (122) minus 45.
    private static let largestPair: UInt8 = 77
    static let scheme = "shc:/"

    /// Reads any text, even an invalid one.
    package init(_ text: ArraySlice<UInt8>) {
        self.text = text
        hasScheme = InputForm.begins(text, with: Self.scheme)
        let rest = hasScheme ? text.dropFirst(Self.scheme.utf8.count) : text
        // Nearly every text has only digits after the scheme: then it takes one pass.
        if hasScheme, case (let characters, nil) = Self.characters(rest) {
            (self.characters, firstBadPair, digits, fields) = (characters, nil, rest, [])
            return
        }
        let slash = rest.lastIndex(of: UInt8(ascii: "/"))
        digits = slash.map { rest[($0 + 1)...] } ?? (hasScheme ? rest : rest.drop { !$0.isDigit })
        fields =
            slash.map {
                rest[..<$0].split(separator: UInt8(ascii: "/"), maxSplits: 7, omittingEmptySubsequences: false)
            } ?? []
        (characters, firstBadPair) = Self.characters(digits)
    }

    /// Decodes digits. Two digits encode one character of the JWS: its ASCII code minus 45.
    private static func characters(_ digits: ArraySlice<UInt8>) -> ([UInt8], Int?) {
        var characters: [UInt8] = []
        characters.reserveCapacity(digits.count / 2)
        var here = digits.startIndex
        while here + 1 < digits.endIndex {
            guard digits[here].isDigit, digits[here + 1].isDigit else { return (characters, here) }
            let pair = (digits[here] - 0x30) * 10 + digits[here + 1] - 0x30
            guard pair <= largestPair else { return (characters, here) }
            characters.append(pair + 45)
            here += 2
        }
        return (characters, here < digits.endIndex ? here : nil)
    }

    /// What was subtracted from the characters' ASCII codes, if it was certainly not 45: the first characters of a JWS tell it.
    package var wrongOffset: Int? {
        let isOf = { (begin: String) in digits.starts(with: begin.utf8) }
        return isOf("5373") ? 48 : isOf("101121") ? 0 : nil
    }

    /// Whether characters are those of a whole card: a JWS of three parts, of which the last is as long as a signature.
    package static func isCard(_ characters: [UInt8]) -> Bool {
        let parts = characters.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 3 && parts[2].count == 86 && InputForm.beginsAsJWS(characters[...])
    }

    // MARK: Parts

    /// The numbers `C` and `N`, even if they are out of range; nil if the fields are not two numbers.
    private var numbers: (index: Int, count: Int)? {
        guard fields.count == 2, let index = Self.number(fields[0]), let count = Self.number(fields[1]) else {
            return nil
        }
        return (index, count)
    }

    /// The number of this part, from 1, and the number of parts; nil if they are missing or out of range.
    package var part: (index: Int, count: Int)? {
        numbers.flatMap { $0.count >= 1 && (1...$0.count).contains($0.index) ? $0 : nil }
    }

    /// Reads a decimal number of up to nine digits; nil if it has leading zeros.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(digits.count), digits.allSatisfy(\.isDigit), digits.first != 0x30 || digits.count == 1
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    // MARK: Verification

    /// Checks the text.
    ///
    /// - Returns: the part, or nil if the text is a whole card; and warnings about harmless deviations from the specification.
    /// - Throws: `VerificationFailure` with `malformed-qr`, for the first problem of the text.
    func validated() throws(VerificationFailure) -> (part: (index: Int, count: Int)?, warnings: [CredentialWarning]) {
        var warnings: [CredentialWarning] = []
        guard hasScheme else {
            throw InputContent.failure(ofLine: text) ?? Self.malformed("it must begin with \"shc:/\", but it does not")
        }
        if !text.starts(with: Self.scheme.utf8) {
            warnings.add(.qrSchemeCase, "the scheme \"shc:/\" must be in lower case, but it is not")
        }
        let part = try validatedPart()
        if part != nil {
            warnings.add(
                .qrChunkingDeprecated,
                "splitting a card over several QR codes is deprecated since version 1.3.0 of the specification")
        }
        try checkDigits()
        if part == nil, characters.count > Bounds.singleQRLength {
            warnings.add(
                .jwsTooLong,
                "a single QR code may contain at most \(Bounds.singleQRLength) characters of JWS, but this one has "
                    + "\(characters.count)")
        }
        return (part, warnings)
    }

    private func validatedPart() throws(VerificationFailure) -> (index: Int, count: Int)? {
        if fields.isEmpty, firstBadPair == nil { return nil }
        let rest = text.dropFirst(Self.scheme.utf8.count)
        guard !rest.indices.contains(where: { InputForm.begins(rest[$0...], with: Self.scheme) }) else {
            throw Self.malformed("it holds the texts of several codes: give each in a line of its own")
        }
        guard !fields.isEmpty else { return nil }
        guard fields.count == 2 else {
            throw Self.malformed("expected \"shc:/\" or \"shc:/C/N/\", followed by digits")
        }
        guard let numbers else {
            throw Self.malformed("in \"shc:/C/N/\", C and N must be numbers without leading zeros")
        }
        guard numbers.count <= Bounds.chunks else {
            throw Self.malformed("it says that there are \(numbers.count) parts; at most \(Bounds.chunks) are accepted")
        }
        guard let part else { throw Self.malformed("it says that it is part \(numbers.index) of \(numbers.count)") }
        return part
    }

    private func checkDigits() throws(VerificationFailure) {
        guard !digits.isEmpty else { throw Self.malformed("there are no digits after the prefix") }
        guard let bad = firstBadPair else { return }
        if let other = digits.firstIndex(where: { !$0.isDigit }) {
            throw Self.malformed("character \(other - digits.startIndex + 1) after the prefix is not a digit")
        }
        guard digits.count.isMultiple(of: 2) else {
            throw Self.malformed(
                "the number of digits must be even, but there are \(digits.count); was the text cut off?")
        }
        let pair = String(decoding: digits[bad...].prefix(2), as: UTF8.self)
        throw Self.malformed("two digits may form a number of at most \(Self.largestPair), but here they are \(pair)")
    }

    private static func malformed(_ message: String) -> VerificationFailure {
        VerificationFailure(.malformedQR, "this is not the text of a health card's QR code: \(message)")
    }

    // MARK: Lines

    /// The lines of an input that are not blank, without the white space around them.
    ///
    /// - Returns: the first `Bounds.lines` of these lines, and whether there are more.
    package static func lines(of content: ArraySlice<UInt8>) -> (lines: [ArraySlice<UInt8>], isCut: Bool) {
        var lines: [ArraySlice<UInt8>] = []
        var rest = content
        while !rest.isEmpty {
            let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex
            let line = rest[..<end].trimmingWhiteSpace()
            rest = rest[end...].dropFirst()
            guard !line.isEmpty else { continue }
            guard lines.count < Bounds.lines else { return (lines, true) }
            lines.append(line)
        }
        return (lines, false)
    }
}

/// A card that is split over several QR codes and whose parts are being collected.
package struct SplitCard: Sendable {
    /// The number of parts, as the QR codes say.
    package let count: Int
    /// The characters of each part, by the part's number. If a part was given with two texts, this is the first text.
    package private(set) var parts: [Int: [UInt8]] = [:]
    /// The numbers of the parts that were given with two different texts.
    package private(set) var conflicts: Set<Int> = []

    /// Creates a card without parts.
    package init(count: Int) { self.count = count }

    /// Adds a part.
    package mutating func add(_ characters: [UInt8], as index: Int) {
        if let earlier = parts[index] {
            if earlier != characters { conflicts.insert(index) }
        } else {
            parts[index] = characters
        }
    }

    /// The numbers of the parts that are missing.
    package var missing: [Int] { (1...count).filter { parts[$0] == nil } }

    /// The JWS; nil if a part is missing.
    package var jws: [UInt8]? {
        missing.isEmpty ? (1...count).reduce(into: []) { $0 += parts[$1] ?? [] } : nil
    }
}
