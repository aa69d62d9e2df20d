internal import SMARTHealthCards

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The clock by which copies grow old: the machine's, whatever moment cards are verified for.
enum SystemClock {
    static var now: NumericDate {
        var moment = timespec()
        // Unsafe: the C library writes to the structure, which lives for the call.
        guard unsafe clock_gettime(CLOCK_REALTIME, &moment) == 0 else { return NumericDate(sinceEpoch: .zero) }
        return NumericDate(sinceEpoch: .seconds(moment.tv_sec) + .nanoseconds(moment.tv_nsec))
    }
}
