import CredentialReports
import Credentials
import Cryptography
import Encodings
import Glibc
import Inputs
package import Processes
package import SystemPackage

/// Reads lines, as many at a time as are available.
///
/// It holds at most one block, or one line up to the maximum length. The rest of a longer line is skipped.
package struct LineReader {
    private let file: FileDescriptor
    /// The bytes that were read. Those from `start` on have not been handed out. Blocks share the storage of the
    /// others.
    private var buffer: [UInt8] = []
    private var start = 0
    /// The line break has been searched for up to here.
    private var searched = 0
    /// Whether the reader is inside a line that is too long.
    private var isSkipping = false
    private var isAtEnd = false
    private let endsAtLongLine: Bool
    /// Whether `next()` had to wait for the lines that it returned last.
    private(set) var hadToWait = false
    /// The position of `buffer[start]`.
    private var position: LinePosition
    /// The most lines that are returned together.
    var linesTogether = LineBlock.maximumLines
    /// The sum of the input before that position; nil if none is kept.
    package private(set) var sum: InputSum?
    /// Is told of the first bytes of the input when they are read.
    package var onBeginning: (@Sendable (ArraySlice<UInt8>) -> Void)?

    /// - Parameters:
    ///   - file: the input, positioned at `position`.
    ///   - position: the position of the first line to read.
    ///   - sum: the sum of the input before that position, if one is to be kept.
    ///   - endsAtLongLine: whether a line that is too long is the last one. Otherwise it is skipped, which takes for ever if it
    ///     has no end.
    package init(
        _ file: FileDescriptor, at position: LinePosition = .beginning, sum: InputSum? = nil,
        endsAtLongLine: Bool = false
    ) {
        self.file = file
        self.position = position
        self.sum = sum
        self.endsAtLongLine = endsAtLongLine
    }

    /// The maximum length of a line in bytes: that of an input, and some characters around the card.
    package static let maximumLine = Bounds.inputSize + 16

    /// The number of bytes to read at a time: some forty cards, which fit into a processor's cache with everything made
    /// of them.
    private static let readSize = 32 << 10
    /// The maximum size of a buffer that blocks share. A waiting block keeps the whole buffer in memory.
    private static let sharedSize = 2 * readSize

    /// Skips all lines before a line number, or all lines if there are fewer.
    mutating func skip(to line: Int) throws(InputReader.Failure) {
        while position.line < line {
            if let end = newline() {
                handOut(upTo: end, lines: 1)
                start = end
                searched = end
            } else {
                handOut(upTo: buffer.count)
                drop()
                guard !isAtEnd else { return }
                try fill()
            }
        }
    }

    /// Skips all bytes before a position at which an earlier run stopped, without looking for lines. They are added to the sum.
    ///
    /// - Returns: whether the input has so many bytes, and a line can begin after them.
    mutating func skip(toEarlier target: LinePosition) throws(InputReader.Failure) -> Bool {
        var last = UInt8(ascii: "\n")
        while position.offset < target.offset {
            if start == buffer.count {
                drop()
                guard !isAtEnd else { return false }
                try fill()
            }
            let end = start + min(buffer.count - start, target.offset - position.offset)
            guard end > start else { continue }
            last = buffer[end - 1]
            advance(to: end, lines: 0)
        }
        position.line = target.line
        // The last line that was judged may have had no line break. Then it must still be the last one.
        if last != UInt8(ascii: "\n"), start == buffer.count, !isAtEnd { try fill() }
        return last == UInt8(ascii: "\n") || start == buffer.count
    }

    /// The next lines. Waits if none is available.
    ///
    /// - Returns: the lines; nil at the end of the input.
    package mutating func next() throws(InputReader.Failure) -> LineBlock? {
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
        // Unused room costs nothing. Growing step by step would hold the line twice.
        if buffer.count > 1 << 20 { buffer.reserveCapacity(Self.maximumLine + Self.readSize) }
        let count = buffer.count
        if !file.isReady(to: .read) { hadToWait = true }
        try read()
        isAtEnd = buffer.count == count
        if count == 0, position.offset == 0 { onBeginning?(buffer.prefix(256)) }
    }

    /// Reads the available bytes, or waits for some.
    private mutating func read() throws(InputReader.Failure) {
        let file = file
        try buffer.append(addingCapacity: Self.readSize) { room throws(InputReader.Failure) in
            // Unsafe: the memory is valid and exclusively ours for the call, which writes within it and reports the
            // count.
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

    /// The index after the next line break; nil if none is in the buffer.
    private mutating func newline() -> Int? {
        let from = searched
        // Unsafe: the search reads the bytes of the array, which does not change meanwhile.
        let found = unsafe buffer.withUnsafeBytes { bytes -> Int? in
            guard from < bytes.count, let base = bytes.baseAddress else { return nil }
            guard let newline = unsafe memchr(base + from, 0x0A, bytes.count - from) else { return nil }
            return unsafe UnsafeRawPointer(newline) - base
        }
        searched = found.map { $0 + 1 } ?? buffer.count
        return found.map { $0 + 1 }
    }

    // MARK: Lines

    private mutating func cut() -> LineBlock? {
        if isSkipping { return skipRest() }
        var lines: [LineBlock.Line] = []
        var end = start
        while lines.count < linesTogether, end - start < LineBlock.maximumSize, let next = newline() {
            lines.append(line(end..<(next - 1), end: next))
            end = next
        }
        guard lines.isEmpty else { return block(lines, upTo: end) }
        guard buffer.count - start > Self.maximumLine else { return nil }
        isSkipping = true
        if endsAtLongLine { isAtEnd = true }
        return skipRest()
    }

    /// Whether blocks share the buffer. They do not after a long line, since the shared buffer would keep it in memory.
    private var isShared: Bool { buffer.count <= Self.sharedSize }

    private func line(_ range: Range<Int>, end: Int) -> LineBlock.Line {
        let isHeld = range.count <= Self.maximumLine
        let base = isShared ? 0 : start
        return LineBlock.Line(
            range: isHeld ? (range.lowerBound - base)..<(range.upperBound - base) : nil,
            end: position.offset + end - start)
    }

    /// Skips the available bytes of a line that is too long.
    ///
    /// - Returns: the line, once its end is reached.
    private mutating func skipRest() -> LineBlock? {
        let end = newline()
        guard end != nil || isAtEnd else {
            handOut(upTo: buffer.count)
            drop()
            return nil
        }
        isSkipping = false
        let next = end ?? buffer.count
        let line = LineBlock.Line(range: nil, end: position.offset + next - start)
        var block = LineBlock(firstLine: position.line, bytes: [], size: 0, lines: [line])
        advance(to: next, lines: 1)
        // A position inside the block is never asked for, since there is only this line.
        block.sums = sum.map { LineBlock.Sums(before: $0, after: $0, begin: 0) }
        return block
    }

    /// The last line, if it has no line break.
    private mutating func rest() -> LineBlock? {
        guard buffer.count > start else { return nil }
        return block([line(start..<buffer.count, end: buffer.count)], upTo: buffer.count)
    }

    private mutating func block(_ lines: [LineBlock.Line], upTo end: Int) -> LineBlock {
        let size = end - start
        if !isShared, size > LineBlock.maximumSize, start == 0 {
            // A long line is not copied; the bytes after it are.
            let rest = Array(buffer[end...])
            buffer.removeSubrange(end...)
            var block = LineBlock(firstLine: position.line, bytes: buffer, size: size, lines: lines)
            block.sums = handOut(upTo: end, lines: lines.count, begin: 0)
            buffer = rest
            (start, searched) = (0, 0)
            return block
        }
        let bytes = isShared ? buffer : Array(buffer[start..<end])
        var block = LineBlock(firstLine: position.line, bytes: bytes, size: size, lines: lines)
        block.sums = handOut(upTo: end, lines: lines.count, begin: isShared ? start : 0)
        moveStart(to: end)
        return block
    }

    /// Moves the position, and adds the bytes before it to the sum.
    ///
    /// - Parameters:
    ///   - end: the index of the position in the buffer.
    ///   - lines: the number of lines that end there or before.
    ///   - begin: where the bytes begin in the storage of the block that gets them.
    /// - Returns: the sums at both ends of these bytes; nil if none is kept.
    @discardableResult private mutating func handOut(
        upTo end: Int, lines: Int = 0, begin: Int = 0
    ) -> LineBlock.Sums? {
        position = LinePosition(line: position.line + lines, offset: position.offset + end - start)
        guard let before = sum else { return nil }
        sum?.add(buffer[start..<end])
        return sum.map { LineBlock.Sums(before: before, after: $0, begin: begin) }
    }

    private mutating func moveStart(to end: Int) {
        start = end
        searched = end
        if start == buffer.count { drop() }
    }

    private mutating func advance(to end: Int, lines: Int) {
        handOut(upTo: end, lines: lines)
        moveStart(to: end)
    }
}

/// The open input of a run: a file or standard input with lines.
package struct LineInput: Sendable {
    /// The name of the input: its path, or `stdin`.
    package let source: String
    private let file: FileDescriptor

    /// - Parameters:
    ///   - path: its path.
    ///   - source: its name.
    /// - Throws: why it cannot be opened.
    package init(_ path: String, source: String) throws(InputReader.Failure) {
        self.source = source
        file = try InputReader.open(path)
    }

    /// What the input is if it surely has no cards in its lines, and what to do instead; nil for other inputs.
    ///
    /// - Parameters:
    ///   - start: the first bytes of the input.
    ///   - isOfPaths: whether the lines are to be paths of files.
    package func advice(for start: ArraySlice<UInt8>, forPaths isOfPaths: Bool) -> String? {
        let name = TerminalText.printable(source)
        let takes = isOfPaths ? "and batch --pictures takes paths, one a line" : "and batch takes cards, one a line"
        if let form = InputForm.scanned(start) {
            guard !isOfPaths else { return "\(name) is \(form.words), \(takes): \"shcverify -- FILE\" reads it" }
            return
                "\(name) is \(form.words), \(takes): \"shcverify inspect --format qr -- FILE\" prints the texts of its QR codes for batch"
        }
        if start.starts(with: "PAR1".utf8) {
            return "\(name) is a Parquet file, \(takes): docs/tables.md has a recipe with DuckDB"
        }
        if start.starts(with: "PK\u{3}\u{4}".utf8) { return "\(name) is a ZIP archive, \(takes): unpack it first" }
        guard !isOfPaths, let separator = Self.separator(of: start) else { return nil }
        let form = ["\t": "--itsv", ",": "--icsv"][separator] ?? "--icsv --ifs '\(separator)'"
        return
            "\(name) looks like CSV, \(takes): \"mlr -S \(form) --ojsonl rename COLUMN,card FILE | shcverify batch\" makes such lines (Debian's "
            + "miller), and docs/tables.md has a recipe with DuckDB"
    }

    /// What separates the columns of a file that begins with their names; nil for another file. No text of a card begins with a plain word and
    /// such a character.
    private static func separator(of beginning: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let line = beginning.trimmingByteOrderMarks()
        let name = line.prefix { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || " \"_-".utf8.contains(byte)
        }
        guard let next = line[name.endIndex...].first, [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].contains(next),
            !name.isEmpty
        else { return nil }
        return Unicode.Scalar(next)
    }

    /// A reader that begins with the first line.
    ///
    /// - Parameter keepsSum: whether the reader keeps the sum of what it has read up to date. Without a state file, nobody needs it.
    package func reader(keepsSum: Bool = false) -> LineReader { LineReader(file, sum: keepsSum ? InputSum() : nil) }

    /// A reader that begins at the position at which an earlier run stopped.
    ///
    /// All of the input before the position is read, and compared with what the earlier run read.
    ///
    /// - Returns: the reader, which keeps the sum of what it has read; nil if the input before the position has changed.
    /// - Throws: why the input cannot be read.
    package func reader(continuingAt position: LinePosition, after digest: String) throws(InputReader.Failure)
        -> LineReader?
    {
        var reader = LineReader(file, sum: InputSum())
        return try reader.skip(toEarlier: position) && reader.sum?.digest == digest ? reader : nil
    }
}

/// The sum of the beginning of an input: a digest that grows with the input as it is read, so that nothing is read again for it.
///
/// The digest is a chain over chunks of the same size, so it does not depend on how much is added at a time. The sum is a small
/// value, which each block of lines can have.
package struct InputSum: Equatable, Sendable {
    private static let chunkSize = 8 << 10

    /// The number of bytes that the sum is of.
    package private(set) var offset = 0
    /// The digest of all whole chunks; empty if there are none.
    private var chunks: [UInt8] = []
    /// The bytes after the last whole chunk.
    private var rest: [UInt8] = []

    package init() {}

    /// Adds the next bytes.
    package mutating func add(_ bytes: ArraySlice<UInt8>) {
        offset += bytes.count
        var bytes = bytes
        while rest.count + bytes.count >= Self.chunkSize {
            let count = Self.chunkSize - rest.count
            chunks = SHA256.digest(chunks + rest + bytes.prefix(count))
            rest = []
            bytes = bytes.dropFirst(count)
        }
        rest += bytes
    }

    /// The digest of these bytes, in hexadecimal digits.
    package var digest: String { SHA256.digest(chunks + rest).hexadecimal }
}

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
