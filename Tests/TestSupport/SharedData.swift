package import Foundation

/// Data of other projects, for tests that run only if it is there. It is in `../shared/conformance` next to the
/// package, or in the folder that SHCVERIFY_SHARED names.
package enum SharedData {
    package static let conformance: URL = {
        if let shared = ProcessInfo.processInfo.environment["SHCVERIFY_SHARED"] {
            return URL(filePath: shared).appending(path: "conformance")
        }
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return package.deletingLastPathComponent().appending(path: "shared/conformance")
    }()

    /// The reason for which a test is skipped.
    package static let absence = "the folder ../shared/conformance is missing next to the package"

    package static var isPresent: Bool { FileManager.default.fileExists(atPath: conformance.path) }

    package static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: conformance.appending(path: path)))
    }
}
