/// Consecutive lines of the input, as they were read.
package struct LineBlock: Sendable {
    /// The position of a line.
    package struct Line: Sendable {
        /// The range of the line in the block's bytes, without its line break; nil if the line is too long and was
        /// skipped.
        package let range: Range<Int>?
        /// The offset of the next line, in bytes from the beginning of the input.
        let end: Int
    }

    /// The sums of the input before this block and up to its end.
    struct Sums: Sendable {
        let before: InputSum
        let after: InputSum
        /// Where the block begins in its bytes.
        let begin: Int
    }

    /// The number of the first line, from 1.
    let firstLine: Int
    /// The bytes that contain the lines, and perhaps those of other blocks.
    package let bytes: [UInt8]
    /// How many of the bytes belong to this block.
    let size: Int
    package let lines: [Line]
    /// The sums at both ends; nil if none are kept.
    var sums: Sums?

    /// The maximum number of lines in a block. Handing over a block costs as much time as a line or two.
    static let maximumLines = 128
    /// The maximum number of bytes in a block, unless a single line is longer.
    static let maximumSize = 256 << 10

    /// The bytes of a line, without its line break; nil if the line is too long and was skipped.
    ///
    /// - Parameter index: the position of the line in the block.
    func content(ofLine index: Int) -> ArraySlice<UInt8>? { lines[index].range.map { bytes[$0] } }

    /// The position after the first lines of the block.
    func position(after count: Int) -> LinePosition {
        LinePosition(line: firstLine + count, offset: count > 0 ? lines[count - 1].end : 0)
    }

    /// The sum of the input before a position in the block; nil if none is kept.
    func sum(before position: LinePosition) -> InputSum? {
        guard let sums else { return nil }
        let length = position.offset - sums.before.offset
        guard position.offset < sums.after.offset else { return sums.after }
        guard length > 0 else { return sums.before }
        var sum = sums.before
        sum.add(bytes[sums.begin..<sums.begin + length])
        return sum
    }
}

/// A position in the input, between two lines.
package struct LinePosition: Sendable, Equatable {
    /// The number of the next line, from 1.
    package var line: Int
    /// The offset of the next line, in bytes from the beginning of the input.
    package var offset: Int

    package static let beginning = LinePosition(line: 1, offset: 0)
}
