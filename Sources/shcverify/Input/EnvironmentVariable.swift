import Glibc

/// The variables that the process was started with.
enum EnvironmentVariable {
    /// The value of one; nil if it is not set.
    static func value(of name: String) -> String? {
        // Unsafe: the value is copied at once, and nothing in this program changes the environment.
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
