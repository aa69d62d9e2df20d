/// The answer of `shcverify-scan` to the task to find codes.
///
/// It is lines of text with a last line `end`. If that line is missing, the program did not finish.
package struct ScanAnswer: Sendable, Equatable {
    /// The pages that were looked at, in their order.
    package var pages: [Page] = []
    /// The codes that were read.
    package var codes: [Code] = []
    /// Why a page could not be read, or not completely; nil if there was no problem.
    package var problem: Problem?

    /// A page, or a picture without pages.
    package struct Page: Sendable, Equatable {
        /// The number of the page in the picture, from 0.
        package let number: Int
        /// The width in pixels, as a viewer shows the page.
        package let width: Int
        /// The height in pixels, as a viewer shows the page.
        package let height: Int
        /// The number of codes that were seen, but could not be read.
        package let unreadCodes: Int

        package init(number: Int, width: Int, height: Int, unreadCodes: Int) {
            self.number = number
            self.width = width
            self.height = height
            self.unreadCodes = unreadCodes
        }
    }

    /// A QR code that was read.
    package struct Code: Sendable, Equatable {
        /// The number of the page, from 0.
        package let page: Int
        /// The text of the code.
        package let text: [UInt8]
        /// The corners: top left, top right, bottom right and bottom left, as the code is read.
        package let corners: [PixelPoint]
        /// The properties of the symbol; nil if the decoder does not tell them.
        package let symbol: QRSymbol?

        package init(page: Int, text: [UInt8], corners: [PixelPoint], symbol: QRSymbol?) {
            self.page = page
            self.text = text
            self.corners = corners
            self.symbol = symbol
        }
    }

    /// Why a page could not be read, or not completely.
    package enum Problem: String, Sendable {
        /// The data is damaged. If some of it can be read, the page was searched for codes.
        case damaged
        /// The picture has too many pixels or needs too much memory.
        case tooLarge = "too-large"
        /// The format, or a feature of it, is not read.
        case unsupported
        /// A page cannot be decoded at all, so it may have codes that were not seen.
        case pageUnreadable = "page-unreadable"
        /// There are more pages than were asked for.
        case morePages = "more-pages"
        /// There are more codes than the limit.
        case tooManyCodes = "too-many-codes"
        /// Two ways of reading gave different texts for one code, so that code was left out.
        case ambiguous
        /// A part of the only code lies outside the picture.
        case cutOff = "cut-off"
        /// Not all passes were made, because the time was up.
        case outOfTime = "out-of-time"
    }

    package init() {}

    /// Notes a problem. If there are several, the one that matters most is kept: codes may be missing unseen.
    package mutating func note(_ other: Problem) {
        let order: [Problem] = [
            .tooManyCodes, .morePages, .tooLarge, .unsupported, .pageUnreadable, .ambiguous, .damaged, .cutOff,
            .outOfTime,
        ]
        let rank = { (problem: Problem) in order.firstIndex(of: problem) ?? 0 }
        if problem.map({ rank(other) < rank($0) }) ?? true { problem = other }
    }

    /// The largest number of codes in an answer.
    package static let mostCodes = 64
    /// The largest size of a code's text: the capacity of a QR code of version 40 in decimal digits, and some more.
    package static let longestText = 8192
    /// The length that an answer cannot exceed, in bytes.
    package static let longestAnswer = mostCodes * (2 * longestText + 1024) + 65536
}

// MARK: The wire form

extension ScanAnswer {
    /// The bytes of the answer.
    package var wireForm: [UInt8] {
        var lines: [String] = pages.map { "page \($0.number) \($0.width) \($0.height) \($0.unreadCodes)" }
        for code in codes {
            let corners = code.corners.map { "\($0.x) \($0.y)" }.joined(separator: " ")
            lines.append("code \(code.page) \(corners) \(code.symbol.map(Self.words) ?? "-") \(Self.hex(code.text))")
        }
        if let problem { lines.append("problem \(problem.rawValue)") }
        return Array((lines + ["end", ""]).joined(separator: "\n").utf8)
    }

    private static func words(_ symbol: QRSymbol) -> String {
        let segments = symbol.segments.map { "\(Character(Unicode.Scalar($0.mode.rawValue)))\($0.count)" }
        let quietZone = symbol.hasQuietZone.map { $0 ? "1" : "0" } ?? "?"
        return "\(symbol.version),\(Character(Unicode.Scalar(symbol.errorCorrection))),\(quietZone),"
            + segments.joined(separator: "+")
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Reads an answer; nil if it is not complete and correct. The program that wrote it is not trusted.
    package init?(wireForm: [UInt8]) {
        self.init()
        guard wireForm.count <= Self.longestAnswer else { return nil }
        var lines = wireForm.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.popLast()?.isEmpty == true, lines.popLast()?.elementsEqual("end".utf8) == true else { return nil }
        for line in lines {
            let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
            let isRead =
                switch words.first.map({ String(decoding: $0, as: UTF8.self) }) {
                case "page": readPage(words)
                case "code": readCode(words)
                case "problem": readProblem(words)
                default: false
                }
            guard isRead else { return nil }
        }
    }

    private mutating func readPage(_ words: [ArraySlice<UInt8>]) -> Bool {
        let numbers = words.dropFirst().compactMap(Self.number)
        guard words.count == 5, numbers.count == 4, pages.count < 1000, numbers.allSatisfy({ $0 >= 0 }) else {
            return false
        }
        pages.append(Page(number: numbers[0], width: numbers[1], height: numbers[2], unreadCodes: numbers[3]))
        return true
    }

    private mutating func readCode(_ words: [ArraySlice<UInt8>]) -> Bool {
        guard words.count == 12, codes.count < Self.mostCodes else { return false }
        let numbers = words[1...9].compactMap(Self.number)
        guard numbers.count == 9, numbers[0] >= 0, let text = Self.bytes(ofHex: words[11]),
            text.count <= Self.longestText
        else { return false }
        var symbol: QRSymbol?
        if !words[10].elementsEqual("-".utf8) {
            guard let read = Self.symbol(words[10]) else { return false }
            symbol = read
        }
        let corners = stride(from: 1, to: 9, by: 2).map { PixelPoint(x: numbers[$0], y: numbers[$0 + 1]) }
        codes.append(Code(page: numbers[0], text: text, corners: corners, symbol: symbol))
        return true
    }

    private mutating func readProblem(_ words: [ArraySlice<UInt8>]) -> Bool {
        guard words.count == 2, problem == nil else { return false }
        problem = Problem(rawValue: String(decoding: words[1], as: UTF8.self))
        return problem != nil
    }

    private static func symbol(_ text: ArraySlice<UInt8>) -> QRSymbol? {
        let parts = text.split(separator: 0x2C, omittingEmptySubsequences: false)
        guard parts.count == 4, let version = number(parts[0]), (1...40).contains(version), parts[1].count == 1,
            let level = parts[1].first, "LMQH".utf8.contains(level), parts[2].count == 1, let quiet = parts[2].first,
            "01?".utf8.contains(quiet)
        else { return nil }
        let segments = parts[3].split(separator: 0x2B).map { part -> QRSegment? in
            guard let mode = part.first.flatMap(QRSegment.Mode.init(rawValue:)), let count = number(part.dropFirst()),
                (0...longestText).contains(count)
            else { return nil }
            return QRSegment(mode, count: count)
        }
        guard segments.count <= 256, segments.allSatisfy({ $0 != nil }) else { return nil }
        return QRSymbol(
            version: version, errorCorrection: level, segments: segments.compactMap(\.self),
            hasQuietZone: quiet == UInt8(ascii: "?") ? nil : quiet == UInt8(ascii: "1"))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(digits.count) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    private static func bytes(ofHex digits: ArraySlice<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case 0x30...0x39: value = digit - 0x30
            case 0x61...0x66: value = digit - 0x57
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }
}
