import Credentials
import HTTPSFetch
import IssuerNetwork
import JSON
import Reports
import SMARTHealthCards

/// Says on standard error what a run does: its requests, what the cache had, why a key and an issuer were taken, and how long each step
/// took. `-v` asks for it.
///
/// It may be logged as the messages of `--quiet` may: no line has a person, a record or a date of a card. The address of a SMART
/// Health Link is a secret, and that of a provider names a patient, so of these only the server is named.
struct Trace: Sendable {
    /// How much is said: nothing, what is done, or sizes too.
    enum Level: Int, Comparable, Sendable {
        case none, steps, sizes

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    let level: Level

    /// Whether anything is said. If not, nothing is measured either.
    var isOn: Bool { level > .none }

    /// Prints a line.
    private func say(_ line: String) { StandardStreams.warn("trace: \(line)") }

    // MARK: Steps

    /// The moment at which a step begins; nil if nothing is said.
    var start: ContinuousClock.Instant? { isOn ? .now : nil }

    /// Says how long a step took.
    ///
    /// - Parameter step: what was done, in words.
    func end(_ start: ContinuousClock.Instant?, _ step: @autoclosure () -> String) {
        guard let start else { return }
        say("\(step()) in \(Self.milliseconds(since: start))")
    }

    // MARK: Requests and cache

    /// A transport that says what it does; the same transport if nothing is said.
    ///
    /// - Parameter isSecret: whether only the server of a URL may be named.
    func transport(_ transport: any Transport, isSecret: Bool = false) -> any Transport {
        isOn ? TracedTransport(transport: transport, trace: self, isSecret: isSecret) : transport
    }

    /// What a client calls when it looks into its cache; nil if nothing is said.
    var noteLookup: (@Sendable (CacheLookup) -> Void)? {
        guard isOn else { return nil }
        return { lookup in note(lookup) }
    }

    private func note(_ lookup: CacheLookup) {
        var words = "cache: \(lookup.url.quoted(upTo: Self.longestURL)): "
        switch lookup.copy {
        case .missing: words += "miss"
        case .fresh: words += "hit, fresh"
        case .stale(let past):
            words +=
                past.map { "hit, but stale for \(Self.words(for: $0))" }
                ?? "hit, but from the future, by this machine's clock"
        }
        if let age = lookup.age, age >= .zero { words += ", \(Self.words(for: age)) old" }
        if level >= .sizes, let size = lookup.size { words += ", \(size) bytes" }
        say(words)
    }

    /// Says how a request ended.
    func note(
        _ request: HTTPRequest, isSecret: Bool, since start: ContinuousClock.Instant,
        _ result: Result<HTTPResponse, TransportFailure>
    ) {
        let method = request.method == .get ? "GET" : "POST"
        let place = isSecret ? (try? HTTPSURL(request.url))?.origin ?? "an address that is no URL" : request.url
        let condition = request.entityTag != nil || request.lastModified != nil ? " if it has changed" : ""
        var words = "\(method) \(place.quoted(upTo: Self.longestURL))\(condition): "
        switch result {
        case .success(let response):
            words += "\(response.status) after \(Self.milliseconds(since: start))"
            if !response.redirects.isEmpty { words += ", redirected \(response.redirects.count)×" }
            if level >= .sizes { words += ", \(response.body.count) bytes" }
        case .failure(let failure):
            // The message could repeat the address.
            words += "\(isSecret ? failure.kind.rawValue : failure.message) after \(Self.milliseconds(since: start))"
        }
        say(words)
    }

    // MARK: Verdicts

    /// Says why the key and the issuer of a card were taken, and how its checks ended.
    func note(_ verdict: Verdict) {
        guard isOn else { return }
        let source = verdict.examined.presented.source
        if let issuer = verdict.claims?.issuer {
            say("\(source): issuer \(issuer.quoted(upTo: Self.longestURL)): \(Self.words(for: verdict.issuerTrust))")
        }
        if let keyID = verdict.claims?.keyID {
            var words = "\(source): key \(keyID.quoted(upTo: 100)): "
            words += verdict.keyOrigin.map { Self.words(for: $0) } ?? "none was found, or none was sought"
            if let retrieved = verdict.keyRetrieved {
                let age = NumericDate.now.sinceEpoch - retrieved.sinceEpoch
                if age >= .zero { words += ", retrieved \(Self.words(for: age)) ago" }
            }
            say(words)
        }
        let checks = verdict.checks.map { "\($0.name.rawValue) \($0.status.rawValue)" }
        say("\(source): \(checks.joined(separator: ", "))")
    }

    private static func words(for trust: IssuerTrust) -> String {
        switch trust {
        case .directory: "trusted, because a list of --directory has it"
        case .allowList: "trusted, because --trust names it"
        case .certificate: "trusted, because a certificate of its key leads to --anchor"
        case .jwks: "trusted, because its keys were given with --jwks"
        case .unchecked: "its trust was not checked"
        case .untrusted: "not trusted, because no list has it"
        }
    }

    private static func words(for origin: KeyOrigin) -> String {
        switch origin {
        case .jwksFile: "from a file of --jwks"
        case .directory: "from a list of --directory"
        case .cache: "from the cache"
        case .network: "from the issuer's server"
        }
    }

    // MARK: Words

    private static let longestURL = 2048

    private static func milliseconds(since start: ContinuousClock.Instant) -> String {
        let (seconds, attoseconds) = start.duration(to: .now).components
        let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    private static func words(for duration: Duration) -> String {
        let seconds = duration.components.seconds
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
