internal import Cryptography

/// Pieces of a report that wait until its beginning is known. A few are kept as they are. Many are compressed, because the report on a
/// small input may be a thousand times as large.
package struct WaitingPieces {
    private var blocks: [Block] = []
    /// The pieces of the block that is not yet full, one after another.
    private var open: [UInt8] = []
    private var lengths: [Int] = []

    package init() {}

    private struct Block {
        /// In zlib's format, or unchanged if they could not be compressed.
        let bytes: [UInt8]
        let isCompressed: Bool
        /// The lengths of its pieces.
        let lengths: [Int]
    }

    /// The number of bytes at which pieces are compressed.
    static let blockSize = 1 << 20

    /// The memory that the pieces take, in bytes.
    var size: Int { open.count + blocks.reduce(0) { $0 + $1.bytes.count } }

    mutating func add(_ piece: [UInt8]) {
        open += piece
        lengths.append(piece.count)
        guard open.count >= Self.blockSize else { return }
        let stream = Deflater.deflate(open)
        blocks.append(Block(bytes: stream ?? open, isCompressed: stream != nil, lengths: lengths))
        (open, lengths) = ([], [])
    }

    /// Gives all pieces in order, one at a time.
    ///
    /// - Throws: the error of `body`; or `InflateError` if there is not enough memory.
    func each(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
        for block in blocks {
            guard block.isCompressed else {
                try Self.split(block.bytes, block.lengths, body)
                continue
            }
            let size = block.lengths.reduce(0, +)
            try Self.split(try Inflater(.zlib).inflate(block.bytes, maximumSize: size), block.lengths, body)
        }
        try Self.split(open, lengths, body)
    }

    private static func split(
        _ bytes: [UInt8], _ lengths: [Int], _ body: (ArraySlice<UInt8>) throws -> Void
    ) rethrows {
        var start = 0
        for length in lengths {
            try body(bytes[start..<start + length])
            start += length
        }
    }
}
