/// Damage to a text, at random: the kinds that turn up in parsers' bug lists.
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
