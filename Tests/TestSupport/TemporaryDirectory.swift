package import Foundation
import Synchronization

/// A temporary directory for one test. It is removed when it is no longer used, or when the process ends.
package final class TemporaryDirectory: Sendable {
    /// The URL of the directory.
    package let url: URL

    package init() throws {
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

    /// The directories that still exist. A directory that a whole suite shares is never released.
    private static let open = Mutex<Set<URL>>([])

    private static let atExit: Void = {
        atexit {
            for url in TemporaryDirectory.open.withLock({ $0 }) { try? FileManager.default.removeItem(at: url) }
        }
    }()

    /// Writes a file, and creates the directories above it.
    ///
    /// - Returns: the path of the file.
    @discardableResult
    package func write(_ content: String, to name: String, permissions: Int = 0o600) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
        return file.path
    }
}
