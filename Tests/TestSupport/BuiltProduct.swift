import Foundation

/// The executables that were built together with the tests.
package enum BuiltProduct {
    /// The path of a product. It is in the same folder as the test bundle.
    package static func path(of name: String) -> String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent(name).path
    }

    /// The path of a program that users start: in the folder that the environment names (`make test PROGRAMS=…`), or the one that was
    /// built with the tests.
    package static func program(_ name: String) -> String {
        guard let folder = ProcessInfo.processInfo.environment["SHCVERIFY_PROGRAMS"], !folder.isEmpty else {
            return path(of: name)
        }
        return "\(folder)/\(name)"
    }

    /// The sanitizer of this build, as given to `make test SANITIZE=…`.
    package static let sanitizer = ProcessInfo.processInfo.environment["SANITIZE"]

    /// Whether the sanitizer uses much more memory for its own notes. Then a limit on memory cannot be tested.
    package static var hasShadowMemory: Bool { sanitizer == "address" || sanitizer == "thread" }
}
