import Credentials
import SMARTHealthCards
import Testing

@testable import Evidence

struct FreshnessTests {
    private static let now = NumericDate(sinceEpoch: .seconds(784_111_777))  // Sun, 06 Nov 1994 08:49:37 GMT

    private static let stated: [(String, Int64)] = [
        ("max-age=3600", 3600), ("Max-Age=3600", 3600), ("public, max-age=3600", 3600), ("max-age=\"3600\"", 3600),
        (" max-age = 3600 ", 3600), ("max-age=3600,", 3600), ("max-age=3600, max-age=7200", 3600),
        ("max-age=7200, max-age=3600", 3600), ("s-maxage=9, max-age=3600", 3600),
        ("max-age=3600, must-revalidate", 3600), ("private, max-age=3600", 3600),
        // Never less than 5 minutes, nor more than 24 hours.
        ("max-age=0", 300), ("max-age=299", 300), ("max-age=86401", 86_400), ("max-age=31536000", 86_400),
        ("max-age=99999999999999999999999999", 86_400),
        // A value that is not a number counts as 0.
        ("max-age", 300), ("max-age=", 300), ("max-age=-1", 300), ("max-age=+9999", 300), ("max-age=3600.5", 300),
        ("max-age=1e9", 300), ("max-age=\u{0661}\u{0662}", 300), ("max-age=0x9999", 300),
        // A comma in quotation marks does not make the time longer.
        ("x=\", max-age=86400\", max-age=600", 600),
        // Must be confirmed each time.
        ("no-cache", 0), ("no-cache, max-age=3600", 0), ("no-cache=\"set-cookie\"", 0), ("NO-CACHE", 0),
    ]

    @Test(arguments: stated)
    func cacheControlAppliesWithinLimits(value: String, seconds: Int64) {
        #expect(Freshness(["cache-control": value], now: Self.now) == .lasts(seconds: seconds))
    }

    @Test(arguments: ["no-store", "max-age=3600, no-store", "no-cache, no-store", "No-Store", "no-store=1"])
    func keepsNoAnswerThatMustNotBeKept(value: String) {
        #expect(Freshness(["cache-control": value], now: Self.now) == .notKept)
    }

    @Test(arguments: [[:], ["cache-control": ""], ["cache-control": "public"], ["cache-control": ",,="], ["age": "9"]])
    func answersWithoutFreshnessAreFreshForAShortTime(headers: [String: String]) {
        #expect(Freshness(headers, now: Self.now) == nil)
        #expect(Freshness.unstated == .lasts(seconds: 300))
    }

    private static let dated: [([String: String], Int64)] = [
        (["cache-control": "max-age=3600", "age": "600"], 3000),
        (["cache-control": "max-age=3600", "age": "3600"], 300),
        (["cache-control": "max-age=3600", "age": "99999999999999999999"], 300),
        (["cache-control": "max-age=3600", "age": "-5"], 3600),
        (["cache-control": "max-age=3600", "age": "x"], 3600),
        (["expires": "Sun, 06 Nov 1994 09:49:37 GMT"], 3600),
        (["expires": "Sun, 06 Nov 1994 09:49:37 GMT", "age": "600"], 3000),
        (["expires": "Sun, 06 Nov 1994 10:49:37 GMT", "date": "Sun, 06 Nov 1994 09:49:37 GMT"], 3600),
        (["expires": "Sun, 06 Nov 1994 09:49:37 GMT", "cache-control": "max-age=600"], 600),
        (["expires": "Sun, 06 Nov 1994 08:49:37 GMT"], 300),
        (["expires": "Fri, 31 Dec 9999 23:59:59 GMT"], 86_400),
        (["expires": "0"], 300), (["expires": "-1"], 300), (["expires": "Sunday, 06-Nov-94 09:49:37 GMT"], 300),
    ]

    @Test(arguments: dated)
    func ageAndExpiryApply(headers: [String: String], seconds: Int64) {
        #expect(Freshness(headers, now: Self.now) == .lasts(seconds: seconds))
    }

    @Test func readsTheDateFormThatServersMustSend() {
        #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT") == Self.now)
        #expect(HTTPDate.parse("Thu, 29 Feb 2024 00:00:00 GMT") == NumericDate(text: "2024-02-29T00:00:00Z"))
        #expect(HTTPDate.parse("Tue, 31 Dec 2030 23:59:59 GMT") == NumericDate(text: "2030-12-31T23:59:59Z"))
    }

    @Test(
        arguments: [
            "", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 06 Nov 1994  08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 99994 08:49:37 GMT",
            "1994-11-06T08:49:37Z",
        ])
    func readsNoOther(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}
