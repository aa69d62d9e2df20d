package import Credentials

/// How long an answer may be used before its server must be asked again (RFC 9111 §4.2).
///
/// Servers often state this carelessly, and a withdrawn key must not stay in a cache for long (SHC-R6). So there is a
/// shortest and a longest time. If a server states nothing, the shortest time applies.
package enum Freshness: Sendable, Equatable {
    /// The answer must not be kept (`no-store`, RFC 9111 §5.2.2.5).
    case notKept
    /// The answer may be used for this many seconds. With 0 seconds, it must be confirmed each time (`no-cache`, RFC
    /// 9111 §5.2.2.4).
    case lasts(seconds: Int64)

    /// The shortest and the longest freshness, in seconds: 5 minutes and 24 hours.
    package static let bounds: ClosedRange<Int64> = 300...86_400
    /// The freshness of an answer whose server does not state it.
    static let unstated = Freshness.lasts(seconds: bounds.lowerBound)

    /// The freshness that the header fields of an answer state, or nil if they state none.
    ///
    /// - Parameters:
    ///   - headers: the header fields, with names in lower case.
    ///   - now: when the answer was requested, in case it has no date.
    package init?(_ headers: [String: String], now: NumericDate) {
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

    /// How long an answer is fresh by its own statement, in seconds, without the limits above. Nil if it states
    /// nothing.
    package static func statedSeconds(_ headers: [String: String], now: NumericDate) -> Int64? {
        let directives = directives(headers)
        if directives.contains(where: { $0.name == "no-store" || $0.name == "no-cache" }) { return 0 }
        return lifetime(directives, headers, now: now)
    }

    private static func directives(_ headers: [String: String]) -> [Directive] {
        // A quoted value may contain a comma. Splitting there can only make the time shorter.
        (headers["cache-control"] ?? "").split(separator: ",").map(Directive.init)
    }

    private static func lifetime(_ directives: [Directive], _ headers: [String: String], now: NumericDate) -> Int64? {
        let stated = directives.filter { $0.name == "max-age" }.map(\.seconds)
        return stated.min() ?? secondsToExpiry(headers, now: now)
    }

    /// The seconds until `Expires` (RFC 9111 §5.3), or nil if there is no such field.
    private static func secondsToExpiry(_ headers: [String: String], now: NumericDate) -> Int64? {
        guard let text = headers["expires"] else { return nil }
        guard let expires = HTTPDate.parse(text) else { return 0 }
        let sent = headers["date"].flatMap { HTTPDate.parse($0) } ?? now
        return (expires.sinceEpoch - sent.sinceEpoch).components.seconds
    }

    /// One directive of `Cache-Control` (RFC 9111 §5.2).
    private struct Directive {
        let name: String
        /// Its argument in seconds, or 0 if it is not a number.
        let seconds: Int64

        init(_ text: Substring) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            name = Self.trimmed(parts[0]).lowercased()
            seconds = parts.count == 2 ? Self.seconds(parts[1]) : 0
        }

        /// Reads a number of seconds, with or without quotes. The result is 0 if it is not a number, and a very long
        /// time if the number is too large (RFC 9111 §1.2.2).
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

/// The dates of HTTP (RFC 9110 §5.6.7).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads a date in the form that servers must send: `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Returns: nil for all other forms, including the two obsolete ones. If `Expires` cannot be read, the answer
    ///   counts as expired, as RFC 9111 §5.3 requires.
    static func parse(_ text: String) -> NumericDate? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(where: { $0 == parts[2] }) else {
            return nil
        }
        return NumericDate(text: "\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])Z")
    }
}
