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
    static var executablePath: String? {
        let size = 4096
        var path = [CChar](repeating: 0, count: size)
        // Unsafe: the call writes at most `size` bytes, the length of the array.
        let length = unsafe readlink("/proc/self/exe", &path, size)
        guard length > 0, length < size else { return nil }
        return String(decoding: path[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
