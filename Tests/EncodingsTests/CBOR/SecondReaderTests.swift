import Encodings
import TestSupport
import Testing

/// The parser agrees with a second reader, which is written in another way, on what to accept and on the values.
@Suite struct SecondReaderTests {
    private func compare(_ bytes: [UInt8], depth: Int = 32, items: Int = 20_000) {
        let plain = PlainCBOR.read(bytes, maximumDepth: depth, maximumItems: items)
        do throws(CBORError) {
            let value = try CBORDocument.parse(bytes, maximumDepth: depth, maximumItems: items)
            guard plain?.isSame(as: value) != true else { return }
            Issue.record("the second reader \(plain == nil ? "refuses" : "reads another value from") \(bytes.hex)")
        } catch {
            if !(0...bytes.count).contains(error.offset) { Issue.record("the offset is outside: \(bytes.hex)") }
            if plain != nil { Issue.record("refused, though the second reader accepts it: \(bytes.hex): \(error)") }
        }
    }

    @Test func agreeOnAllTextsOfTwoBytes() {
        for first in UInt8.min...UInt8.max {
            compare([first])
            for second in UInt8.min...UInt8.max { compare([first, second]) }
        }
    }

    /// Heads that lead on, so that random bytes often make an item.
    private static let likely: [UInt8] = [
        0x00, 0x01, 0x17, 0x18, 0x19, 0x20, 0x38, 0x40, 0x41, 0x42, 0x58, 0x5F, 0x60, 0x61, 0x62, 0x78, 0x7F, 0x80,
        0x81,
        0x82, 0x98, 0x9F, 0xA0, 0xA1, 0xA2, 0xA3, 0xB8, 0xBF, 0xC0, 0xC1, 0xD8, 0xE0, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8,
        0xF9,
        0xFA, 0xFF, 0xFF, 0xFF,
    ]

    @Test(arguments: 0..<8) func agreeOnRandomBytes(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 1...14, using: &random)).map { _ in
                Int.random(in: 0..<8, using: &random) == 0
                    ? UInt8.random(in: 0...255, using: &random) : Self.likely.randomElement(using: &random) ?? 0
            }
            compare(bytes, depth: Int.random(in: 0...6, using: &random), items: Int.random(in: 1...14, using: &random))
        }
    }

    @Test(arguments: 0..<8) func agreeOnDamagedItems(_ seed: UInt64) {
        var random = SeededGenerator(seed: 100 + seed)
        let made: MadeCBOR = [
            1: "XA", 4: 1_673_352_000, -260: [1: ["v": [["dn": 1, "mp": "EU/1", "ok": 1.5]], "nam": ["fn": "Mü"]]],
            ["a": [:], [1]: .bytes([1])]: .tag(0, "x"), .tag(2, .bytes([1])): [nil, true],
        ]
        for style in MadeCBOR.Style.allCases {
            let whole = made.encoded(style)
            compare(whole)
            for _ in 0..<2_000 {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[place] = Self.likely.randomElement(using: &random) ?? 0
                    case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                    case 2: bytes.insert(Self.likely.randomElement(using: &random) ?? 0, at: place)
                    default: bytes.remove(at: place)
                    }
                }
                compare(bytes)
            }
        }
    }
}
