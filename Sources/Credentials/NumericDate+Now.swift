#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

extension NumericDate {
    /// The current time to the millisecond, by the machine's clock; 1970 if there is no clock.
    ///
    /// Verifiers are told the time and do not read the clock themselves, but for `Verifier`, whose calls are made now. Cards
    /// may be issued with fractions of a second.
    public static var now: NumericDate {
        var moment = timespec()
        // Unsafe: the C library writes to the structure, which lives during the call.
        guard unsafe clock_gettime(CLOCK_REALTIME, &moment) == 0 else { return NumericDate(sinceEpoch: .zero) }
        return NumericDate(sinceEpoch: .seconds(moment.tv_sec) + .milliseconds(moment.tv_nsec / 1_000_000))
    }
}
