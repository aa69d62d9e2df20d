import Glibc
import SystemPackage

/// Reads and writes that wait, whatever the file is set to.
///
/// Standard streams are shared with the program that started this one, and one of those may have set them not to block: a
/// terminal that another program left so, a pipe of an event loop. What such a stream says then (EAGAIN) is not that it
/// is broken, but that there is nothing yet.
extension FileDescriptor {
    /// Reads what there is, or waits for it.
    ///
    /// - Returns: how many bytes were read; 0 at the end.
    func readWaiting(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        while true {
            // Unsafe: the caller vouches for the buffer, which is handed on as it came.
            let count = unsafe Glibc.read(rawValue, buffer.baseAddress, buffer.count)
            guard count < 0 else { return count }
            try recover(from: Errno(rawValue: errno), toBeReadyTo: .read)
        }
    }

    /// Writes all of the bytes, and waits where that takes time.
    func writeAllWaiting(_ bytes: [UInt8]) throws(Errno) {
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

    /// Waits, where the error says no more than that; throws any other.
    private func recover(from error: Errno, toBeReadyTo use: Use) throws(Errno) {
        switch error {
        case .interrupted: return
        // That the stream broke meanwhile is for the next read or write to say.
        case .resourceTemporarilyUnavailable: waitUntilReady(to: use)
        default: throw error
        }
    }
}
