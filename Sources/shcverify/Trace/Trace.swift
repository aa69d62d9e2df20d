import CredentialReports
import Credentials
import Encodings
import Evidence
import HTTPSFetch
import HealthCertificates
import Synchronization

/// Prints on standard error what a run does: its requests, what the cache had, why a key and an issuer were accepted, and how long each
/// step took. `-v` asks for it.
///
/// It may be logged, like the messages of `--quiet`: no line has a person, a record or a date of a card, unless the maker of a card has
/// hidden one in the issuer's URL or the key ID. The address of a SMART Health Link is a secret, and that of a provider or of a card
/// identifies a patient, so for these only the server is named. The query of any other URL may contain a token, and is left out.
struct Trace: Sendable {
    /// How much is printed: nothing, what is done, or sizes too.
    enum Level: Int, Comparable, Sendable {
        case none, steps, sizes

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    let level: Level

    /// Whether anything is printed. If not, nothing is measured either.
    var isOn: Bool { level > .none }

    /// Prints a line.
    private func say(_ line: String) { StandardStreams.warn("trace: \(line)") }

    // MARK: Steps

    /// The time at which a step begins; nil if nothing is printed.
    var start: ContinuousClock.Instant? { isOn ? .now : nil }

    /// Prints how long a step took.
    ///
    /// - Parameter step: what was done, in words.
    func end(_ start: ContinuousClock.Instant?, _ step: @autoclosure () -> String) {
        guard let start else { return }
        say("\(step()) in \(Self.milliseconds(since: start))")
    }

    /// Prints what verifies signatures faster than OpenSSL's usual verification.
    func noteSignatures(_ words: @autoclosure () -> String) { if isOn { say("signatures: \(words())") } }

    // MARK: Requests and cache

    /// A transport that prints what it does; the same transport if nothing is printed.
    ///
    /// - Parameter isSecret: whether only the server of a URL may be named.
    func transport(_ transport: any Transport, isSecret: Bool = false) -> any Transport {
        isOn ? TracedTransport(transport: transport, trace: self, isSecret: isSecret) : transport
    }

    /// What a client calls when it looks into its cache; nil if nothing is printed.
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

    /// Prints why the cache is not used.
    func noteUnusableCache(_ problem: String) { if isOn { say("cache not used: \(problem)") } }

    /// Prints how a request ended.
    func note(
        _ request: HTTPRequest, isSecret: Bool, since start: ContinuousClock.Instant,
        _ result: Result<HTTPResponse, TransportFailure>
    ) {
        let method = request.method == .get ? "GET" : "POST"
        // A query may contain a token.
        let query = request.url.utf8.firstIndex(of: UInt8(ascii: "?"))
        let place =
            isSecret
            ? (try? HTTPSURL(request.url))?.origin ?? "an address that is not a URL"
            : query.map { "\(request.url[..<$0])?…" } ?? request.url
        let condition = request.entityTag != nil || request.lastModified != nil ? " if it has changed" : ""
        let proxy =
            EnvironmentProxy.address(for: request.url).map { " through the proxy \($0.quoted(upTo: 300))" } ?? ""
        var words = "\(method) \(place.quoted(upTo: Self.longestURL))\(condition)\(proxy): "
        switch result {
        case .success(let response):
            words += "\(response.status) after \(Self.milliseconds(since: start))"
            if !response.redirects.isEmpty { words += ", redirected \(response.redirects.count)×" }
            if level >= .sizes { words += ", \(response.body.count) bytes" }
        case .failure(let failure):
            // The message could repeat the address.
            let isShort = isSecret || query != nil
            words += "\(isShort ? failure.kind.rawValue : failure.message) after \(Self.milliseconds(since: start))"
        }
        say(words)
    }

    // MARK: Lists

    /// Prints what is known about the proof of a trust list.
    func note(_ proof: ListProof.Outcome, of source: String) {
        guard isOn else { return }
        let words =
            switch proof {
            case .verified(let list): "proof\(list.statement.words) verified by the key \(list.thumbprint)"
            case .unchecked(let statement): "proof\(statement.words) not checked, since no --list-key was given"
            case .uncheckable(let problem, _): "proof not checked, since it cannot be: \(problem.description)"
            case .absent: "proof not checked, since there is none"
            case .noKey, .invalid: proof.words
            }
        say("\(source): \(words)")
    }

    // MARK: Verdicts

    /// Prints why the key and the issuer of a card were accepted, and how its checks ended.
    func note(_ verdict: Verdict) {
        guard isOn else { return }
        let source = verdict.examined.presented.source
        if let issuer = Self.issuer(of: verdict) { say("\(source): issuer \(issuer)") }
        if let key = Self.key(of: verdict) { say("\(source): key \(key)") }
        let checks = verdict.checks.map { "\($0.word) \($0.why?.words ?? $0.status.rawValue)" }
        say("\(source): \(checks.joined(separator: ", "))")
    }

    /// Prints why the key and the issuer of a card of a batch were accepted, unless an earlier card had the same ones.
    ///
    /// - Parameter noted: what was printed before.
    func note(_ verdict: Verdict, unlessIn noted: NotedKeys) {
        guard isOn else { return }
        let lines = [
            Self.issuer(of: verdict).map { "issuer \($0)" },
            Self.key(of: verdict, isOfBatch: true).map { "key \($0)" },
        ]
        for line in lines.compactMap({ $0 }) where noted.isNew(line) { say(line) }
    }

    /// The issuer of a card, and why it was trusted or not. For a verified certificate, it is the signer that is trusted.
    private static func issuer(of verdict: Verdict) -> String? {
        if verdict.verified != nil, verdict.isHCERT {
            let signer = verdict.signerCountry?.quoted(upTo: longestURL) ?? "of an unknown country"
            let claim = verdict.claims?.issuer.map { "; the certificate says \($0.quoted(upTo: longestURL))" } ?? ""
            return "\(signer): \(words(for: verdict.issuerTrust))\(claim)"
        }
        let trust =
            verdict.lacksTrustLists ? "not checked, because no trust list was given" : words(for: verdict.issuerTrust)
        return verdict.claims?.issuer.map { "\($0.quoted(upTo: longestURL)): \(trust)" }
    }

    /// The key that a card names, and where it was found or searched for.
    private static func key(of verdict: Verdict, isOfBatch: Bool = false) -> String? {
        guard let keyID = verdict.claims?.keyID else { return nil }
        var words = keyID.quoted(upTo: 100)
        let owner = verdict.isHCERT ? verdict.signerCountry.map { UTF8Text($0) } : verdict.claims?.issuer
        if isOfBatch, let owner { words += " of \(owner.quoted(upTo: longestURL))" }
        let isFound = verdict.checks.contains { $0.name == .key && $0.status == .pass }
        guard let origin = verdict.keyOrigin else { return words + ": none was found, or none was sought" }
        words += isFound ? ": " : ": not found, or not usable, among the keys "
        words += Self.words(for: origin)
        // In a batch, the age would make each line different.
        if !isOfBatch, let retrieved = verdict.keyRetrieved {
            let age = NumericDate.now.sinceEpoch - retrieved.sinceEpoch
            if age >= .zero { words += ", retrieved \(Self.words(for: age)) ago" }
        }
        return words
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

/// The issuers and keys that a trace has named. It is shared by the threads of a batch.
final class NotedKeys: Sendable {
    /// The maximum number of lines, because a batch may name any number of keys.
    private static let maximumLines = 1000

    private let lines = Mutex<Set<[UInt8]>>([])

    /// Whether a line was not printed before and may still be printed. From now on it counts as printed.
    func isNew(_ line: String) -> Bool {
        lines.withLock { $0.count < Self.maximumLines && $0.insert(Array(line.utf8)).inserted }
    }
}

/// Makes requests by another transport, and prints how each of them ended.
struct TracedTransport: Transport {
    let transport: any Transport
    let trace: Trace
    /// Whether only the server of a URL may be named.
    let isSecret: Bool

    var checksAddresses: Bool { transport.checksAddresses }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let start = ContinuousClock.now
        do throws(TransportFailure) {
            let response = try await transport.send(request)
            trace.note(request, isSecret: isSecret, since: start, .success(response))
            return response
        } catch {
            trace.note(request, isSecret: isSecret, since: start, .failure(error))
            throw error
        }
    }
}
