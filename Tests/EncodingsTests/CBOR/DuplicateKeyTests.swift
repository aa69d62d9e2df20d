import Encodings
import TestSupport
import Testing

/// No map has the same key twice, however the key is written. Two readers could read two values.
@Suite struct DuplicateKeyTests {
    /// Ways to write the same key, in hexadecimal.
    static let sameKeys: [[String]] = [
        ["00", "1800", "190000", "1a00000000", "1b0000000000000000"], ["17", "1817"], ["1818", "190018"],
        ["20", "3800", "3b0000000000000000"], ["1bffffffffffffffff", "1bffffffffffffffff"],
        ["60", "7fff", "7800", "7f60ff", "7f6060ff"], ["6161", "780161", "7f6161ff", "7f606161ff", "7f616160ff"],
        ["626162", "7f61616162ff", "7f626162ff"], ["40", "5fff", "5800"], ["420102", "5f41014102ff", "590002 0102"],
        ["80", "9fff", "9800"], ["820001", "9f0001ff", "82180019 0001"], ["8160", "9f7fffff"],
        ["a0", "bfff", "b800"], ["a201020304", "a203040102", "bf03040102ff", "a2180319 00040102"],
        ["a1a2010203040 5", "a1a2030401020 5"], ["a16161a26162016163 02", "a16161a26163026162 01"],
        ["c000", "d80000", "d9000018 00"], ["c18100", "c19f00ff"], ["f4", "f4"], ["f5", "f5"], ["f6", "f6"],
        ["f7", "f7"],
        ["e0", "e0"], ["f0", "f0"], ["f820", "f820"], ["f8ff", "f8ff"],
        ["f90000", "fa00000000", "fb0000000000000000"], ["f98000", "fa80000000", "fb8000000000000000"],
        ["f93c00", "fa3f800000", "fb3ff0000000000000"], ["f97c00", "fa7f800000", "fb7ff0000000000000"],
        ["f97e00", "f97e01", "f9fe00", "fa7fc00000", "fb7ff8000000000000", "fb7ff0000000000001"],
        ["f90001", "fa33800000", "fb3e70000000000000"],
    ]

    private static func map(_ keys: [[UInt8]], isIndefinite: Bool = false) -> [UInt8] {
        let members = keys.reduce(into: [UInt8]()) { $0 += $1 + [0xF6] }
        guard !isIndefinite else { return [0xBF] + members + [0xFF] }
        return [0xB9, UInt8(keys.count >> 8), UInt8(keys.count & 255)] + members
    }

    @Test(arguments: sameKeys) func refusesTheSecondKeyInAnyForm(_ forms: [String]) {
        for (place, form) in forms.enumerated() {
            let (first, second) = (forms[place == 0 ? forms.count - 1 : place - 1], form)
            let keys = [[UInt8](hex: first), [UInt8](hex: second)]
            let definite = refusal(of: Self.map(keys))
            #expect(definite?.reason == .duplicateKey)
            #expect(definite?.offset == 3 + keys[0].count + 1)
            let indefinite = refusal(of: Self.map(keys, isIndefinite: true))
            #expect(indefinite?.reason == .duplicateKey)
            #expect(indefinite?.offset == 1 + keys[0].count + 1)
            // With other keys between them.
            let apart = refusal(of: Self.map([keys[0], [0x63, 1, 1, 1], [0x3A, 1, 1, 1, 1], keys[1]]))
            #expect(apart?.reason == .duplicateKey)
            #expect(apart?.offset == 3 + keys[0].count + 1 + 5 + 6)
        }
    }

    @Test(arguments: sameKeys.map { $0[0] }) func findsADuplicateAtAnyDepth(_ key: String) {
        let bad = Self.map([[UInt8](hex: key), [UInt8](hex: key)])
        let around: [([UInt8], [UInt8])] = [
            ([0x81], []), ([0x9F, 0x01], [0xFF]), ([0xC0], []), ([0xA1, 0x01], []), ([0xA1], [0x01]),
            ([0xBF, 0x01], [0xFF]), ([0xA1, 0x81], [0x01]), ([0x83, 0xA1, 0x01, 0x02, 0xD8, 0x63, 0x81], [0x00]),
            (Array(repeating: 0x81, count: 28), []),
        ]
        for (before, after) in around {
            let error = refusal(of: before + bad + after)
            #expect(error?.reason == .duplicateKey)
            #expect(error?.offset == before.count + 3 + [UInt8](hex: key).count + 1)
        }
    }

    /// Each of these keys has another value than all others. They are in one map.
    @Test func keysOfOtherValuesAreOtherKeys() {
        let keys = Self.sameKeys.map { [UInt8](hex: $0[0]) }
        #expect(refusal(of: Self.map(keys)) == nil)
        #expect(refusal(of: Self.map(keys.reversed(), isIndefinite: true)) == nil)
        for (place, forms) in Self.sameKeys.enumerated() {
            let error = refusal(of: Self.map(keys + [[UInt8](hex: forms.last ?? "")]))
            #expect(error?.reason == .duplicateKey, "\(place)")
        }
    }

    @Test(arguments: [
        "a2 00 f6 20 f6", "a2 00 f6 f90000 f6", "a2 f90000 f6 f98000 f6", "a2 6130 f6 00 f6", "a2 6161 f6 4161 f6",
        "a2 f4 f6 f5 f6", "a2 f6 f6 f7 f6", "a2 80 f6 a0 f6", "a2 8100 f6 00 f6", "a2 8101 f6 820100 f6",
        "a2 c000 f6 c100 f6", "a2 c000 f6 00 f6", "a2 c24101 f6 01 f6", "a2 e0 f6 00 f6", "a2 62c3bc f6 6375cc88 f6",
        "a2 6141 f6 6161 f6", "a2 60 f6 6100 f6", "a2 8261616162 f6 81626162 f6", "a2 a10102 f6 a10201 f6",
        "a2 a1010 2 f6 a10103 f6", "a2 420102 f6 824101 4102 f6",
    ])
    func similarKeysAreOtherKeys(_ hex: String) {
        #expect(refusal(of: hex) == nil)
    }

    /// Few integers are compared in another way than many, and than other keys.
    @Test(arguments: [2, 3, 15, 16, 17, 18, 100, 1000])
    func findsADuplicateAmongKeysOfAnyNumber(_ count: Int) {
        for make in [
            { (number: Int) in MadeCBOR.integer(Int64(number)) }, { MadeCBOR.integer(-1 - Int64($0)) },
            { MadeCBOR.integer(Int64($0) * ($0 % 2 == 0 ? 1 : -1)) }, { MadeCBOR.text("k\($0)") },
            { MadeCBOR.array([.integer(Int64($0))]) },
        ] {
            let keys = (0..<count - 1).map { make($0).encoded() }
            #expect(refusal(of: Self.map(keys)) == nil)
            for again in Set([0, count / 2, count - 2]) where again < keys.count {
                for style in MadeCBOR.Style.allCases {
                    let error = refusal(of: Self.map(keys + [make(again).encoded(style)]))
                    #expect(error?.reason == .duplicateKey)
                    #expect(error?.offset == 3 + keys.joined().count + keys.count)
                }
            }
        }
    }

    @Test func equalKeysOfDifferentMapsAreAllowed() {
        #expect(refusal(of: "82 a101f6 a101f6") == nil)
        #expect(refusal(of: "a1 01 a1 01 a1 01 f6") == nil)
        #expect(refusal(of: "a2 a101f6 a101f6 01 a101f6") == nil)
    }

    /// Only a member that is there twice in the very same encoding may be read, and only if the reader asks for it.
    @Test func onlyEqualMembersMayBeRepeated() throws {
        // {"a": 0, "a": 0}, the second value 1, the second value 0 in two bytes, and a map with both inside of another.
        let equal: [UInt8] = [0xA2, 0x61, 0x61, 0x00, 0x61, 0x61, 0x00]
        #expect(try CBORDocument.parse(withRepetitions: equal)["a"]?.integer == 0)
        #expect(throws: CBORError.self) { try CBORDocument.parse(equal) }
        for other: [UInt8] in [
            [0xA2, 0x61, 0x61, 0x00, 0x61, 0x61, 0x01], [0xA2, 0x61, 0x61, 0x00, 0x61, 0x61, 0x18, 0x00],
            [0xA2, 0x61, 0x61, 0x00, 0x78, 0x01, 0x61, 0x00],
            [0xA1, 0x00, 0xA2, 0x61, 0x61, 0x00, 0x61, 0x61, 0x01],
        ] {
            #expect(throws: CBORError.self) { try CBORDocument.parse(withRepetitions: other) }
        }
        #expect(throws: CBORError.self) { try CBORDocument.parse(withRepetitions: equal + [0]) }
    }
}
