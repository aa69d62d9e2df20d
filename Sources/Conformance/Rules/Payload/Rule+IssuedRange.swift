import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    static let issuedRange = Rule(
        "not-yet-valid", "nbf-range", .p4,
        requirement: "\"nbf\" is a date in seconds since 1970, not in milliseconds.",
        remedy: "Divide by 1000: Date.now() and System.currentTimeMillis() give milliseconds.",
        check: .payload { payload in
            guard let value = payload.value?["nbf"], let number = value.number else { return [] }
            return dateProblem(number, at: value).map { [$0] } ?? []
        })

    /// What is wrong with a number that cannot be right as a date.
    static func dateProblem(_ number: JSONNumber, at value: JSONValue) -> Problem? {
        let date = NumericDate(number)
        if let date, NumericDate.range.contains(date) { return nil }
        guard let date, date.isPlausiblyMilliseconds else {
            return Problem("this is no date of the years 1970 to 9999: \(value.excerpt)", at: value)
        }
        let meant = NumericDate(sinceEpoch: date.sinceEpoch / 1000)
        return Problem("this makes sense only in milliseconds (\(meant)): \(value.excerpt)", at: value)
    }
}
