import Foundation

/// The data of others that these tests run against where it is there: `../shared/conformance` beside the package, or in
/// the folder that SHCVERIFY_SHARED names.
enum SharedData {
    static let conformance: URL = {
        if let shared = ProcessInfo.processInfo.environment["SHCVERIFY_SHARED"] {
            return URL(filePath: shared).appending(path: "conformance")
        }
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return package.deletingLastPathComponent().appending(path: "shared/conformance")
    }()

    /// Why a test is skipped.
    static let absence = "no ../shared/conformance beside the package"

    static var isPresent: Bool { FileManager.default.fileExists(atPath: conformance.path) }

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: conformance.appending(path: path)))
    }
}
