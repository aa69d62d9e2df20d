import CLibraries
import Cryptography
import Testing

/// Streams in zlib's format (RFC 1950).
@Suite struct ZlibFormatTests {
    private static let text = InflaterTests.text

    private func error(
        _ input: [UInt8], maximumSize: Int = 1 << 20, _ inflater: Inflater? = nil
    ) throws -> InflateError? {
        let inflater = try inflater ?? Inflater(.zlib)
        do throws(InflateError) {
            _ = try inflater.inflate(input, maximumSize: maximumSize)
            return nil
        } catch {
            return error
        }
    }

    private static func deflated(
        _ bytes: [UInt8], level: Int32 = 9, windowBits: Int32 = ZlibStream.zlib, dictionary: [UInt8] = []
    ) -> [UInt8] {
        ZlibStream.deflated(bytes, level: level, format: windowBits, dictionary: dictionary)
    }

    @Test(arguments: [0, 1, 6, 9], [9, 12, 15])
    func inflatesStreamsOfAnyWindow(_ level: Int32, _ windowBits: Int32) throws {
        let inflater = try Inflater(.zlib)
        for count in [0, 1, 4096, 16_383, 16_384, 70_000] {
            for bytes in [InflaterTests.noise(count), [UInt8](repeating: 7, count: count)] {
                let stream = Self.deflated(bytes, level: level, windowBits: windowBits)
                #expect(try inflater.inflate(stream, maximumSize: count) == bytes)
                if count > 0 {
                    #expect(try error(stream, maximumSize: count - 1, inflater)?.reason == .tooLarge(limit: count - 1))
                }
            }
        }
    }

    @Test func rejectsAStreamCutAtAnyLength() throws {
        let inflater = try Inflater(.zlib)
        let stream = Self.deflated(Self.text)
        for count in 1..<stream.count {
            #expect(try error(Array(stream[..<count]), inflater)?.reason == .truncated, "\(count) of \(stream.count)")
        }
        #expect(try error([], inflater)?.reason == .empty)
    }

    @Test(arguments: [1, 2, 1000])
    func rejectsBytesAfterTheEnd(_ count: Int) throws {
        let stream = Self.deflated(Self.text)
        #expect(try error(stream + [UInt8](repeating: 0, count: count))?.reason == .trailingBytes(count))
        #expect(try error(stream + stream)?.reason == .trailingBytes(stream.count))
    }

    @Test func checksTheChecksum() throws {
        for bytes in [Self.text, InflaterTests.noise(50_000)] {
            let stream = Self.deflated(bytes)
            for index in stream.indices.suffix(4) {
                var changed = stream
                changed[index] ^= 1
                #expect(try error(changed)?.reason == .corrupt("incorrect data check"))
            }
            // Without the checksum, and as raw DEFLATE with a header that fits no stream.
            #expect(try error(stream.dropLast(4))?.reason == .truncated)
        }
    }

    @Test func rejectsAPresetDictionary() throws {
        let stream = Self.deflated(Self.text, dictionary: Self.text)
        #expect(stream[1] & 0x20 != 0)
        let error = try error(stream)
        #expect(error?.reason == .presetDictionary)
        #expect(error?.description == "the compressed data needs a preset dictionary, and there is none")
    }

    @Test func recognisesOtherFormats() throws {
        #expect(try error(ZlibStream.deflated(Self.text, format: ZlibStream.gzip))?.reason == .gzipWrapper)
        for level: Int32 in 0...9 {
            #expect(try error(ZlibStream.deflated(Self.text, level: level))?.reason == .rawDeflate, "\(level)")
        }
        for input in [Self.text, [0xD2, 0x84, 0x43, 0xA1], [0x84, 0x40], [0xD8, 0x3D, 0xD2, 0x84]] {
            #expect(try error(input)?.reason == .notCompressed)
        }
        #expect(try error([0x20, 0x20])?.reason == .corrupt("incorrect header check"))
        // Level 6 with a window of 64 KiB, which does not exist.
        #expect(try error([0x88, 0x1C, 3, 0, 0, 0, 0, 1])?.reason == .corrupt("invalid window size"))
    }

    @Test func describesErrorsInWordsOfTheFormat() throws {
        #expect(
            try error(ZlibStream.deflated(Self.text))?.description
                == "the data is raw DEFLATE (RFC 1951), expected zlib's format (RFC 1950)")
        #expect(
            try error(ZlibStream.deflated(Self.text, format: ZlibStream.gzip))?.description
                == "the data is wrapped in gzip's format (RFC 1952), expected zlib's format (RFC 1950)")
        #expect(
            try error([0xD2, 0x84, 0x43, 0xA1])?.description
                == "the data was not compressed, expected zlib's format (RFC 1950)")
        #expect(
            try error([0x20, 0x20])?.description == "not zlib's format (RFC 1950): incorrect header check")
        #expect(try error(Self.text, Inflater())?.format == .raw)
    }

    @Test func worksAfterEachFailure() throws {
        let inflater = try Inflater(.zlib)
        let stream = Self.deflated(Self.text)
        let failures: [[UInt8]] = [
            [], [7], Array(stream.dropLast()), stream + [0], Self.text, Array(stream.prefix(20)) + [0xFF, 0xFF],
            Self.deflated([UInt8](repeating: 0, count: 1 << 20)), Self.deflated(Self.text, dictionary: Self.text),
            ZlibStream.deflated(Self.text), ZlibStream.deflated(Self.text, format: ZlibStream.gzip),
        ]
        for failure in failures {
            #expect(try error(failure, maximumSize: Self.text.count, inflater) != nil)
            #expect(try inflater.inflate(stream, maximumSize: Self.text.count) == Self.text)
        }
    }

    @Test func aChangedByteChangesNoResult() throws {
        let inflater = try Inflater(.zlib)
        let bytes = Self.text + InflaterTests.noise(50)
        let stream = Self.deflated(bytes)
        var accepted = 0
        for index in stream.indices.dropFirst(2) {
            for bit in 0..<8 {
                var input = stream
                input[index] ^= 1 << bit
                // The bits that fill the last byte before the checksum mean nothing.
                guard let result = try? inflater.inflate(input, maximumSize: 10_000) else { continue }
                #expect(result == bytes && index == stream.count - 5, "byte \(index)")
                accepted += 1
            }
        }
        #expect(accepted < 8)
    }
}
