import Foundation
import TestSupport

/// The places of test data.
enum Paths {
    /// The root folder of the package.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()
    /// The vectors in TestVectors/, each as a file.
    static var vectors: URL { VectorFiles.folder }
    /// A script that runs a program under low limits.
    static let limited = root.appendingPathComponent("Tests/TestSupport/limited.py").path
    static func vector(_ path: String) -> String { vectors.appendingPathComponent(path).path }

    static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// A directory for one test, which is removed after the test.
    static func withTemporaryDirectory<T>(_ body: (URL) async throws -> T) async throws -> T {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("shcverify-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        return try await body(directory)
    }
}
