public import Foundation
import Synchronization

/// A directory of its own for a test, removed when it is no longer needed, at the latest when the process ends.
public final class TemporaryDirectory: Sendable {
    /// Where it is.
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("shcverify-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        Self.atExit
        Self.open.withLock { _ = $0.insert(url) }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
        Self.open.withLock { _ = $0.remove(url) }
    }

    /// Those that are still there: what a suite shares is never let go of.
    private static let open = Mutex<Set<URL>>([])

    private static let atExit: Void = {
        atexit {
            for url in TemporaryDirectory.open.withLock({ $0 }) { try? FileManager.default.removeItem(at: url) }
        }
    }()

    /// Writes a file, and the directories that lead to it.
    ///
    /// - Returns: its path.
    @discardableResult
    public func write(_ content: String, to name: String, permissions: Int = 0o600) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
        return file.path
    }
}
