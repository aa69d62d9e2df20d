import ArgumentParser
import FoundationEssentials
import SMARTHealthCards

/// For which moment cards are judged.
struct TimeOptions: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: ArgumentHelp("Judge as of this time: RFC 3339, or seconds since 1970.", valueName: "time"),
        transform: { text in
            guard let moment = NumericDate(text: text) else {
                throw ValidationError("--at wants RFC 3339 with a zone (2021-06-01T00:00:00Z), or seconds since 1970.")
            }
            return moment
        })
    var at: NumericDate?

    /// The moment that was asked for, or the one that the clock shows.
    var now: NumericDate { at ?? .now }

    /// The same for a run that goes on: the moment that was asked for stands still.
    var clock: @Sendable () -> NumericDate {
        guard let at else { return { NumericDate.now } }
        return { at }
    }
}

extension NumericDate {
    /// The moment the clock shows, to the millisecond: cards are issued with fractions of a second.
    static var now: NumericDate {
        NumericDate(sinceEpoch: .milliseconds(Int64(Date().timeIntervalSince1970 * 1000)))
    }
}
