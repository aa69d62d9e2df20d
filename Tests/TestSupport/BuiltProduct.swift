import Foundation

/// The executables that were built together with the tests.
public enum BuiltProduct {
    /// The path of a product: it stands beside the test bundle.
    public static func path(of name: String) -> String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent(name).path
    }

    /// The sanitizer that all was built with, as `make test SANITIZE=…` says.
    public static let sanitizer = ProcessInfo.processInfo.environment["SANITIZE"]

    /// Whether a sanitizer multiplies memory, for its notes on it: a bound on memory cannot be tested then.
    public static var hasShadowMemory: Bool { sanitizer == "address" || sanitizer == "thread" }
}
