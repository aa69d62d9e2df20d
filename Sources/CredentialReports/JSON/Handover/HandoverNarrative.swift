import Encodings

/// The XHTML of a narrative (`text.div`), without links and pictures of the server that takes it.
///
/// What is text stays as it was signed: `href` and `src` count only as attributes of elements. If readers of XML and of HTML could
/// disagree about where these are, everything that looks like such an attribute counts.
struct HandoverNarrative {
    private let text: [UInt8]

    /// The text without `href` and `src` whose addresses are relative; nil if there are none. References to a place in the text itself
    /// (`#…`) stay.
    static func withoutLinks(_ text: [UInt8]) -> [UInt8]? {
        let narrative = HandoverNarrative(text: text)
        let (ranges, filling): ([Range<Int>], [UInt8]) =
            if let ranges = narrative.attributes { (ranges, []) } else { (narrative.lookalikes, [0x20]) }
        guard !ranges.isEmpty else { return nil }
        var (result, place): ([UInt8], Int) = ([], 0)
        for range in ranges {
            result += text[place..<range.lowerBound] + filling
            place = range.upperBound
        }
        return result + text[place...]
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D, 0x0C].contains(byte) }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte >= 0x80
            || "-_.:".utf8.contains(byte)
    }

    /// The first place from another one on where the bytes are of another kind.
    private func end(of isWanted: (UInt8) -> Bool, from start: Int) -> Int {
        text[start...].firstIndex { !isWanted($0) } ?? text.count
    }

    /// Whether an attribute has to go.
    private func isLink(_ name: Range<Int>, _ value: Range<Int>) -> Bool {
        let local = text[name].split(separator: UInt8(ascii: ":")).last.map { UTF8Text(decoding: $0).asciiLowercased }
        guard local == "href" || local == "src" else { return false }
        return text[value].first != UInt8(ascii: "#") && HandoverReference.isOfServer(UTF8Text(decoding: text[value]))
    }

    /// The places of the attributes that go, each with the white space before it; nil if the text is no well-formed XML, or has more than
    /// elements, such as comments.
    private var attributes: [Range<Int>]? {
        var found: [Range<Int>] = []
        var place = 0
        while let start = text[place...].firstIndex(of: UInt8(ascii: "<")) {
            place = start + 1
            let isEnd = place < text.count && text[place] == UInt8(ascii: "/")
            if isEnd { place += 1 }
            let name = end(of: Self.isOfName, from: place)
            guard name > place else { return nil }
            place = name
            while true {
                let space = place
                place = end(of: Self.isSpace, from: place)
                guard place < text.count else { return nil }
                if text[place] == UInt8(ascii: ">") {
                    place += 1
                    break
                }
                if text[place] == UInt8(ascii: "/"), !isEnd, text[place...].dropFirst().first == UInt8(ascii: ">") {
                    place += 2
                    break
                }
                guard !isEnd, place > space, let (name, value) = attribute(at: place) else { return nil }
                place = value.upperBound + 1
                if isLink(name, value) { found.append(space..<place) }
            }
        }
        return found
    }

    /// The name and the value of an attribute as XML has it, whose value is in quotes; nil for all others.
    private func attribute(at start: Int) -> (name: Range<Int>, value: Range<Int>)? {
        let name = start..<end(of: Self.isOfName, from: start)
        let equals = end(of: Self.isSpace, from: name.upperBound)
        guard !name.isEmpty, equals < text.count, text[equals] == UInt8(ascii: "=") else { return nil }
        let quote = end(of: Self.isSpace, from: equals + 1)
        guard quote < text.count, "\"'".utf8.contains(text[quote]),
            let end = text[(quote + 1)...].firstIndex(of: text[quote]),
            !text[quote..<end].contains(UInt8(ascii: "<"))
        else { return nil }
        return (name, (quote + 1)..<end)
    }

    /// No scheme of an address is longer, with its colon and what follows.
    private static let longestScheme = 64

    /// The places of all that looks like an attribute that has to go, wherever it stands.
    private var lookalikes: [Range<Int>] {
        var found: [Range<Int>] = []
        var place = 0
        while let equals = text[place...].firstIndex(of: UInt8(ascii: "=")) {
            let before = text[place..<equals].lastIndex { !Self.isSpace($0) }.map { $0 + 1 } ?? place
            let name = (text[place..<before].lastIndex { !Self.isOfName($0) }.map { $0 + 1 } ?? place)..<before
            place = equals + 1
            let start = end(of: Self.isSpace, from: place)
            let isQuoted = start < text.count && "\"'".utf8.contains(text[start])
            // The beginning says whether it goes. Looking for the end of each that stays would take quadratic time.
            let first = isQuoted ? start + 1 : start
            guard isLink(name, first..<min(first + Self.longestScheme, text.count)) else { continue }
            let isInside = { (byte: UInt8) in
                isQuoted ? byte != text[start] : !Self.isSpace(byte) && byte != UInt8(ascii: ">")
            }
            place = end(of: isInside, from: first)
            if isQuoted { place = min(place + 1, text.count) }
            found.append(name.lowerBound..<place)
        }
        return found
    }
}
