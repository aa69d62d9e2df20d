import Glibc

/// How many processors there are.
enum ProcessorCount {
    /// Those that this process may run on, which may be fewer than the machine has.
    static var usable: Int {
        let name = Array("Cpus_allowed:".utf8)
        guard let status = try? InputReader.read("/proc/self/status", limit: 1 << 16),
            let line = status.split(separator: UInt8(ascii: "\n")).first(where: { $0.starts(with: name) })
        else { return max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
        // A set of bits, in hexadecimal digits with commas between.
        let digits = line.dropFirst(name.count).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return max(digits.reduce(0) { $0 + $1.nonzeroBitCount }, 1)
    }
}
