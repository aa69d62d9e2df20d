import TestSupport

/// Makes random well-formed JSON texts.
struct RandomText {
    private var random: SeededGenerator
    /// White space to put between tokens.
    private let spaces: [String]

    /// - Parameter isMinified: whether there is no white space between tokens.
    init(seed: UInt64, isMinified: Bool) {
        random = SeededGenerator(seed: seed)
        spaces = isMinified ? [""] : ["", "", "", " ", "\n", "\t", "\r\n", "  \n  "]
    }

    private static let characters = [
        "a", "B", "7", " ", "/", "'", "{", "}", "[", "]", ",", ":", "é", "ß", "漢", "😀", "\u{7F}", "\u{85}", "\u{9B}",
        "\u{202E}", "\u{2028}", "\u{2066}", "\u{FEFF}", "\u{E0041}", "\u{FFFD}", "\u{10FFFF}", "\\\"", "\\\\", "\\/",
        "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0000", "\\u001b", "\\u0041", "\\u00E9", "\\u202e", "\\uD83D\\uDE00",
        "\\ud834\\uDD1e", "\\uFFFF",
    ]

    private static let numbers = [
        "0", "-0", "1", "-1", "10", "6.30", "0.0", "-0.00", "1e1", "1E+2", "1e-02", "12345678901234567890", "0.1e00",
        "9007199254740993", "-9223372036854775808", "3.141592653589793238462643383279",
    ]

    mutating func text(depth: Int = 4) -> String {
        space() + value(depth) + space()
    }

    private mutating func value(_ depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 5), using: &random) {
        case 0: "null"
        case 1: Bool.random(using: &random) ? "true" : "false"
        case 2: Self.numbers.randomElement(using: &random)!
        case 3, 4: string()
        case 5...7: array(depth)
        default: object(depth)
        }
    }

    private mutating func string(suffix: String = "") -> String {
        let length = Int.random(in: 0...6, using: &random)
        return "\"" + (0..<length).map { _ in Self.characters.randomElement(using: &random)! }.joined() + suffix + "\""
    }

    private mutating func array(_ depth: Int) -> String {
        let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in space() + value(depth - 1) + space() }
        return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
    }

    private mutating func object(_ depth: Int) -> String {
        // Each name ends in its own number, so none occurs twice.
        let members = (0..<Int.random(in: 0...4, using: &random)).map { index in
            space() + string(suffix: "#\(index)") + space() + ":" + space() + value(depth - 1) + space()
        }
        return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
    }

    private mutating func space() -> String { spaces.randomElement(using: &random)! }
}

/// Damages a text at random, in ways in which parsers often fail.
struct Mutation {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private static let fragments = [
        "[", "]", "{", "}", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\udc00", "\\u0061", "0", "-", ".", "e", "E+",
        "null", "true", "NaN", " ", "\t", "/", "\u{0}", "\u{1F}", "é", "😀", "\"a\":1,", "1,", "[]", "{}",
    ].map { Array($0.utf8) }

    /// The text with one to three places changed.
    mutating func mutate(_ text: [UInt8]) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...3, using: &random) { change(&text) }
        return text
    }

    private mutating func change(_ text: inout [UInt8]) {
        let place = Int.random(in: 0...text.count, using: &random)
        let end = min(text.count, place + Int.random(in: 1...4, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: text.removeSubrange(place..<end)
        case 1: text.removeSubrange(place...)
        case 2: text.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 3: text.insert(contentsOf: text[place..<end], at: Int.random(in: 0...text.count, using: &random))
        case 4 where place < text.count: text[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 5 where place < text.count: text[place] = UInt8.random(in: 0...255, using: &random)
        default: text.insert(contentsOf: Self.fragments.randomElement(using: &random)!, at: place)
        }
    }
}
