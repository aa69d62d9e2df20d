import Encodings
import TestSupport
import Testing

/// The limits hold, and hostile bytes take neither much memory nor much time.
@Suite struct CBORBoundsTests {
    private func nested(_ depth: Int, _ open: [UInt8], _ inside: [UInt8], _ close: [UInt8] = []) -> [UInt8] {
        Array([[UInt8]](repeating: open, count: depth).joined()) + inside
            + Array([[UInt8]](repeating: close, count: depth).joined())
    }

    @Test func theLimitsAreThoseOfTheSpecification() {
        #expect(CBORDocument.defaultMaximumDepth == 32)
        #expect(CBORDocument.defaultMaximumItems == 20_000)
    }

    /// Arrays, maps in values, maps in keys, and tags count, with and without a length.
    @Test(
        arguments: [
            ([0x81], [0x00], []), ([0x9F], [0x00], [0xFF]), ([0xA1, 0x00], [0x00], []), ([0xA1], [0x00], [0x00]),
            ([0xBF, 0x00], [0x00], [0xFF]), ([0xC0], [0x00], []), ([0xD8, 0x3D], [0x00], []),
        ] as [([UInt8], [UInt8], [UInt8])])
    func acceptsNestingAtTheBoundAndRefusesOneMore(_ open: [UInt8], _ inside: [UInt8], _ close: [UInt8]) {
        for depth in [0, 1, 7, 32, 256] {
            #expect(refusal(of: nested(depth, open, inside, close), maximumDepth: depth) == nil)
            let error = refusal(of: nested(depth + 1, open, inside, close), maximumDepth: depth)
            #expect(error?.reason == .tooDeep(limit: depth))
            #expect(error?.offset == depth * open.count)
        }
        #expect(refusal(of: nested(32, open, inside, close)) == nil)
        #expect(refusal(of: nested(33, open, inside, close))?.reason == .tooDeep(limit: 32))
    }

    @Test(arguments: [[0x80], [0xA0], [0x9F, 0xFF], [0xBF, 0xFF]] as [[UInt8]])
    func emptyContainersCountToo(_ inside: [UInt8]) {
        #expect(refusal(of: nested(31, [0x81], inside)) == nil)
        #expect(refusal(of: nested(32, [0x81], inside))?.reason == .tooDeep(limit: 32))
    }

    /// A larger limit would let the recursion of readers become deep.
    @Test func noCallerGetsMoreThan256Levels() {
        #expect(refusal(of: nested(257, [0x81], [0]), maximumDepth: 1000)?.reason == .tooDeep(limit: 256))
    }

    @Test(arguments: [[0x9F], [0x81], [0xC0], [0xBF, 0x00], [0xA1, 0x00], [0xBF], [0xA1]] as [[UInt8]])
    func refusesAMillionOpenings(_ open: [UInt8]) {
        #expect(refusal(of: nested(1_000_000, open, []))?.reason == .tooDeep(limit: 32))
    }

    @Test func countsItemsOfAllLevels() {
        let array: (Int) -> [UInt8] = { [0x9F] + [UInt8](repeating: 0, count: $0) + [0xFF] }
        #expect(refusal(of: array(19_999)) == nil)
        #expect(refusal(of: array(20_000))?.reason == .tooManyItems(limit: 20_000))
        #expect(refusal(of: array(20_000))?.offset == 20_000)
        for (hex, count) in [
            ("00", 1), ("820102", 3), ("a10102", 3), ("c1 1864", 2), ("7f61616162ff", 3), ("a1c0008100", 5),
        ] {
            let bytes = [UInt8](hex: hex)
            #expect(refusal(of: bytes, maximumItems: count) == nil)
            #expect(refusal(of: bytes, maximumItems: count - 1)?.reason == .tooManyItems(limit: count - 1))
        }
        let chunks = [0x5F] + [UInt8](repeating: 0x40, count: 1_000_000) + [0xFF]
        #expect(refusal(of: chunks)?.reason == .tooManyItems(limit: 20_000))
    }

    /// The memory of such lengths does not exist, so taking it would end the test.
    @Test(arguments: [0x40, 0x60, 0x80, 0xA0] as [UInt8], [24, 25, 26, 27] as [UInt8])
    func refusesLengthsBeyondTheInput(_ major: UInt8, _ low: UInt8) {
        let size = 1 << Int(low - 24)
        let lengths = [
            [UInt8](repeating: 0xFF, count: size), [0x7F] + [UInt8](repeating: 0xFF, count: size - 1),
            [0x80] + [UInt8](repeating: 0, count: size - 1),
        ]
        for length in lengths {
            let bytes = [major | low] + length + [0x00, 0x00]
            #expect(refusal(of: bytes)?.reason == .truncated)
            #expect(refusal(of: bytes)?.offset == 0)
            #expect(refusal(of: [0x9F] + bytes)?.offset == 1)
            #expect(refusal(of: [0x5F] + bytes)?.reason == (major == 0x40 ? .truncated : .badChunk))
        }
    }

    @Test func aStringMayFillTheInput() throws {
        let bytes = [0x5A, 0x00, 0x10, 0x00, 0x00] + [UInt8](repeating: 7, count: 1 << 20)
        #expect(try CBORDocument.parse(bytes).byteString?.count == 1 << 20)
        #expect(refusal(of: Array(bytes.dropLast()))?.reason == .truncated)
        #expect(refusal(of: bytes + [0])?.reason == .trailingBytes)
    }

    /// Keys that are maps, whose keys are maps, and so on, around a long string. Comparing keys must not copy it again for
    /// each pair of levels.
    @Test func comparesLargeNestedKeysInTime() {
        for string: [UInt8] in [[0x5A, 0x00, 0x20, 0x00, 0x00], [0x7A, 0x00, 0x20, 0x00, 0x00]] {
            let large = string + [UInt8](repeating: 0x61, count: 1 << 21)
            var bytes = large
            for _ in 0..<31 { bytes = [0xA2] + bytes + [0x00, 0x01, 0x00] }
            let time = processorTime { #expect(refusal(of: bytes) == nil) }
            #expect(time < .seconds(20), "\(time)")
        }
    }

    /// Many keys with nearly the same content.
    @Test func comparesManyKeysInTime() {
        let keys = (0..<9_990).map { MadeCBOR.text("\($0)" + String(repeating: "a", count: 200)) }
        let map = MadeCBOR.map(keys.map { ($0, nil) }).encoded()
        let doubled = MadeCBOR.map((keys + [keys[5000]]).map { ($0, nil) }).encoded()
        let time = processorTime {
            #expect(refusal(of: map) == nil)
            #expect(refusal(of: doubled)?.reason == .duplicateKey)
        }
        #expect(time < .seconds(60), "\(time)")
    }
}
