import ArgumentParser
import Credentials
import FoundationEssentials
import SMARTHealthCards

/// The time for which cards are linted or links are opened.
struct TimeOptions: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: ArgumentHelp("Check as of this time: RFC 3339, or seconds since 1970.", valueName: "time"),
        transform: Self.time)
    var at: NumericDate?

    /// Reads the value of `--at`.
    static func time(_ text: String) throws -> NumericDate {
        if let moment = NumericDate(text: text) { return moment }
        throw ValidationError("--at needs a time: \(advice(on: text)).")
    }

    /// What to write in place of a value that is no time.
    fileprivate static func advice(on text: String) -> String {
        if text.utf8.elementsEqual("issued".utf8) { return "\"issued\" is only for commands that verify cards" }
        if text.utf8.count == 10, NumericDate(text: "\(text)T00:00:00Z") != nil {
            return "a date alone does not say which moment is meant; write --at \(text)T00:00:00Z"
        }
        if text.utf8.count <= 40, NumericDate(text: "\(text)Z") != nil {
            return "it lacks the zone; write --at \(text)Z, or an offset such as +01:00 in place of the Z"
        }
        return "RFC 3339 with a zone (2021-06-01T00:00:00Z), or seconds since 1970"
    }

    /// The time of `--at`, or the current time.
    var now: NumericDate { at ?? .now }

    /// The time of `--at`, or the current time if the clock can be right.
    ///
    /// - Throws: if the clock is wrong, after a line on standard error.
    func checkedNow() throws -> NumericDate {
        if let at { return at }
        try MachineClock.requireRight()
        return .now
    }
}

/// As of when cards are verified.
struct VerificationTimeOptions: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "Check as of this time: RFC 3339, or seconds since 1970. issued: each card as of its own issue. The report says that it "
                + "is not about now.",
            valueName: "time"),
        completion: .list(["issued"]), transform: Self.moment)
    var at: VerificationTime.Moment?

    private static func moment(_ text: String) throws -> VerificationTime.Moment {
        if text.utf8.elementsEqual("issued".utf8) { return .issue }
        if let moment = NumericDate(text: text) { return .given(moment) }
        throw ValidationError("--at needs a time, or \"issued\": \(TimeOptions.advice(on: text)).")
    }

    /// As of when cards are verified, by the clock of this machine.
    ///
    /// - Throws: if the clock matters and is wrong, after a line on standard error.
    func time() throws -> VerificationTime {
        let moment = at ?? .now
        switch moment {
        case .given: break
        case .now, .issue: try MachineClock.requireRight()
        }
        return VerificationTime(moment, madeAt: .now)
    }
}

extension VerificationTime {
    /// The same by the clock as it shows now, for a long run.
    var continued: VerificationTime { VerificationTime(moment, madeAt: .now) }
}

extension NumericDate {
    /// The current time to the millisecond. Cards may be issued with fractions of a second.
    static var now: NumericDate {
        NumericDate(sinceEpoch: .milliseconds(Int64(Date().timeIntervalSince1970 * 1000)))
    }
}
