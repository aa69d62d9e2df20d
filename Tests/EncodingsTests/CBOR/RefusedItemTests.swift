import Encodings
import TestSupport
import Testing

/// What is not well-formed is refused, with the reason and its place.
@Suite struct RefusedItemTests {
    /// RFC 8949, appendix F.1, in its order. If a length is larger than the rest, that is found first.
    private static let examples: [(String, CBORError.Reason, Int)] = [
        // The input ends in a head.
        ("18", .truncated, 1), ("19", .truncated, 1), ("1a", .truncated, 1), ("1b", .truncated, 1),
        ("1901", .truncated, 2), ("1a0102", .truncated, 3), ("1b01020304050607", .truncated, 8), ("38", .truncated, 1),
        ("58", .truncated, 1), ("78", .truncated, 1), ("98", .truncated, 1), ("9a01ff00", .truncated, 4),
        ("b8", .truncated, 1), ("d8", .truncated, 1), ("f8", .truncated, 1), ("f900", .truncated, 2),
        ("fa0000", .truncated, 3), ("fb000000", .truncated, 4),
        // A string is too short.
        ("41", .truncated, 0), ("61", .truncated, 0), ("5affffffff00", .truncated, 0),
        ("5bffffffffffffffff010203", .truncated, 0), ("7affffffff00", .truncated, 0),
        ("7b7fffffffffffffff010203", .truncated, 0),
        // An array or a map has too few items.
        ("81", .truncated, 0), ("818181818181818181", .truncated, 8), ("8200", .truncated, 0), ("a1", .truncated, 0),
        ("a20102", .truncated, 0), ("a100", .truncated, 0), ("a2000000", .truncated, 0),
        // A tag has no content.
        ("c0", .truncated, 1),
        // A break is missing.
        ("5f4100", .truncated, 3), ("7f6100", .truncated, 3), ("9f", .truncated, 1), ("9f0102", .truncated, 3),
        ("bf", .truncated, 1), ("bf01020102", .truncated, 5), ("819f", .truncated, 2), ("9f8000", .truncated, 3),
        ("9f9f9f9f9fffffffff", .truncated, 9), ("9f819f819f9fffffff", .truncated, 9),
        // Two bytes for a simple value below 32.
        ("f800", .badSimpleValue, 0), ("f801", .badSimpleValue, 0), ("f818", .badSimpleValue, 0),
        ("f81f", .badSimpleValue, 0),
        // A chunk of another type.
        ("5f00ff", .badChunk, 1), ("5f21ff", .badChunk, 1), ("5f6100ff", .badChunk, 1), ("5f80ff", .badChunk, 1),
        ("5fa0ff", .badChunk, 1), ("5fc000ff", .badChunk, 1), ("5fe0ff", .badChunk, 1), ("7f4100ff", .badChunk, 1),
        // A chunk without a length.
        ("5f5f4100ffff", .badChunk, 1), ("7f7f6100ffff", .badChunk, 1),
        // A break where none can be.
        ("ff", .strayBreak, 0), ("81ff", .strayBreak, 1), ("8200ff", .strayBreak, 2), ("a1ff", .truncated, 0),
        ("a1ff00", .strayBreak, 1), ("a100ff", .strayBreak, 2), ("a20000ff", .truncated, 0), ("9f81ff", .strayBreak, 2),
        ("9f829f819f9fffffffff", .strayBreak, 9), ("c0ff", .strayBreak, 1), ("9fc0ff", .strayBreak, 2),
        ("bf00ff", .keyWithoutValue, 2), ("bf000000ff", .keyWithoutValue, 4),
        // Numbers and tags without a number.
        ("1f", .reservedHead(0x1F), 0), ("3f", .reservedHead(0x3F), 0), ("df", .reservedHead(0xDF), 0),
    ]

    @Test(arguments: examples)
    func refusesTheExamplesOfTheRFC(_ hex: String, _ reason: CBORError.Reason, _ offset: Int) {
        let error = refusal(of: hex)
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
        #expect(error?.description.hasSuffix("(byte \(offset))") == true)
        // The same inside an array, behind another item. A break would end the array.
        if hex != "ff" { #expect(refusal(of: [0x9F, 0x00] + [UInt8](hex: hex)) != nil) }
    }

    @Test(arguments: 0..<8) func refusesReservedHeads(_ major: Int) {
        for low in 28..<31 {
            let head = UInt8(major << 5 | low)
            #expect(refusal(of: [head])?.reason == .reservedHead(head))
            #expect(refusal(of: [0x81, head])?.offset == 1)
            #expect(refusal(of: [0x5F, head])?.reason == .reservedHead(head))
        }
    }

    @Test func refusesNothingAndMoreThanOneItem() {
        #expect(refusal(of: [])?.reason == .empty)
        #expect(refusal(of: "0000")?.reason == .trailingBytes)
        #expect(refusal(of: "0000")?.offset == 1)
        #expect(refusal(of: "a0ff")?.reason == .trailingBytes)
        #expect(refusal(of: "7f6161ff00")?.offset == 4)
        #expect(refusal(of: "8101 20")?.offset == 2)
    }

    /// Overlong forms, halves of surrogate pairs, values above U+10FFFF, cut characters.
    @Test(arguments: [
        "80", "c0af", "c3", "e08080", "eda080", "edbfbf", "f08080af", "f4908080", "f8888080", "ff", "61c3",
    ])
    func refusesTextsThatAreNotUTF8(_ hex: String) {
        let content = [UInt8](hex: hex)
        let text = [0x60 | UInt8(content.count)] + content
        #expect(refusal(of: text)?.reason == .notUTF8)
        #expect(refusal(of: [0x82, 0x01] + text)?.offset == 2)
        #expect(refusal(of: [0x7F, 0x61, 0x61] + text + [0xFF])?.offset == 3)
        #expect(refusal(of: [0x40 | UInt8(content.count)] + content) == nil)
    }

    /// RFC 8949 §3.2.3: a character may not be spread over chunks.
    @Test func eachChunkIsUTF8ByItself() {
        #expect(refusal(of: "7f61c361bcff")?.reason == .notUTF8)
        #expect(refusal(of: "7f62c3bc62c3bcff") == nil)
    }

    @Test func everyPrefixOfAnItemIsRefused() {
        let made: MadeCBOR = [1: ["text", .bytes([1, 2]), .tag(0, "x")], 1000: [1.5, nil], -70_000: [["a": 1]]]
        for style in MadeCBOR.Style.allCases {
            let bytes = made.encoded(style)
            #expect(refusal(of: bytes) == nil)
            for end in bytes.indices {
                let error = refusal(of: Array(bytes[..<end]))
                #expect(error?.reason == (end == 0 ? .empty : .truncated))
                #expect((error?.offset).map { (0...end).contains($0) } == true)
            }
        }
    }
}
