import Credentials
import Cryptography
import Foundation
import HTTPSFetch
import SMARTHealthCards
import Synchronization
import TestSupport
import Testing

@testable import Evidence

/// An issuer without a server, a cache directory, and a clock that a test sets. Several runs share them, one after
/// another.
final class CacheFixture: Transport {
    /// A document that is served.
    struct Served: Sendable {
        var body: [UInt8]
        var headers: [String: String]
    }

    private struct State {
        var served: [String: Served] = [:]
        /// The answer to all requests, instead of the documents.
        var override: Result<HTTPResponse, TransportFailure>?
        var requests: [HTTPRequest] = []
        /// The time that each answer takes.
        var slowness = Duration.zero
        var instant = ContinuousClock.now
        var now = NumericDate(sinceEpoch: .seconds(1_800_000_000))
    }

    static let issuer = Issuer(unchecked: "https://issuer.example/shc")
    static let unreachable = TransportFailure(.connection, "no connection could be made")

    let temporary: TemporaryDirectory
    private let state = Mutex(State())

    init() throws {
        temporary = try TemporaryDirectory()
    }

    // MARK: The issuer

    /// Serves a document with these header fields, and answers 304 to requests that contain its entity tag or date.
    func serve(_ text: String, at url: String = issuer.keySetURL, headers: [String: String] = [:]) {
        state.withLock { $0.served[url] = Served(body: Array(text.utf8), headers: headers) }
    }

    /// Serves a key set of keys with these IDs.
    func serve(keys: [String], headers: [String: String] = ["etag": "\"1\""]) {
        serve(Self.keySet(keys), headers: headers)
    }

    /// Answers all requests with this. Nil to serve the documents.
    func answer(_ answer: Result<HTTPResponse, TransportFailure>?) {
        state.withLock { $0.override = answer }
    }

    static func keySet(_ keys: [String]) -> String {
        "{\"keys\":[\(keys.map { "{\"kty\":\"EC\",\"kid\":\"\($0)\"}" }.joined(separator: ","))]}"
    }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try state.withLock { state throws(TransportFailure) in
            state.requests.append(request)
            state.now = NumericDate(sinceEpoch: state.now.sinceEpoch + state.slowness)
            state.instant += state.slowness
            if let answer = state.override { return try answer.get() }
            guard let served = state.served[request.url] else { return HTTPResponse(status: 404) }
            guard served.body.count <= request.maximumBodySize else { throw .tooLarge(limit: request.maximumBodySize) }
            let isKnown =
                if let tag = request.entityTag { tag == served.headers["etag"] } else {
                    request.lastModified != nil && request.lastModified == served.headers["last-modified"]
                }
            return HTTPResponse(
                status: isKnown ? 304 : 200, headers: served.headers, body: isKnown ? [] : served.body)
        }
    }

    // MARK: Time

    var now: NumericDate { state.withLock { $0.now } }

    func advance(_ time: Duration) {
        state.withLock { $0.now = NumericDate(sinceEpoch: $0.now.sinceEpoch + time) }
    }

    /// Makes each answer take this time from now on.
    func slowDown(_ time: Duration) {
        state.withLock { $0.slowness = time }
    }

    // MARK: Runs

    var cache: IssuerCache { IssuerCache(directory: temporary.url.appendingPathComponent("cache/shcverify").path) }

    /// A new run.
    func client(
        maximumStaleness: Duration = .zero, offline: Bool = false, allowsPrivateNetwork: Bool = false,
        authorities: CertificateAuthorities? = nil, isCached: Bool = true, maximumListSize: Int = 128 << 20
    ) -> Run {
        let client = IssuerClient(
            by: offline ? nil : self,
            limits: IssuerClient.Limits(
                allowsPrivateNetwork: allowsPrivateNetwork, certificateAuthorities: authorities,
                maximumStaleness: maximumStaleness),
            cache: isCached ? cache : nil, maximumListSize: maximumListSize, clock: { self.now },
            stopwatch: { self.state.withLock { $0.instant } })
        return Run(client) { self.now }
    }

    /// Asks for the issuer's keys in a new run. The installation has no faults here.
    func keys(
        current: Bool = false, maximumStaleness: Duration = .zero, offline: Bool = false
    ) async -> Answered<IssuerKeys> {
        try! await client(maximumStaleness: maximumStaleness, offline: offline).keys(of: Self.issuer, current: current)
    }

    /// The files of the cache.
    var files: [URL] {
        let directory = URL(fileURLWithPath: cache.directory)
        return (try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)) ?? []
    }
}

/// A run, which asks for one document after another. It asks as many issuers as are named.
struct Run: Sendable {
    let client: IssuerClient
    let store: EvidenceStore

    init(_ client: IssuerClient, clock: @escaping @Sendable () -> NumericDate = { .now }) {
        self.client = client
        var limits = EvidenceStore.Limits(for: TrustedIssuers())
        limits.unknownIssuers = nil
        store = EvidenceStore(source: client, limits: limits, clock: clock)
    }

    /// Waits until nobody holds a list: the task that has fetched one may end later than those who waited for it.
    func holdsNoList() async throws -> Bool {
        _ = store.current
        let room = client.listBudget
        return try await eventually { room.take(room.maximum) != nil }
    }

    func keys(of issuer: Issuer, current: Bool) async throws -> Answered<IssuerKeys> {
        let (evidence, lifetime) = try await answer(current ? .currentKeys(issuer) : .keys(issuer))
        let failure = current ? evidence[.currentKeys(issuer)] : nil
        return Answered(try #require(failure ?? evidence[.keys(issuer)]), try #require(lifetime))
    }

    func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) async throws -> Answered<RevocationList> {
        let (evidence, lifetime) = try await answer(.revocationList(name, atLeast: counter))
        return Answered(try #require(evidence[.revocationList(name)]), try #require(lifetime))
    }

    private func answer(_ request: EvidenceRequest) async throws -> (EvidenceAnswers, AnswerLifetime?) {
        var caller = store.caller()
        let asked = store.ask(for: [request], by: &caller)
        var evidence = asked.held
        try await store.answers(to: asked.open, in: &evidence)
        guard let open = asked.open.first else {
            let answers = store.state.withLock { $0.kept.answers }
            return (evidence, (answers[request.kept] ?? answers[request.answered])?.lifetime)
        }
        return (evidence, try await open.task.value.get().lifetime)
    }
}

extension Answered {
    func get() throws(VerificationFailure) -> Content { try result.get() }
}

extension Answered<IssuerKeys> {
    /// The IDs of the keys, or nil for a failure.
    var keyIDs: [String]? { (try? get())?.set.keys.compactMap { $0.keyID?.description } }
    var origin: KeyOrigin? { (try? get())?.origin }
    var isCurrent: Bool? { (try? get())?.isCurrent }
    var staleness: Duration? { (try? get())?.staleness }
    var message: String {
        if case .failure(let failure) = result { failure.message } else { "" }
    }
}
