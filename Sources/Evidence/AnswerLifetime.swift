package import Credentials

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// How long an answer may be used within a run. It is measured by the machine's clock, even if cards are verified for
/// another time (`--at`).
package struct AnswerLifetime: Sendable, Equatable {
    /// When the answer was requested. If the clock is set back to before this moment, the answer's age is unknown.
    package let begin: NumericDate
    /// When the request has to be repeated.
    package let end: NumericDate
    /// Until when an issuer is not asked again even if a card's key is missing from its answer.
    package let currentEnd: NumericDate
    /// Whether the issuer does not want the answer to be kept (`no-store`, `no-cache`; RFC 9111 §5.2.2). The answer
    /// then serves the cards that wait for it. It serves other cards only for a short time.
    package let isUnkept: Bool

    /// Makes a lifetime. `begin` is rounded down to whole seconds.
    ///
    /// - Parameters:
    ///   - begin: when the answer was requested.
    ///   - end: when the request must be repeated.
    ///   - currentTo: the value of `currentEnd`, or nil for that of `end`.
    ///   - isUnkept: whether the issuer does not want the answer to be kept.
    package init(from begin: NumericDate, to end: NumericDate, currentTo: NumericDate? = nil, isUnkept: Bool = false) {
        // Whole seconds, because a less precise clock could show an earlier moment.
        self.begin = NumericDate(sinceEpoch: .seconds(begin.sinceEpoch.components.seconds))
        self.end = end
        currentEnd = currentTo ?? end
        self.isUnkept = isUnkept
    }

    /// Whether the answer may be used at a moment.
    package func contains(_ moment: NumericDate) -> Bool { begin <= moment && moment < end }

    /// The longest time for which an answer that must not be kept is used. Each request takes a process and a
    /// handshake, and a run meets hundreds of issuers.
    static let unkept = Duration.seconds(60)
    /// How long an answer counts as the keys that the issuer publishes now. Cards with made-up key IDs cause new
    /// requests, and this limits how many.
    static let current = Duration.seconds(Freshness.bounds.lowerBound)

    /// The lifetime of an issuer's answer.
    ///
    /// - Parameters:
    ///   - asked: when it was requested.
    ///   - freshSeconds: how long the answer is fresh, in seconds, or 0 if it must not be kept.
    init(asked: NumericDate, freshSeconds: Int64) {
        let isUnkept = freshSeconds == 0
        let end = asked + (isUnkept ? Self.unkept : .seconds(freshSeconds))
        self.init(from: asked, to: end, currentTo: min(end, asked + Self.current), isUnkept: isUnkept)
    }
}

extension CachedDocument {
    /// How long the copy may be used before the issuer must be asked whether it has changed.
    var lifetime: AnswerLifetime {
        AnswerLifetime(from: retrieved, to: retrieved + .seconds(freshSeconds), currentTo: retrieved)
    }
}

/// The pause before an issuer that gave no useful answer is asked again. It is 5 seconds at first, then doubles each
/// time up to 5 minutes.
struct RetryPause: Sendable {
    private static let shortest = Duration.seconds(5)
    private static let longest = Duration.seconds(300)

    private(set) var begin: NumericDate
    private var length = shortest

    init(from now: NumericDate) {
        begin = now
    }

    var end: NumericDate { begin + length }

    func contains(_ now: NumericDate) -> Bool { begin <= now && now < end }

    /// Begins the next pause.
    mutating func lengthen(from now: NumericDate) {
        begin = now
        length = min(length * 2, Self.longest)
    }

    /// Whether the pause ended so long ago that the next one is as short as the first.
    func isPast(at now: NumericDate) -> Bool { now < begin || now >= end + Self.longest * 2 }
}

extension NumericDate {
    static func + (moment: NumericDate, time: Duration) -> NumericDate {
        NumericDate(sinceEpoch: moment.sinceEpoch + time)
    }
}

/// The clock for the age of copies: the machine's, even if cards are verified for another time.
enum SystemClock {
    static var now: NumericDate {
        var moment = timespec()
        // Unsafe: the C library writes to the structure, which lives during the call.
        guard unsafe clock_gettime(CLOCK_REALTIME, &moment) == 0 else { return NumericDate(sinceEpoch: .zero) }
        return NumericDate(sinceEpoch: .seconds(moment.tv_sec) + .nanoseconds(moment.tv_nsec))
    }
}
