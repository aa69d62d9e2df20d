import SystemPackage
import TestSupport
import Testing

@testable import Bulk

/// Lines are read unchanged, however they fall on the boundaries of reads and blocks.
@Suite struct LineReaderTests {
    /// The result of reading: the lines, with nil for those that were too long.
    private struct Reading {
        var lines: [[UInt8]?] = []
        var heaviest = 0
        var largest = 0
    }

    private func read(_ input: [UInt8]) throws -> Reading {
        let folder = try TemporaryDirectory()
        let path = try folder.write(String(decoding: input, as: UTF8.self), to: "lines")
        let file = try FileDescriptor.open(FilePath(path), .readOnly)
        defer { try? file.close() }
        var reader = LineReader(file, sum: InputSum())
        var reading = Reading()
        var position = 0
        while let block = try reader.next() {
            #expect(block.firstLine == reading.lines.count + 1)
            for line in block.lines {
                reading.lines.append(line.range.map { Array(block.bytes[$0]) })
                // The line and its newline. The last line may have none.
                let length = line.range?.count ?? (line.end - position - 1)
                #expect(line.end == position + length + 1 || line.end == input.count && line.end == position + length)
                position = line.end
            }
            #expect(block.lines.count <= LineBlock.maximumLines)
            expectSums(of: block, in: input)
            reading.heaviest = max(reading.heaviest, block.size)
            reading.largest = max(reading.largest, block.bytes.count - block.size)
        }
        #expect(position == input.count)
        return reading
    }

    /// Each position in a block has the sum of the input before it.
    private func expectSums(of block: LineBlock, in input: [UInt8]) {
        for count in Set([1, block.lines.count / 2, block.lines.count]).subtracting([0]) {
            let position = block.position(after: count)
            var sum = InputSum()
            sum.add(input[..<position.offset])
            #expect(block.sum(before: position) == sum)
        }
    }

    private func expectWhole(_ lengths: [Int], endsInNewline: Bool = true) throws {
        let lines = lengths.enumerated().map { number, length in
            [UInt8](repeating: UInt8(ascii: "a") + UInt8(number % 26), count: length)
        }
        let input = Array(lines.joined(separator: [0x0A])) + (endsInNewline ? [0x0A] : [])
        let reading = try read(input)
        #expect(reading.lines == lines, "\(lengths.prefix(8))")
        // The memory that a block holds beyond its own lines.
        #expect(reading.largest <= 64 << 10)
    }

    @Test func readsLinesAroundTheReadSize() throws {
        for size in [32 << 10, 64 << 10, 96 << 10, 256 << 10, 1 << 20] {
            for length in [size - 2, size - 1, size, size + 1] {
                for after in [[], [0], [1, 0, 5], [Int](repeating: 0, count: 300)] {
                    try expectWhole([length] + after)
                    try expectWhole([3, length] + after + [4], endsInNewline: false)
                }
            }
        }
    }

    @Test func readsManyLinesOfOneLength() throws {
        try expectWhole([Int](repeating: 0, count: 100_000))
        for length in [1, 127, 800, 5000, 33_000, 70_000] {
            try expectWhole(
                [Int](repeating: length, count: 3_000_000 / length.advanced(by: 100)), endsInNewline: length > 127)
        }
    }

    @Test func readsLinesOfRandomLengths() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            let lengths = (0..<200).map { _ in Int.random(in: 0...(1 << Int.random(in: 0...17)), using: &random) }
            try expectWhole(lengths)
        }
    }

    @Test func skipsLongLinesAndKeepsOthers() throws {
        let limit = LineReader.maximumLine
        let lines: [[UInt8]] = [limit, 5, limit + 1, 0, limit + 40_000, 7].map { [UInt8](repeating: 0x61, count: $0) }
        let reading = try read(Array(lines.joined(separator: [0x0A])))
        #expect(reading.lines.map { $0?.count } == [limit, 5, nil, 0, nil, 7])
        #expect(reading.largest <= 64 << 10)
    }

    @Test func emptyInputHasNoLine() throws {
        #expect(try read([]).lines.isEmpty)
        #expect(try read([0x0A]).lines == [[]])
        #expect(try read([0x0A, 0x0A]).lines == [[], []])
    }
}
