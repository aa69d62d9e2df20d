import Foundation

/// Where data for tests is.
enum Paths {
    /// The package's root.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// The vectors made by our generator.
    static let vectors = root.appendingPathComponent("TestVectors")
    /// A program that runs another where little is allowed.
    static let limited = root.appendingPathComponent("Tests/TestSupport/limited.py").path
    /// Data of others, where it is there.
    static let conformance = URL(
        fileURLWithPath: ProcessInfo.processInfo.environment["SHCVERIFY_SHARED"]
            ?? root.deletingLastPathComponent().appendingPathComponent("shared").path
    ).appendingPathComponent("conformance")

    static var hasConformance: Bool { FileManager.default.fileExists(atPath: conformance.path) }

    static func vector(_ path: String) -> String { vectors.appendingPathComponent(path).path }
    static func conformance(_ path: String) -> String { conformance.appendingPathComponent(path).path }

    static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// A directory of one test's own, removed when the test is done.
    static func withTemporaryDirectory<T>(_ body: (URL) async throws -> T) async throws -> T {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("shcverify-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        return try await body(directory)
    }
}
