#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Facts about the running process, from the C library. Its functions return memory that it may change later, so the
/// values are copied at once.
package enum HostProcess {
    /// The value of an environment variable, or nil if it is not set.
    package static func environmentVariable(_ name: String) -> String? {
        // Unsafe: the result is null or a C string in the environment, which nothing here changes. It is copied at
        // once.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The path of the running executable with symbolic links resolved, or nil if `/proc` is not mounted.
    static var executablePath: String? { target(of: "/proc/self/exe") }

    /// Whether `/proc` shows this process. In a PID namespace with the `/proc` of another one, it does not, or shows it with the number
    /// that it has there.
    package static var isShownInProc: Bool { target(of: "/proc/self") == "\(getpid())" }

    /// The target of a symbolic link; nil if there is none.
    private static func target(of link: String) -> String? {
        let size = 4096
        var path = [CChar](repeating: 0, count: size)
        // Unsafe: the call writes at most `size` bytes, the length of the array.
        let length = unsafe readlink(link, &path, size)
        guard length > 0, length < size else { return nil }
        return String(decoding: path[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
