import CLibraries
import Cryptography
import Testing

@Suite struct InflaterTests {
    static let text = Array(
        String(repeating: #"{"iss":"https://example.com/issuer","nbf":1622505600.5,"vc":{}}"#, count: 20).utf8)

    private static let longText = [UInt8](String(repeating: String(decoding: text, as: UTF8.self), count: 250).utf8)
    private static let longNoise = {
        var state: UInt64 = 42
        return (0..<300_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }()

    /// Bytes that do not compress. They are the same in each run.
    static func noise(_ count: Int) -> [UInt8] { Array(longNoise[..<count]) }

    private func reason(
        _ input: [UInt8], maximumSize: Int = 1 << 20, _ inflater: Inflater? = nil
    ) throws -> InflateError.Reason? {
        let inflater = try inflater ?? Inflater()
        do throws(InflateError) {
            _ = try inflater.inflate(input, maximumSize: maximumSize)
            return nil
        } catch {
            return error.reason
        }
    }

    // MARK: Valid streams

    @Test(arguments: [0, 1, 4, 6, 9], [0, 1, 2, 100, 4095, 4096, 4097, 8192, 70_000, 300_000])
    func inflatesStreamsThatZlibMade(_ level: Int32, _ count: Int) throws {
        let inflater = try Inflater()
        for bytes in [Array(Self.longText[..<count]), Self.noise(count), [UInt8](repeating: 0, count: count)] {
            let stream = ZlibStream.deflated(bytes, level: level)
            #expect(try inflater.inflate(stream, maximumSize: 1 << 20) == bytes)
        }
    }

    @Test(arguments: [Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE, Z_FILTERED])
    func inflatesEveryKindOfBlock(_ strategy: Int32) throws {
        let bytes = Self.text + Self.noise(1000)
        let stream = ZlibStream.deflated(bytes, strategy: strategy)
        #expect(try Inflater().inflate(stream, maximumSize: bytes.count) == bytes)
    }

    @Test func inflatesStoredBlocks() throws {
        let hello = Array("hello".utf8)
        #expect(try Inflater().inflate([1, 5, 0, 0xFA, 0xFF] + hello, maximumSize: 5) == hello)
        let twice = [0, 5, 0, 0xFA, 0xFF] + hello + [1, 5, 0, 0xFA, 0xFF] + hello
        #expect(try Inflater().inflate(twice, maximumSize: 10) == hello + hello)
    }

    @Test func inflatesTheEmptyStream() throws {
        #expect(try Inflater().inflate([3, 0], maximumSize: 0).isEmpty)
        #expect(try Inflater().inflate([1, 0, 0, 0xFF, 0xFF], maximumSize: 0).isEmpty)
    }

    // MARK: Incomplete streams, and streams followed by other bytes

    @Test(arguments: [0, 1, 9])
    func rejectsAStreamCutAtAnyLength(_ level: Int32) throws {
        let inflater = try Inflater()
        let stream = ZlibStream.deflated(Self.text + Self.noise(200), level: level)
        for count in 1..<stream.count {
            #expect(try reason(Array(stream[..<count]), inflater) == .truncated, "\(count) of \(stream.count)")
        }
    }

    @Test func rejectsAStreamThatIsCutAfterItsLastOutput() throws {
        // All output has been written. Only the end of the block is missing.
        let stream = ZlibStream.deflated(Self.noise(4096), level: 0)
        #expect(try reason(Array(stream.dropLast())) == .truncated)
        let unfinished = ZlibStream.deflated(Self.noise(8192), flush: Z_FULL_FLUSH)
        #expect(try reason(unfinished) == .truncated)
        #expect(try reason(unfinished, maximumSize: 8192) == .truncated)
    }

    @Test func rejectsNoBytes() throws {
        #expect(try reason([]) == .empty)
    }

    @Test(arguments: [1, 2, 4, 1000])
    func rejectsBytesAfterTheEnd(_ count: Int) throws {
        let stream = ZlibStream.deflated(Self.text)
        for byte: UInt8 in [0, 0x0A, 0xFF] {
            #expect(try reason(stream + [UInt8](repeating: byte, count: count)) == .trailingBytes(count))
        }
        #expect(try reason(stream + stream) == .trailingBytes(stream.count))
    }

    // MARK: Other data

    @Test(arguments: [
        ([7, 0], "invalid block type"), ([1, 5, 0, 0, 0], "invalid stored block lengths"),
        ([3, 2, 0], "invalid distance too far back"),
    ])
    func reportsCorruptStreamsInZlibsWords(_ input: [UInt8], _ words: String) throws {
        #expect(try reason(input) == .corrupt(words))
    }

    @Test func aChangedByteGivesAResultOrAnError() throws {
        let inflater = try Inflater()
        let stream = ZlibStream.deflated(Self.text + Self.noise(50))
        for index in stream.indices {
            for change: UInt8 in [1, 0x80, 0xFF] {
                var input = stream
                input[index] ^= change
                _ = try reason(input, maximumSize: 10_000, inflater)
            }
        }
        #expect(try inflater.inflate(stream, maximumSize: 10_000) == Self.text + Self.noise(50))
    }

    @Test(arguments: 0...9)
    func recognisesZlibsWrapper(_ level: Int32) throws {
        #expect(try reason(ZlibStream.deflated(Self.text, level: level, format: ZlibStream.zlib)) == .zlibWrapper)
    }

    @Test func recognisesGzipsWrapper() throws {
        #expect(try reason(ZlibStream.deflated(Self.text, format: ZlibStream.gzip)) == .gzipWrapper)
    }

    @Test(arguments: [
        "{}", #"{"iss":"https://example.com/issuer","nbf":1622505600}"#, " \r\n\t{}", "\u{FEFF}{}", "\u{FEFF} {", "{",
    ])
    func recognisesUncompressedJSON(_ text: String) throws {
        #expect(try reason(Array(text.utf8)) == .notCompressed)
        #expect(try reason(Array((text + String(decoding: Self.text, as: UTF8.self)).utf8)) == .notCompressed)
    }

    @Test func mistakesNoValidStreamForAnotherFormat() throws {
        // A stored block may begin with the bytes of a zlib header, since some of its bits are ignored.
        let stream: [UInt8] = [0x78, 0, 0, 0xFF, 0xFF, 3, 0]
        #expect(try Inflater().inflate(stream, maximumSize: 0).isEmpty)
        #expect(try reason(stream.dropLast()) == .truncated)
    }

    // MARK: The limit

    @Test(arguments: [1, 4095, 4096, 4097, 65_536, 100_000])
    func acceptsTheLimitButNotOneByteMore(_ count: Int) throws {
        let inflater = try Inflater()
        for bytes in [[UInt8](repeating: 7, count: count), Self.noise(count)] {
            let stream = ZlibStream.deflated(bytes)
            #expect(try inflater.inflate(stream, maximumSize: count) == bytes)
            #expect(try inflater.inflate(stream, maximumSize: .max) == bytes)
            #expect(try reason(stream, maximumSize: count - 1, inflater) == .tooLarge(limit: count - 1))
            #expect(try reason(stream, maximumSize: 0, inflater) == .tooLarge(limit: 0))
            #expect(try reason(stream, maximumSize: -1, inflater) == .tooLarge(limit: 0))
        }
    }

    @Test func stopsAtTheLimit() throws {
        // A gigabyte: a thousand times the same piece of a megabyte, which ends so that more can follow.
        let piece = ZlibStream.deflated([UInt8](repeating: 0, count: 1 << 20), flush: Z_FULL_FLUSH)
        let bomb = Array(repeatElement(piece, count: 1024).joined()) + [3, 0]
        #expect(try reason(bomb, maximumSize: 4 << 20) == .tooLarge(limit: 4 << 20))
    }

    // MARK: Reuse

    @Test func worksAfterEachFailure() throws {
        let inflater = try Inflater()
        let stream = ZlibStream.deflated(Self.text)
        let failures: [[UInt8]] = [
            [], [7], Array(stream.dropLast()), stream + [0], Array(Self.text), Array(stream.prefix(20)) + [0xFF, 0xFF],
            ZlibStream.deflated([UInt8](repeating: 0, count: 1 << 20)),
        ]
        for failure in failures {
            #expect(try reason(failure, maximumSize: Self.text.count, inflater) != nil)
            #expect(try inflater.inflate(stream, maximumSize: Self.text.count) == Self.text)
        }
    }

    @Test func keepsNoDataFromOneStreamToTheNext() throws {
        let secret = Self.noise(3000)
        let inflater = try Inflater()
        let thief = ZlibStream.deflated(secret, dictionary: secret)
        #expect(thief.count < 100)
        #expect(try inflater.inflate(ZlibStream.deflated(secret), maximumSize: 3000) == secret)
        #expect(try reason(thief, inflater) == .corrupt("invalid distance too far back"))
        #expect(try reason(Array(ZlibStream.deflated(secret).dropLast()), inflater) == .truncated)
        #expect(try reason(thief, inflater) == .corrupt("invalid distance too far back"))
    }

    @Test func describesErrorsInPlainWords() throws {
        let stream = ZlibStream.deflated(Self.text, format: ZlibStream.zlib)
        let error = #expect(throws: InflateError.self) { try Inflater().inflate(stream, maximumSize: 1 << 20) }
        #expect(
            error?.description == "the data is wrapped in zlib's format (RFC 1950), expected raw DEFLATE (RFC 1951)")
    }
}
