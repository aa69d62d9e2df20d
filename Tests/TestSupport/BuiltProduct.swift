import Foundation

/// The executables that were built together with the tests.
public enum BuiltProduct {
    /// The path of a product: it stands beside the test bundle.
    public static func path(of name: String) -> String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent(name).path
    }
}
