import Glibc

/// The time of a processor that a call takes. Unlike the time of a clock, it hardly grows if the machine is busy.
///
/// - Parameter call: what is measured. It stays on its thread.
package func processorTime(_ call: () throws -> Void) rethrows -> Duration {
    let begin = now()
    try call()
    return now() - begin
}

private func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
