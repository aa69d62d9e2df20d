import Bytes

/// What scanners, mail programs and editors put around the text of a code, or between its lines.
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
        guard !Self.isPlain(bytes) else { return }
        guard !bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]), !InputForm.isCWT(bytes[...]) else { return }
        decodeUTF16()
        dropCharactersOfScanner()
        guard content.contains(0x0A) || content.contains(0x0D) else { return }
        var lines = TextLines(content[...].trimmingByteOrderMarks())
        guard let found = lines.texts() else { return }
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
        warnings.append(CredentialWarning(code, message))
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

    /// Removes the characters STX and ETX, NUL at the end, and the identifier of a symbology, such as `]Q1` (ISO/IEC 15424).
    private mutating func dropCharactersOfScanner() {
        var text = content[...].trimmingByteOrderMarks()
        let count = text.count
        let isFrame = { (byte: UInt8) in byte == 0x02 || byte == 0x03 || byte == 0x20 || (0x09...0x0D).contains(byte) }
        while let last = text.last, isFrame(last) || last == 0 { text.removeLast() }
        text = text.drop(while: isFrame)
        let identifier = Array(text.prefix(3))
        if identifier.count == 3, identifier[0] == UInt8(ascii: "]"), (0x41...0x5A).contains(identifier[1] & 0xDF),
            (0x30...0x39).contains(identifier[2]) || (0x41...0x5A).contains(identifier[2] & 0xDF)
        {
            text = text.dropFirst(3).drop(while: isFrame)
        }
        guard text.count < count else { return }
        content = Array(text)
        guard !text.isEmpty else { return }
        warn(.scannerCharacters, "there are characters of a scanner around the text, such as ]Q1, STX, ETX or NUL")
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

    init(_ content: ArraySlice<UInt8>) {
        // JSON is read as such.
        guard let first = content.first, !"{[\"".utf8.contains(first) else {
            lines = []
            return
        }
        var lines = content.split(maxSplits: Bounds.lines, omittingEmptySubsequences: false) { $0 == 0x0A }
        for place in lines.indices where lines[place].last == 0x0D { lines[place].removeLast() }
        // Carriage returns alone, or more lines than are read.
        self.lines = lines.count > Bounds.lines || lines.contains { $0.contains(0x0D) } ? [] : lines
    }

    /// The texts of cards, each in one line; nil if the content is to be read as it is.
    mutating func texts() -> [[UInt8]]? {
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
            let isWhole = !lines[end...].contains { !$0.trimmingWhiteSpace().isEmpty } && others.isEmpty
            let width = lines[place - 1].count
            let isComplete =
                kind == .jws && Self.isWholeJWS(line)
                && (line.split(separator: UInt8(ascii: ".")).last?.count ?? 0) >= 86
            while place < end {
                // In a mail, a line after the text may have the same characters. A program that wraps fills each line but the last.
                let isFilled = !isComplete && lines[place].count <= width && lines[place - 1].count == width
                guard isWhole || isFilled else { break }
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
        guard !others.contains(where: Self.mayBeCredential) else { return nil }
        // The rest of a certificate may come after an empty line.
        if first.kind == .certificate, beginsWithText,
            others.allSatisfy({ $0.allSatisfy { Self.continues(.certificate, $0) } })
        {
            return nil
        }
        return texts.map(\.text)
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
    private func endOfText(from start: Int, kind: Kind) -> Int {
        var end = start
        while end < lines.count {
            let line = kind == .certificate ? lines[end] : lines[end].trimmingWhiteSpace()
            guard !line.trimmingWhiteSpace().isEmpty,
                Self.kind(of: line).map({ $0 == .jws && !Self.isWholeJWS(line) }) ?? true,
                line.allSatisfy({ Self.continues(kind, $0) })
            else { break }
            end += 1
        }
        return end
    }

    private static func isWholeJWS(_ line: ArraySlice<UInt8>) -> Bool { line.count { $0 == UInt8(ascii: ".") } == 2 }

    private static func continues(_ kind: Kind, _ byte: UInt8) -> Bool {
        switch kind {
        case .code: (0x30...0x39).contains(byte) || byte == UInt8(ascii: "/")
        case .certificate:
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || " $%*+-./:".utf8.contains(byte)
        case .link, .jws: isOfToken(byte)
        }
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || "-_.=".utf8.contains(byte)
    }

    /// Whether a line may be a credential, or is meant as one. Then it is not skipped.
    private static func mayBeCredential(_ line: ArraySlice<UInt8>) -> Bool {
        CredentialContent(Array(line)).kind != .other || InputForm.certificatePrefix(line) != nil
    }
}
