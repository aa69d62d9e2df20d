import ArgumentParser
import Credentials

/// The time for which cards are linted or links are opened.
struct TimeOptions: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: ArgumentHelp("Check as of this time: RFC 3339, or seconds since 1970.", valueName: "time"),
        transform: Self.time)
    var at: NumericDate?

    /// Reads the value of `--at`.
    static func time(_ text: String) throws -> NumericDate {
        if let moment = moment(text) { return moment }
        throw ValidationError("--at needs a time: \(advice(on: text)).")
    }

    /// The earliest number that is read as seconds since 1970. It is in 1973, long before all cards. A smaller one is meant as a
    /// year, or a date without hyphens.
    private static let earliestNumber = NumericDate(sinceEpoch: .seconds(100_000_000))

    /// The moment that a text means; nil if it is not clear.
    fileprivate static func moment(_ text: String) -> NumericDate? {
        guard let moment = NumericDate(text: text) else { return nil }
        // A time in RFC 3339 has a colon, and a number has none.
        return moment < earliestNumber && !text.utf8.contains(UInt8(ascii: ":")) ? nil : moment
    }

    /// What to write in place of a value that is no time.
    fileprivate static func advice(on text: String) -> String {
        if text.utf8.elementsEqual("issued".utf8) { return "\"issued\" is only for commands that verify cards" }
        let digits = text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text : ""
        // A year, a month, a date, and a date without hyphens.
        let dates = [
            text, "\(text)-01", "\(text)-01-01",
            digits.utf8.count == 8 ? "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))" : "",
        ]
        for date in dates where date.utf8.count == 10 && NumericDate(text: "\(date)T00:00:00Z") != nil {
            let what =
                digits.isEmpty
                ? "a date alone" : "\(digits) as seconds since 1970 is no time of a card, and as a date it"
            return "\(what) does not say which moment is meant; write --at \(date)T00:00:00Z"
        }
        if text.utf8.count <= 40, NumericDate(text: "\(text)Z") != nil {
            return "it lacks the zone; write --at \(text)Z, or an offset such as +01:00 in place of the Z"
        }
        if NumericDate(text: text) != nil { return "as seconds since 1970, this is no time of a card" }
        return "RFC 3339 with a zone (2021-06-01T00:00:00Z), or seconds since 1970"
    }

    /// The time of `--at`, or the current time.
    var now: NumericDate { at ?? .now }
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
        if let moment = TimeOptions.moment(text) { return .given(moment) }
        throw ValidationError("--at needs a time, or \"issued\": \(TimeOptions.advice(on: text)).")
    }
}
