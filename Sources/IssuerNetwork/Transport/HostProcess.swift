#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What this process knows of itself, asked of the C library. Its two functions hand out memory that is not theirs to
/// keep, so each call is marked unsafe; what leaves here are copies.
enum HostProcess {
    /// The value of a variable of the environment; nil if it is not set.
    static func environmentVariable(_ name: String) -> String? {
        // Unsafe: a null pointer or a C string of the environment's, which nothing here changes; it is copied at once.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The path of the executable that runs, symbolic links resolved; nil if `/proc` is not there.
    static var executablePath: String? {
        let size = 4096
        var path = [CChar](repeating: 0, count: size)
        // Unsafe: the call writes at most `size` bytes, which the array has.
        let length = unsafe readlink("/proc/self/exe", &path, size)
        guard length > 0, length < size else { return nil }
        return String(decoding: path[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
