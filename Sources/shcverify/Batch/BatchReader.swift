import Glibc
import SMARTHealthCards
import SystemPackage

/// Reads lines, as many at a time as there are.
///
/// No more than a block is held, or one line up to its bound; what of a longer line is past that is skipped.
struct BatchReader {
    private let file: FileDescriptor
    /// What was read; from `start` on it was not handed out. What was may be in the hands of blocks, who share it.
    private var buffer: [UInt8] = []
    private var start = 0
    /// How far it has been searched for the end of a line.
    private var searched = 0
    /// Whether what is read belongs to a line that is too long.
    private var isSkipping = false
    private var isAtEnd = false
    /// Whether the lines that were handed out last had not been there when they were asked for.
    private(set) var hadToWait = false
    /// The place of what is in the buffer.
    private var place: BatchPlace

    /// - Parameters:
    ///   - file: what to read from, positioned at `place`.
    ///   - place: the place of the first line there.
    init(_ file: FileDescriptor, at place: BatchPlace = .beginning) {
        self.file = file
        self.place = place
    }

    /// How many bytes a line may have: as many as an input, with what surrounds the card.
    static let maximumLine = Bounds.inputSize + 16

    /// How many bytes are read at a time: some forty cards, which with what is made of them stay in a processor's cache.
    private static let readSize = 32 << 10
    /// Up to how many bytes blocks share what was read. A block that has to wait holds no more than this beside its lines.
    private static let sharedSize = 2 * readSize

    /// Skips lines up to one of this number, as far as there are so many.
    mutating func skip(to line: Int) throws(InputReader.Failure) {
        while place.line < line {
            if let end = newline() {
                place = BatchPlace(line: place.line + 1, offset: place.offset + end - start)
                start = end
                searched = end
            } else {
                place.offset += buffer.count - start
                drop()
                guard !isAtEnd else { return }
                try fill()
            }
        }
    }

    /// The next lines: those that are at hand, or the next to come.
    ///
    /// - Returns: the lines; nil at the end.
    mutating func next() throws(InputReader.Failure) -> BatchBlock? {
        hadToWait = false
        while true {
            if let block = cut() { return block }
            if isAtEnd { return rest() }
            try fill()
        }
    }

    // MARK: Reading

    private mutating func fill() throws(InputReader.Failure) {
        if start > 0 {
            var rest: [UInt8] = []
            rest.reserveCapacity(buffer.count - start + Self.readSize)
            rest += buffer[start...]
            buffer = rest
            searched -= start
            start = 0
        }
        // Room that is not used costs nothing, and growing step by step would hold the line twice.
        if buffer.count > 1 << 20 { buffer.reserveCapacity(Self.maximumLine + Self.readSize) }
        let count = buffer.count
        if !file.isReady(to: .read) { hadToWait = true }
        try read()
        isAtEnd = buffer.count == count
    }

    /// Reads what there is, or waits for it.
    private mutating func read() throws(InputReader.Failure) {
        let file = file
        try buffer.append(addingCapacity: Self.readSize) { room throws(InputReader.Failure) in
            // Unsafe: the memory is valid and exclusively ours for the call, which writes within it and says how much.
            try unsafe room.withUnsafeMutableBufferPointer { memory, count throws(InputReader.Failure) in
                count = try unsafe Self.read(from: file, into: UnsafeMutableRawBufferPointer(memory))
            }
        }
    }

    private static func read(
        from file: FileDescriptor, into memory: UnsafeMutableRawBufferPointer
    ) throws(InputReader.Failure) -> Int {
        while true {
            do {
                return unsafe try file.read(into: memory)
            } catch Errno.resourceTemporarilyUnavailable {
                file.waitUntilReady(to: .read)
            } catch {
                throw InputReader.Failure(message: "\(error)")
            }
        }
    }

    private mutating func drop() {
        buffer = []
        (start, searched) = (0, 0)
    }

    /// Where the line after the next newline begins; nil if there is none at hand.
    private mutating func newline() -> Int? {
        let from = searched
        // Unsafe: the bytes that are searched are those of the array, which is not changed meanwhile.
        let found = unsafe buffer.withUnsafeBytes { bytes -> Int? in
            guard from < bytes.count, let base = bytes.baseAddress else { return nil }
            guard let newline = unsafe memchr(base + from, 0x0A, bytes.count - from) else { return nil }
            return unsafe UnsafeRawPointer(newline) - base
        }
        searched = found.map { $0 + 1 } ?? buffer.count
        return found.map { $0 + 1 }
    }

    // MARK: Lines

    private mutating func cut() -> BatchBlock? {
        if isSkipping { return skipRest() }
        var lines: [BatchBlock.Line] = []
        var end = start
        while lines.count < BatchBlock.maximumLines, end - start < BatchBlock.maximumSize, let next = newline() {
            lines.append(line(end..<(next - 1), end: next))
            end = next
        }
        guard lines.isEmpty else { return block(lines, upTo: end) }
        guard buffer.count - start > Self.maximumLine else { return nil }
        isSkipping = true
        return skipRest()
    }

    /// Whether blocks are given what was read as it is. After a long line they are not: all of it would live with them.
    private var isShared: Bool { buffer.count <= Self.sharedSize }

    private func line(_ range: Range<Int>, end: Int) -> BatchBlock.Line {
        let isHeld = range.count <= Self.maximumLine
        let base = isShared ? 0 : start
        return BatchBlock.Line(
            range: isHeld ? (range.lowerBound - base)..<(range.upperBound - base) : nil,
            end: place.offset + end - start)
    }

    /// Skips what is at hand of a line that is too long.
    ///
    /// - Returns: the line, once its end is reached.
    private mutating func skipRest() -> BatchBlock? {
        let end = newline()
        guard end != nil || isAtEnd else {
            place.offset += buffer.count - start
            drop()
            return nil
        }
        isSkipping = false
        let next = end ?? buffer.count
        let line = BatchBlock.Line(range: nil, end: place.offset + next - start)
        let block = BatchBlock(firstLine: place.line, bytes: [], size: 0, lines: [line])
        advance(to: next, lines: 1)
        return block
    }

    /// What follows the last newline.
    private mutating func rest() -> BatchBlock? {
        guard buffer.count > start else { return nil }
        return block([line(start..<buffer.count, end: buffer.count)], upTo: buffer.count)
    }

    private mutating func block(_ lines: [BatchBlock.Line], upTo end: Int) -> BatchBlock {
        let size = end - start
        if !isShared, size > BatchBlock.maximumSize, start == 0 {
            // A long line is not copied; what follows it is.
            let rest = Array(buffer[end...])
            buffer.removeSubrange(end...)
            let block = BatchBlock(firstLine: place.line, bytes: buffer, size: size, lines: lines)
            buffer = rest
            place = BatchPlace(line: place.line + lines.count, offset: place.offset + end)
            (start, searched) = (0, 0)
            return block
        }
        let bytes = isShared ? buffer : Array(buffer[start..<end])
        let block = BatchBlock(firstLine: place.line, bytes: bytes, size: size, lines: lines)
        advance(to: end, lines: lines.count)
        return block
    }

    private mutating func advance(to end: Int, lines: Int) {
        place = BatchPlace(line: place.line + lines, offset: place.offset + end - start)
        start = end
        searched = end
        if start == buffer.count { drop() }
    }
}
