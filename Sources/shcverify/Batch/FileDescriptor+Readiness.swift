import Glibc
import SystemPackage

extension FileDescriptor {
    /// What a file is to be ready for.
    enum Use {
        case read, write
    }

    /// Waits until a call to read or write has something to do. The program that started us may have shared a pipe or a terminal that
    /// it set to return at once (`O_NONBLOCK`), which is no failure.
    func waitUntilReady(to use: Use) {
        _ = poll(use, timeout: -1)
    }

    /// Whether a call to read or write would return at once.
    func isReady(to use: Use) -> Bool { poll(use, timeout: 0) != 0 }

    private func poll(_ use: Use, timeout: Int32) -> Int32 {
        var poll = pollfd(fd: rawValue, events: Int16(use == .read ? POLLIN : POLLOUT), revents: 0)
        // Unsafe: the call reads and writes the one element that it is told of, and keeps no pointer to it.
        return unsafe Glibc.poll(&poll, 1, timeout)
    }
}
