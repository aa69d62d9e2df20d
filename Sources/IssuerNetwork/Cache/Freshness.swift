internal import SMARTHealthCards

/// For how long an answer may be used before its server has to be asked again (RFC 9111 §4.2).
///
/// What servers say of it is seldom thought through, and a key that was withdrawn must not live on in a cache
/// (SHC-R6). So what they say is heard between two bounds, and a server that says nothing is taken for the lower one.
enum Freshness: Sendable, Equatable {
    /// The answer must not be kept.
    case notKept
    /// The answer may be used for so many seconds; 0 where it has to be confirmed each time.
    case lasts(seconds: Int64)

    /// What is heard: 5 minutes to 24 hours.
    static let bounds: ClosedRange<Int64> = 300...86_400
    /// The freshness of an answer that says nothing of it.
    static let unstated = Freshness.lasts(seconds: bounds.lowerBound)

    /// What the header fields of an answer say; nil if they say nothing.
    ///
    /// - Parameters:
    ///   - headers: names in lower case.
    ///   - now: when the answer was asked for, in case it has no date.
    init?(_ headers: [String: String], now: NumericDate) {
        let directives = Self.directives(headers)
        if directives.contains(where: { $0.name == "no-store" }) {
            self = .notKept
        } else if directives.contains(where: { $0.name == "no-cache" }) {
            self = .lasts(seconds: 0)
        } else {
            guard let lifetime = Self.lifetime(directives, headers, now: now) else { return nil }
            let age = headers["age"].map { Directive.seconds($0[...]) } ?? 0
            self = .lasts(seconds: min(max(lifetime - age, Self.bounds.lowerBound), Self.bounds.upperBound))
        }
    }

    /// For how many seconds an answer is fresh by its own words, whatever they are worth; nil if they say nothing.
    static func statedSeconds(_ headers: [String: String], now: NumericDate) -> Int64? {
        let directives = directives(headers)
        if directives.contains(where: { $0.name == "no-store" || $0.name == "no-cache" }) { return 0 }
        return lifetime(directives, headers, now: now)
    }

    private static func directives(_ headers: [String: String]) -> [Directive] {
        // A value in quotes may hold a comma. What is cut off there can only shorten the time.
        (headers["cache-control"] ?? "").split(separator: ",").map(Directive.init)
    }

    private static func lifetime(_ directives: [Directive], _ headers: [String: String], now: NumericDate) -> Int64? {
        let stated = directives.filter { $0.name == "max-age" }.map(\.seconds)
        return stated.min() ?? secondsToExpiry(headers, now: now)
    }

    /// What `Expires` says (RFC 9111 §5.3); nil if there is none.
    private static func secondsToExpiry(_ headers: [String: String], now: NumericDate) -> Int64? {
        guard let text = headers["expires"] else { return nil }
        guard let expires = HTTPDate.parse(text) else { return 0 }
        let sent = headers["date"].flatMap { HTTPDate.parse($0) } ?? now
        return (expires.sinceEpoch - sent.sinceEpoch).components.seconds
    }

    /// One directive of `Cache-Control` (RFC 9111 §5.2).
    private struct Directive {
        let name: String
        /// Its argument as a time; 0 where it is none.
        let seconds: Int64

        init(_ text: Substring) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            name = Self.trimmed(parts[0]).lowercased()
            seconds = parts.count == 2 ? Self.seconds(parts[1]) : 0
        }

        /// A number of seconds, in quotes or not; 0 where it is none, and a very long time where it is beyond that.
        static func seconds(_ text: Substring) -> Int64 {
            let digits = trimmed(text)
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
            return Int64(UInt32(digits) ?? .max)
        }

        private static func trimmed(_ text: Substring) -> Substring {
            let isFiller = { (character: Character) in character == " " || character == "\t" || character == "\"" }
            var text = text.drop(while: isFiller)
            while let last = text.last, isFiller(last) { text.removeLast() }
            return text
        }
    }
}
