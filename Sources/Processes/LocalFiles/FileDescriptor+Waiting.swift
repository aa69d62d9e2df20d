import Glibc
package import SystemPackage

/// Reads and writes that wait, even if the file is set not to block.
///
/// This program shares its standard streams with the program that started it. That program, or an earlier one in the
/// same terminal, may have set them not to block. Then EAGAIN is not an error: it means that nothing can be read or
/// written yet.
extension FileDescriptor {
    /// Reads the available bytes, or waits for some.
    ///
    /// - Returns: the number of bytes; 0 at the end.
    package func readWaiting(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        while true {
            // Unsafe: the caller guarantees that the buffer is valid, and it is passed on unchanged.
            let count = unsafe Glibc.read(rawValue, buffer.baseAddress, buffer.count)
            guard count < 0 else { return count }
            try recover(from: Errno(rawValue: errno), toBeReadyTo: .read)
        }
    }

    /// Writes all bytes, and waits if necessary.
    package func writeAllWaiting(_ bytes: [UInt8]) throws(Errno) {
        var written = 0
        while written < bytes.count {
            // Unsafe: the array's storage is valid for the call, which reads within it.
            let count = unsafe bytes.withUnsafeBytes { storage in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: storage[written...])
                return unsafe Glibc.write(rawValue, rest.baseAddress, rest.count)
            }
            if count >= 0 {
                written += count
            } else {
                try recover(from: Errno(rawValue: errno), toBeReadyTo: .write)
            }
        }
    }

    /// Waits if the error only means "not yet"; throws any other error.
    private func recover(from error: Errno, toBeReadyTo use: Use) throws(Errno) {
        switch error {
        case .interrupted: return
        // If the stream breaks meanwhile, the next read or write reports it.
        case .resourceTemporarilyUnavailable: waitUntilReady(to: use)
        default: throw error
        }
    }

    // MARK: Readiness

    /// The operation that a file must be ready for.
    package enum Use {
        case read, write
    }

    /// Waits until reading or writing is possible.
    package func waitUntilReady(to use: Use) {
        _ = poll(use, timeout: -1)
    }

    /// Whether reading or writing would return at once.
    package func isReady(to use: Use) -> Bool { poll(use, timeout: 0) != 0 }

    private func poll(_ use: Use, timeout: Int32) -> Int32 {
        var poll = pollfd(fd: rawValue, events: Int16(use == .read ? POLLIN : POLLOUT), revents: 0)
        // Unsafe: the call reads and writes one element, and keeps no pointer to it.
        return unsafe Glibc.poll(&poll, 1, timeout)
    }
}
