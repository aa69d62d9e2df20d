import ArgumentParser
import Credentials
import FoundationEssentials
import SMARTHealthCards

/// The time for which cards are verified.
struct TimeOptions: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: ArgumentHelp("Check as of this time: RFC 3339, or seconds since 1970.", valueName: "time"),
        transform: Self.time)
    var at: NumericDate?

    /// Reads the value of `--at`.
    static func time(_ text: String) throws -> NumericDate {
        guard let moment = NumericDate(text: text) else {
            throw ValidationError(
                "--at needs a time: RFC 3339 with a zone (2021-06-01T00:00:00Z), or seconds since 1970.")
        }
        return moment
    }

    /// The time of `--at`, or the current time.
    var now: NumericDate { at ?? .now }

    /// A clock for a long run. With `--at`, it always shows that time.
    var clock: @Sendable () -> NumericDate {
        guard let at else { return { NumericDate.now } }
        return { at }
    }
}

extension NumericDate {
    /// The current time to the millisecond. Cards may be issued with fractions of a second.
    static var now: NumericDate {
        NumericDate(sinceEpoch: .milliseconds(Int64(Date().timeIntervalSince1970 * 1000)))
    }
}
