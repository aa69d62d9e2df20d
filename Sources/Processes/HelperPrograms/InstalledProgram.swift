import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A program that is installed together with the running one.
package enum InstalledProgram {
    /// Why a program cannot be started.
    package enum Problem: Error, Equatable {
        /// The running program does not know its own path, so it cannot look next to it.
        case unknownPlace
        /// There is no such program. These are the paths at which it was looked for.
        case missing([String])
    }

    /// Finds a program next to the running one, in `../libexec/shcverify` or in `../libexec`. Neither PATH nor the current
    /// directory is searched.
    ///
    /// - Parameter name: the name of the program.
    /// - Returns: its path.
    package static func path(of name: String) throws(Problem) -> String {
        let places = places(of: name)
        guard !places.isEmpty else { throw .unknownPlace }
        guard let place = places.first(where: { isFile(FilePath($0)) }) else { throw .missing(places) }
        return place
    }

    /// The paths at which a program is looked for, in this order; empty if the running program does not know its own.
    package static func places(of name: String) -> [String] {
        guard let running = HostProcess.executablePath else { return [] }
        let directory = FilePath(running).removingLastComponent()
        let libexec = directory.removingLastComponent().appending("libexec")
        return [directory, libexec.appending("shcverify"), libexec].map { $0.appending(name).string }
    }

    /// Says why a program is not to be started: a user whose programs this user does not run anyway may have changed it. Nil if
    /// there is no such risk.
    ///
    /// - Parameter path: the path of the program.
    package static func objection(toStarting path: String) -> String? {
        WriteAccess.objection(toProgram: path, startedBy: HostProcess.executablePath)
    }

    /// Whether a path is that of a file that this user may run.
    package static func canStart(_ path: String) -> Bool {
        // Unsafe: the call reads the path and keeps no pointer to it.
        unsafe access(path, X_OK) == 0 && WriteAccess.isRegularFile(path)
    }

    private static func isFile(_ path: FilePath) -> Bool {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return false
        }
        try? file.close()
        return true
    }
}

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
