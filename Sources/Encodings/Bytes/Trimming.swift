extension ArraySlice<UInt8> {
    /// The UTF-8 byte-order mark.
    package static var byteOrderMark: [UInt8] { [0xEF, 0xBB, 0xBF] }

    /// The bytes without the white space and byte-order marks around them.
    package func trimmingByteOrderMarks() -> ArraySlice<UInt8> {
        // Usually there is nothing to trim: both ends are printable ASCII.
        let printable: ClosedRange<UInt8> = 0x21...0x7E
        if let first, let last, printable.contains(first), printable.contains(last) { return self }
        var content = trimmingWhiteSpace()
        while content.starts(with: Self.byteOrderMark) { content = content.dropFirst(3).trimmingWhiteSpace() }
        while content.suffix(3).elementsEqual(Self.byteOrderMark) { content = content.dropLast(3).trimmingWhiteSpace() }
        return content
    }

    /// The bytes without the white space (space, tab, line feed, carriage return) around them.
    package func trimmingWhiteSpace() -> ArraySlice<UInt8> {
        let isWhiteSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
        guard let first = firstIndex(where: { !isWhiteSpace($0) }), let last = lastIndex(where: { !isWhiteSpace($0) })
        else { return [] }
        return self[first...last]
    }
}
