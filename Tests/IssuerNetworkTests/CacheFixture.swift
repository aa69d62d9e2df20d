import Credentials
import Foundation
import HTTPSFetch
import JOSE
import SMARTHealthCards
import Synchronization
import TestSupport

@testable import IssuerNetwork

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

    /// Makes the client of a new run.
    func client(
        maximumStaleness: Duration = .zero, offline: Bool = false, allowsPrivateNetwork: Bool = false,
        authorities: CertificateAuthorities? = nil, isCached: Bool = true, maximumListSize: Int = 128 << 20
    ) -> IssuerClient {
        IssuerClient(
            reach: offline ? .none(.offline) : .transport(self),
            limits: IssuerClient.Limits(
                allowsPrivateNetwork: allowsPrivateNetwork, certificateAuthorities: authorities,
                maximumStaleness: maximumStaleness),
            cache: isCached ? cache : nil, maximumListSize: maximumListSize, clock: { self.now },
            stopwatch: { self.state.withLock { $0.instant } })
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
