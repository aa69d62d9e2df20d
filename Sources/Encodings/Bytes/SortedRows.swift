import Glibc

/// Rows of text that are sorted by the bytes of their keys, such as a table of codes.
///
/// A row is a line with fields, of which the first is the key. A binary search works on the text itself, so rows that are not used cost
/// nothing.
package struct SortedRows: Sendable {
    private enum Storage: Sendable {
        case array([UInt8])
        case file(EmbeddedFile)
    }

    private let storage: Storage
    /// The part of the storage that has the rows, without the last line feed.
    private let place: Range<Int>
    /// The byte between fields.
    package let separator: UInt8
    /// Where the rows of a file begin, which makes a search faster. Nil for an array, since to find them in a large one would take longer
    /// than the searches of a run.
    private let starts: [Int]?

    /// - Parameters:
    ///   - file: lines that begin with `#`, which say what the file is and where it is from, and then the rows.
    ///   - separator: the byte between fields.
    package init(_ file: EmbeddedFile, separator: UInt8 = UInt8(ascii: "|")) {
        let lines = file.withBytes { Self.starts(ofRowsIn: $0) }
        let rows = lines.drop { file[$0] == UInt8(ascii: "#") }
        let start = rows.first ?? file.count
        storage = .file(file)
        place = start..<max(start, file.last == Self.newline ? file.count - 1 : file.count)
        self.separator = separator
        starts = rows.map { $0 - start }
    }

    /// - Parameters:
    ///   - rows: the rows in UTF-8.
    ///   - separator: the byte between fields. No key may hold it.
    package init(_ rows: [UInt8], separator: UInt8) {
        storage = .array(rows)
        place = rows.indices
        self.separator = separator
        starts = nil
    }

    /// The bytes of all rows.
    package var bytes: [UInt8] { withBytes { Self.copy($0) } }

    /// What a file says after a name and a colon in a line before its rows, such as `# date: 2025-09-03`.
    package func note(_ name: String) -> String? {
        guard case .file(let file) = storage else { return nil }
        let heading = Array(file[..<place.lowerBound])
        let wanted = Array("# \(name): ".utf8)
        let start = Self.starts(ofRowsIn: heading.span).first { heading[$0...].starts(with: wanted) }
        return start.map {
            String(decoding: heading[($0 + wanted.count)...].prefix { $0 != Self.newline }, as: UTF8.self)
        }
    }

    /// The number of bytes of all rows.
    package var size: Int { place.count }

    /// The number of rows. May read all of them.
    package var count: Int { starts?.count ?? withBytes { Self.starts(ofRowsIn: $0).count } }

    /// Lends the bytes of all rows to a closure.
    package func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        switch storage {
        case .array(let bytes): body(bytes.span)
        case .file(let file): file.withBytes { body($0.extracting(place)) }
        }
    }

    /// The row with a key, from its second field on; nil if there is none.
    package func row(of key: Span<UInt8>) -> ArraySlice<UInt8>? {
        withBytes { bytes in
            guard let found = rest(of: key, in: bytes) else { return nil }
            return Self.copy(bytes.extracting(found))[...]
        }
    }

    private static func copy(_ bytes: Span<UInt8>) -> [UInt8] {
        // Unsafe: the bytes are copied during the call. A slice of a file would be copied byte by byte.
        unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Whether there is a row with a key.
    package func contains(_ key: Span<UInt8>) -> Bool { withBytes { rest(of: key, in: $0) != nil } }

    // MARK: Search

    /// Where the fields after a key are; nil if no row has the key.
    private func rest(of key: Span<UInt8>, in bytes: Span<UInt8>) -> Range<Int>? {
        var low = 0
        var high = starts?.count ?? bytes.count
        while low < high {
            let middle = (low + high) / 2
            var start = starts?[middle] ?? middle
            if starts == nil { while start > low, bytes[start - 1] != Self.newline { start -= 1 } }
            var keyEnd = start
            while keyEnd < bytes.count, bytes[keyEnd] != separator, bytes[keyEnd] != Self.newline { keyEnd += 1 }
            let order = compare(key, bytes.extracting(start..<keyEnd))
            if order < 0 {
                high = starts == nil ? start : middle
                continue
            }
            if order > 0, starts != nil {
                low = middle + 1
                continue
            }
            var end = keyEnd
            while end < bytes.count, bytes[end] != Self.newline { end += 1 }
            if order == 0 { return min(keyEnd + 1, end)..<end }
            low = min(end + 1, high)
        }
        return nil
    }

    private static func starts(ofRowsIn bytes: Span<UInt8>) -> [Int] {
        var starts: [Int] = []
        var start = 0
        while start < bytes.count {
            starts.append(start)
            // Unsafe: memchr reads up to the end of the bytes, which live during the call. It is several times faster than a loop.
            let length = unsafe bytes.extracting(start...).withUnsafeBytes { rest -> Int? in
                guard let first = rest.baseAddress, let found = unsafe memchr(first, Int32(newline), rest.count) else {
                    return nil
                }
                return unsafe found - UnsafeMutableRawPointer(mutating: first)
            }
            guard let length else { break }
            start += length + 1
        }
        return starts
    }

    /// Less than 0 if the left bytes come first, 0 if they are the same, more if the right ones do.
    private func compare(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return Int(left[index]) - Int(right[index])
        }
        return left.count - right.count
    }

    private static let newline = UInt8(ascii: "\n")
}
