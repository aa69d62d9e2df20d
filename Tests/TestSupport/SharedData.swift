package import Foundation

/// Data of other projects, which is not part of this one: the folder `../shared` next to the package, or the folder that
/// SHCVERIFY_SHARED names.
///
/// A clone does not have it. So each test that reads it is skipped if it is absent, with `absence` as the reason:
///
///     @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
///
/// No test reads the folder in another way. `make lint` checks that, and `make test` runs all tests without the folder first.
package enum SharedData {
    /// The folder.
    package static let folder: URL = {
        if let folder = ProcessInfo.processInfo.environment["SHCVERIFY_SHARED"] {
            return URL(fileURLWithPath: folder, isDirectory: true)
        }
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return package.deletingLastPathComponent().appendingPathComponent("shared")
    }()

    /// Cards, keys and lists of other projects, with the cases that go with them.
    package static let conformance = folder.appendingPathComponent("conformance")

    /// The reason for which a test is skipped.
    package static let absence = "the folder ../shared is missing next to the package"

    /// Whether the folder is there.
    package static let isPresent = FileManager.default.fileExists(atPath: conformance.path)

    /// Whether a file of `conformance` is there. Not every copy of the folder has each file.
    package static func isPresent(file path: String) -> Bool {
        FileManager.default.fileExists(atPath: conformance.appendingPathComponent(path).path)
    }

    /// The reason for which a test of one file is skipped.
    package static func absence(of path: String) -> String {
        isPresent ? "the file \(path) is missing in the folder of the conformance data" : absence
    }

    /// The path of a file of `conformance`.
    package static func path(_ path: String) -> String { conformance.appendingPathComponent(path).path }

    /// A file of `conformance`.
    package static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: conformance.appendingPathComponent(path)))
    }
}
