import SystemPackage

/// The parts of a program or library (the ELF format, 64 bits, least significant byte first).
enum ELFFile {
    /// Whether the file has every part that is loaded into memory. If its end is missing, reading such a part would end the program with
    /// a signal, not with an error. A file in another form has none of them; the loader says what is wrong with it.
    static func isWhole(_ path: String) -> Bool {
        guard let file = try? FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
        else {
            return true
        }
        defer { try? file.close() }
        guard let size = try? file.seek(offset: 0, from: .end), let header = bytes(of: file, at: 0, count: 64),
            header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
        else { return true }
        let (table, entry, count) = (number(header, 32, 8), number(header, 54, 2), number(header, 56, 2))
        guard entry == 56, table <= 1 << 32 else { return true }
        for place in 0..<count {
            guard let part = bytes(of: file, at: Int64(table + place * entry), count: 56) else { return false }
            let (end, isOver) = number(part, 8, 8).addingReportingOverflow(number(part, 32, 8))
            // PT_LOAD
            if number(part, 0, 4) == 1, isOver || end > UInt64(max(0, size)) { return false }
        }
        return true
    }

    /// Bytes of a file; nil if it ends before.
    private static func bytes(of file: FileDescriptor, at offset: Int64, count: Int) -> [UInt8]? {
        // Unsafe: the call writes at most as many bytes as the array has.
        let read = try? unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            length = try unsafe file.read(fromAbsoluteOffset: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
        return read?.count == count ? read : nil
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
        bytes[start..<(start + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
