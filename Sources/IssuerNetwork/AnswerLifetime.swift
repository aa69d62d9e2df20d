public import SMARTHealthCards

/// For how long an answer serves a run that goes on. The clock is the machine's, whatever moment cards are verified for.
public struct AnswerLifetime: Sendable, Equatable {
    /// When the answer was asked for. If the clock is set back to before that, the answer's age is not known any more.
    public let begin: NumericDate
    /// From when on the question has to be asked again.
    public let end: NumericDate
    /// Until when an issuer is not asked again because its keys lack one.
    public let currentEnd: NumericDate
    /// Whether the issuer wants the answer not to be kept (`no-store`, `no-cache`). It then serves the cards that wait for
    /// it, and others only while the run is busy.
    public let isUnkept: Bool

    public init(from begin: NumericDate, to end: NumericDate, currentTo: NumericDate? = nil, isUnkept: Bool = false) {
        // Whole seconds, so that a clock that is read less finely does not show an earlier moment.
        self.begin = NumericDate(sinceEpoch: .seconds(begin.sinceEpoch.components.seconds))
        self.end = end
        currentEnd = currentTo ?? end
        self.isUnkept = isUnkept
    }

    /// Whether the answer serves at a moment.
    public func contains(_ moment: NumericDate) -> Bool { begin <= moment && moment < end }

    /// How long an answer that is not to be kept serves a busy run at most. Each question takes a process and a handshake,
    /// and a run meets hundreds of issuers.
    static let unkept = Duration.seconds(60)
    /// How long the keys that an issuer gave count as what it publishes now. A card with a made-up key id has the issuer
    /// asked again, and this bounds how often.
    static let current = Duration.seconds(Freshness.bounds.lowerBound)

    /// That of an answer from the issuer.
    ///
    /// - Parameters:
    ///   - asked: when it was asked for.
    ///   - freshSeconds: for how long it is fresh; 0 if it is not to be kept.
    init(asked: NumericDate, freshSeconds: Int64) {
        let isUnkept = freshSeconds == 0
        let end = asked + (isUnkept ? Self.unkept : .seconds(freshSeconds))
        self.init(from: asked, to: end, currentTo: min(end, asked + Self.current), isUnkept: isUnkept)
    }
}

extension CachedDocument {
    /// For how long the copy serves before the issuer has to be asked whether it has changed.
    var lifetime: AnswerLifetime {
        AnswerLifetime(from: retrieved, to: retrieved + .seconds(freshSeconds), currentTo: retrieved)
    }
}

/// The pause before an issuer is asked again that gave no answer, or none of use: 5 seconds, then twice as long each time,
/// up to 5 minutes.
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

    /// The next one.
    mutating func lengthen(from now: NumericDate) {
        begin = now
        length = min(length * 2, Self.longest)
    }

    /// Whether it is so long ago that the next one is the first again.
    func isPast(at now: NumericDate) -> Bool { now < begin || now >= end + Self.longest * 2 }
}

extension NumericDate {
    static func + (moment: NumericDate, time: Duration) -> NumericDate {
        NumericDate(sinceEpoch: moment.sinceEpoch + time)
    }
}
