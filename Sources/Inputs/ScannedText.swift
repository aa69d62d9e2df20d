package import Credentials
import Encodings

/// What scanners, mail programs, editors and other programs put around the text of a code or between its lines, or make of its characters.
///
/// It is found for a whole input in linear time. Nothing that may be a credential is skipped: then the input stays as it is.
package struct ScannedText: Sendable {
    /// The input without it.
    package private(set) var content: [UInt8]
    /// A warning for each change; empty if the input stays as it is.
    package private(set) var warnings: [CredentialWarning] = []

    /// - Parameter bytes: an input, with nothing trimmed. What is no text stays as it is.
    package init(_ bytes: [UInt8]) {
        content = bytes
        guard !Self.isPlain(bytes) else {
            unwrap(bytes[...].trimmingWhiteSpace())
            return
        }
        guard !bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]), !InputForm.isCWT(bytes[...]) else { return }
        decodeUTF16()
        dropCharactersOfScanner()
        unwrap(content[...].trimmingByteOrderMarks())
        guard content.contains(0x0A) || content.contains(0x0D) else { return }
        var lines = TextLines(content[...].trimmingByteOrderMarks())
        let found = lines.texts()
        if lines.hasCharactersOfScanner {
            content = Array(lines.content)
            if warnings.last?.code != .scannerCharacters { warnScannerCharacters() }
        }
        guard let found else { return }
        content = Array(found.joined(separator: [0x0A]))
        if lines.isWrapped {
            warn(.textWrapped, "the text is wrapped over several lines, which were joined")
        }
        if lines.hasOtherLines {
            warn(.otherTextSkipped, "there is other text around that of the card, which was skipped")
        }
    }

    /// Whether this is one line of printable ASCII that begins like no identifier of a scanner, as nearly every text is.
    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        bytes.first != UInt8(ascii: "]") && bytes.allSatisfy { (0x20...0x7E).contains($0) }
    }

    private mutating func warn(_ code: CredentialWarning.Code, _ message: String) {
        warnings.add(code, message)
    }

    /// Whether the text was inside something else, or was repaired.
    package var isUnwrapped: Bool { warnings.contains { $0.code == .textWasInside || $0.code == .textRepaired } }

    /// Whether the text was inside something else, was repaired, or was wrapped over several lines.
    package var isJoined: Bool { isUnwrapped || warnings.contains { $0.code == .textWrapped } }

    /// Takes the text out of what surrounds it, or does so for each line.
    private mutating func unwrap(_ text: ArraySlice<UInt8>) {
        if let (inner, steps) = WrappedText.unwrapped(text) {
            content = inner
            warnings += steps
            return
        }
        guard text.hasLineBreak, let first = text.first, !"{[".utf8.contains(first),
            var lines = TextLines.lines(of: text)
        else { return }
        for index in lines.indices {
            guard let (inner, steps) = WrappedText.unwrapped(lines[index].trimmingWhiteSpace()) else { continue }
            lines[index] = inner[...]
            warnings += steps.filter { !warnings.contains($0) }
        }
        if isUnwrapped { content = Array(lines.joined(separator: [0x0A])) }
    }

    // MARK: Encoding

    /// Turns UTF-16 with a byte-order mark into UTF-8.
    private mutating func decodeUTF16() {
        let isLittle = content.starts(with: [0xFF, 0xFE])
        guard isLittle || content.starts(with: [0xFE, 0xFF]), content.count.isMultiple(of: 2) else { return }
        let units = stride(from: 2, to: content.count, by: 2).map { place in
            let (first, second) = (UInt16(content[place]), UInt16(content[place + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        // A lone surrogate would be read in several ways.
        guard let text = String(validating: units, as: UTF16.self) else { return }
        content = Array(text.utf8)
        warn(.textEncoding, "the text is in UTF-16, and was read as such")
    }

    // MARK: Characters of scanners

    /// Removes what a scanner puts around a text.
    private mutating func dropCharactersOfScanner() {
        let text = content[...].trimmingByteOrderMarks()
        let rest = Self.withoutCharactersOfScanner(text)
        guard rest.count < text.count else { return }
        content = Array(rest)
        if !rest.isEmpty { warnScannerCharacters() }
    }

    private mutating func warnScannerCharacters() {
        warn(.scannerCharacters, "there are characters of a scanner around the text, such as ]Q1, STX, ETX or NUL")
    }

    /// A text without the characters STX and ETX, NUL at the end, and the identifier of a symbology, such as `]Q1` (ISO/IEC 15424). If
    /// there is none of them, the text as it is, with its white space.
    fileprivate static func withoutCharactersOfScanner(_ whole: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = whole
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let isFrame = { (byte: UInt8) in byte == 0x02 || byte == 0x03 || isSpace(byte) }
        while let last = text.last, isFrame(last) || last == 0 { text.removeLast() }
        text = text.drop(while: isFrame)
        let identifier = Array(text.prefix(3))
        if identifier.count == 3, identifier[0] == UInt8(ascii: "]"), (0x41...0x5A).contains(identifier[1] & 0xDF),
            (0x30...0x39).contains(identifier[2]) || (0x41...0x5A).contains(identifier[2] & 0xDF)
        {
            text = text.dropFirst(3).drop(while: isFrame)
        }
        let dropped = [whole[..<text.startIndex], whole[text.endIndex...]].joined()
        return dropped.allSatisfy(isSpace) ? whole : text
    }
}

/// The lines of a text, among which the texts of cards are looked for.
private struct TextLines {
    /// The kinds of text that a line may begin.
    private enum Kind {
        case code, certificate, link, jws
    }

    private let lines: [ArraySlice<UInt8>]
    /// Whether a text was found that is wrapped over several lines.
    private(set) var isWrapped = false
    /// Whether there are lines with something else.
    private(set) var hasOtherLines = false
    /// Whether there were characters of a scanner around a line, beside a text of a card.
    let hasCharactersOfScanner: Bool
    /// The index of the last line that is not blank; nil if all are.
    private let lastLine: Int?
    /// Where lines end that may continue a text, as it was found last. It is the same for all lines before it.
    private var knownEnd: (kind: Kind, range: Range<Int>)?

    init(_ content: ArraySlice<UInt8>) {
        // JSON is read as such.
        guard let first = content.first, !"{[\"".utf8.contains(first), let lines = Self.lines(of: content) else {
            lines = []
            lastLine = nil
            hasCharactersOfScanner = false
            return
        }
        let plain = lines.map { ScannedText.withoutCharactersOfScanner($0) }
        hasCharactersOfScanner =
            zip(lines, plain).contains { $0.count != $1.count }
            && plain.contains { Self.kind(of: $0.trimmingWhiteSpace()) != nil }
        self.lines = hasCharactersOfScanner ? plain : lines
        lastLine = self.lines.lastIndex { !$0.trimmingWhiteSpace().isEmpty }
    }

    /// The lines, which end with CR, LF or both; nil if they are too many.
    fileprivate static func lines(of content: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        var lines: [ArraySlice<UInt8>] = []
        var rest = content
        while true {
            let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
            guard lines.count < Bounds.lines else { return nil }
            lines.append(line)
            rest = rest[line.endIndex...]
            guard !rest.isEmpty else { return lines }
            rest = rest.dropFirst(rest.starts(with: [0x0D, 0x0A]) ? 2 : 1)
        }
    }

    /// The lines without what scanners put around them.
    var content: [UInt8] { Array(lines.joined(separator: [0x0A])) }

    /// The texts of cards, each in one line; nil if the content is to be read as it is.
    mutating func texts() -> [[UInt8]]? {
        if let text = wholeText() {
            isWrapped = true
            return [text]
        }
        var texts: [(kind: Kind, text: [UInt8])] = []
        var others: [ArraySlice<UInt8>] = []
        var beginsWithText = false
        var place = 0
        while place < lines.count {
            let line = lines[place].trimmingWhiteSpace()
            place += 1
            guard !line.isEmpty else { continue }
            guard let kind = Self.kind(of: line) else {
                others.append(line)
                continue
            }
            if texts.isEmpty { beginsWithText = others.isEmpty }
            var text = Array(line)
            // A space at the end of a line is a character of a certificate.
            if kind == .certificate { text = Array(lines[place - 1].drop { $0 == 0x20 || $0 == 0x09 }) }
            let end = endOfText(from: place, kind: kind)
            let isWhole = others.isEmpty && end > lastLine ?? 0
            let width = lines[place - 1].count
            let isComplete =
                kind == .jws && Self.isWholeJWS(line)
                && (line.split(separator: UInt8(ascii: ".")).last?.count ?? 0) >= 86
            while place < end {
                // In a mail, a line after the text may have the same characters. A program that wraps fills each line but the last.
                let isFilled = !isComplete && lines[place].count <= width && lines[place - 1].count == width
                guard isWhole || isFilled else { break }
                // It is judged beside this one.
                guard !Self.isNextCard(lines[place], after: text, kind) else { return nil }
                text += kind == .certificate ? lines[place] : lines[place].trimmingWhiteSpace()
                place += 1
                isWrapped = true
            }
            texts.append((kind, text))
        }
        hasOtherLines = !others.isEmpty
        guard hasOtherLines || isWrapped else { return nil }
        // Which of several texts is meant would be a guess, unless they may be parts of one card. Certificates have a reader of
        // their own, which joins lines, too.
        let isOne = texts.count == 1 || texts.allSatisfy { $0.kind == .code }
        guard let first = texts.first, isOne, hasOtherLines || first.kind != .certificate else { return nil }
        guard !others.contains(where: { CredentialTraces.are(in: $0) }), !CredentialTraces.areDigits(in: others) else {
            return nil
        }
        // The rest of a certificate may come after an empty line.
        if first.kind == .certificate, beginsWithText,
            others.allSatisfy({ $0.allSatisfy { Self.continues(.certificate, $0) } })
        {
            return nil
        }
        return texts.map(\.text)
    }

    /// The text if all lines together are one that is wrapped at any column, even within its prefix; else nil. Certificates have a
    /// reader of their own.
    private func wholeText() -> [UInt8]? {
        guard lines.count > 1 else { return nil }
        var text: [UInt8] = []
        for line in lines {
            guard !Self.isNextCard(line, after: text, .code) else { return nil }
            text += line.trimmingWhiteSpace()
        }
        guard let kind = Self.kind(of: text[...]), kind != .certificate else { return nil }
        let rest = text.dropFirst(kind == .code ? 5 : kind == .link ? 8 : 0)
        guard rest.allSatisfy({ Self.continues(kind, $0) }), kind != .jws || Self.isWholeJWS(text[...]) else {
            return nil
        }
        // One that is in one line is not wrapped.
        return lines.count { !$0.trimmingWhiteSpace().isEmpty } > 1 ? text : nil
    }

    /// The kind of text that begins with a line; nil if none does.
    private static func kind(of line: ArraySlice<UInt8>) -> Kind? {
        if InputForm.begins(line, with: "shc:/") { return .code }
        if InputForm.begins(line, with: "hc1:") { return .certificate }
        if InputForm.begins(line, with: "shlink:/") { return .link }
        if InputForm.begins(line, with: "https://"), SMARTHealthLinkText.begins(line) { return .link }
        // The base64 of a brace. The first line of a JWS that is wrapped may have no dot, and others may have two.
        let isJWS = line.starts(with: "ey".utf8) || line.starts(with: "ew".utf8)
        return isJWS && line.count >= 20 && InputForm.isJWS(line) && line.allSatisfy { isOfToken($0) } ? .jws : nil
    }

    /// The index after the last line that may continue a text.
    private mutating func endOfText(from start: Int, kind: Kind) -> Int {
        if let knownEnd, knownEnd.kind == kind, knownEnd.range.contains(start) { return knownEnd.range.upperBound }
        var end = start
        while end < lines.count {
            let line = kind == .certificate ? lines[end] : lines[end].trimmingWhiteSpace()
            guard !line.trimmingWhiteSpace().isEmpty,
                Self.kind(of: line).map({ $0 == .jws && !Self.isWholeJWS(line) }) ?? true,
                line.allSatisfy({ Self.continues(kind, $0) })
            else { break }
            end += 1
        }
        knownEnd = (kind, start..<end)
        return end
    }

    /// Whether a line after the text of a code is not the rest of it, but the digits of another card that lack shc:/: the text is
    /// complete, and the digits begin as each card does.
    private static func isNextCard(_ line: ArraySlice<UInt8>, after text: [UInt8], _ kind: Kind) -> Bool {
        guard kind == .code, line.trimmingWhiteSpace().starts(with: "567629".utf8), text.count <= longestCode,
            InputForm.begins(text[...], with: "shc:/")
        else { return false }
        let digits = text[(text.lastIndex(of: UInt8(ascii: "/")) ?? text.startIndex)...].dropFirst()
        guard digits.count.isMultiple(of: 2) else { return false }
        // A dot is 01.
        let dots = stride(from: digits.startIndex, to: digits.endIndex, by: 2).filter {
            digits[$0] == 0x30 && digits[$0 + 1] == 0x31
        }
        return dots.count == 2 && digits.endIndex - (dots.last ?? 0) >= 2 * 87
    }

    /// The most characters of the text of a QR code: 7,089 digits in its largest version, and what precedes them.
    private static let longestCode = 7200

    private static func isWholeJWS(_ line: ArraySlice<UInt8>) -> Bool { line.count { $0 == UInt8(ascii: ".") } == 2 }

    private static func continues(_ kind: Kind, _ byte: UInt8) -> Bool {
        switch kind {
        case .code: byte.isDigit || byte == UInt8(ascii: "/")
        case .certificate: byte.isOfBase45
        case .link, .jws: isOfToken(byte)
        }
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        byte.isOfBase64URL || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "=")
    }
}

/// What shows that a line of other text holds a credential, or is meant to hold one, at any place. Such a line is never skipped: what
/// is in it may be forged, and the text beside it genuine.
enum CredentialTraces {
    static func are(in line: ArraySlice<UInt8>) -> Bool {
        if CredentialContent(text: Array(line)).kind != .other || InputForm.certificatePrefix(line) != nil {
            return true
        }
        // Another kind of credential, or an address with cards in it.
        if OtherCredential.words(of: line).contains(where: {
            OtherCredential($0) != nil || isAddress($0) && CredentialContent(text: Array($0)).kind != .other
        }) {
            return true
        }
        return hasMark(line)
            || OtherCredential.words(of: line).contains {
                $0.contains(UInt8(ascii: "%")) && hasMark(PercentEncoding.decodeWhatIsEncoded($0)[...])
            }
    }

    private static func hasMark(_ line: ArraySlice<UInt8>) -> Bool {
        line.indices.contains { place in
            switch line[place] | 0x20 {
            case UInt8(ascii: "s"):
                follows("shc:/", at: place, in: line) { $0.isDigit }
                    || follows("shlink:/", at: place, in: line) { $0.isOfBase64URL }
            case UInt8(ascii: "h"): follows("hc1:", at: place, in: line) { $0 != 0x20 && $0.isOfBase45 }
            case UInt8(ascii: "v"): follows("verifiablecredential", at: place, in: line) { _ in true }
            case UInt8(ascii: "e"), UInt8(ascii: "5"): isLongToken(at: place, in: line)
            default: false
            }
        }
    }

    /// Whether lines that have only digits and spaces hold those of a card together, as they begin in each.
    static func areDigits(in lines: [ArraySlice<UInt8>]) -> Bool {
        var digits: [UInt8] = []
        for line in lines where line.allSatisfy({ $0.isDigit || $0 == 0x20 || $0 == 0x09 }) {
            digits += line.filter { $0 > 0x20 }
        }
        let begin = Array("567629".utf8)
        return digits.indices.contains { digits[$0] == begin[0] && digits[$0...].starts(with: begin) }
    }

    private static func isAddress(_ word: ArraySlice<UInt8>) -> Bool {
        InputForm.begins(word, with: "https://") && word.contains(UInt8(ascii: "#"))
    }

    /// Whether a text in lower case stands here in any case, and then such a byte.
    private static func follows(
        _ text: String, at place: Int, in line: ArraySlice<UInt8>, _ isNext: (UInt8) -> Bool
    ) -> Bool {
        let rest = line[place...]
        guard InputForm.begins(rest, with: text) else { return false }
        return rest.dropFirst(text.utf8.count).first.map(isNext) ?? false
    }

    /// Whether the beginning of a JWS stands here, or the digits of one.
    private static func isLongToken(at place: Int, in line: ArraySlice<UInt8>) -> Bool {
        let rest = line[place...]
        let isOfToken: (UInt8) -> Bool
        if rest.starts(with: "ey".utf8) || rest.starts(with: "ew".utf8) {
            isOfToken = \.isOfBase64URL
        } else if rest.starts(with: "5676".utf8) {
            isOfToken = \.isDigit
        } else {
            return false
        }
        if place > line.startIndex, isOfToken(line[place - 1]) { return false }
        return rest.prefix(20).count { isOfToken($0) } == 20
    }
}

extension UInt8 {
    /// Whether it is an ASCII digit.
    var isDigit: Bool { (0x30...0x39).contains(self) }
    /// Whether it is a character of base64url.
    var isOfBase64URL: Bool {
        isDigit || (0x41...0x5A).contains(self & 0xDF) && self < 0x80 || self == 0x2D || self == 0x5F
    }
    /// Whether it is a character of base45.
    var isOfBase45: Bool { isDigit || (0x41...0x5A).contains(self) || " $%*+-./:".utf8.contains(self) }
}
