import TestSupport

/// Random damage to bytes, of the kinds that often cause bugs in parsers.
struct Mutation {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private static let fragments = [
        "[", "]", "{", "}", ",", ":", "\"", "\\", "\\u0061", "/", "shc:/", "shc:/1/2/", "1/3/", "\n", "\r\n", " ", "%",
        "%7B",
        "%2", "#", "://", ".", "..", "eyJ", "=", "-", "_", "\u{FEFF}", "\u{0}", "é", "99", "78", "null", "-1",
    ].map { Array($0.utf8) }

    /// The bytes with one to three random changes.
    mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...6, using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0: bytes.removeSubrange(place..<end)
        case 1: bytes.removeSubrange(place...)
        case 2: bytes.removeSubrange(..<place)
        case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 4: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
        case 5 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 6 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        default: bytes.insert(contentsOf: Self.fragments.randomElement(using: &random)!, at: place)
        }
    }
}
