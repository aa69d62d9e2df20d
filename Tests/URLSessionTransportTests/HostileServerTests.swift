import Foundation
import HTTPSFetch
import TestSupport
import Testing

/// `shcverify-fetch` with a real HTTPS server, run by `FetchProcess` as `shcverify` does.
@Suite(.timeLimit(.minutes(30)))
struct HostileServerTests {
    private let issuer: TestIssuer
    private let fetcher = FetchProcess(executable: BuiltProduct.path(of: "shcverify-fetch"), environment: [:])

    init() throws {
        issuer = try TestIssuers.shared()
    }

    private func get(
        _ behaviour: String, port: String = "good", timeout: Duration = .seconds(600), limit: Int = 1 << 20
    ) async throws(TransportFailure) -> HTTPResponse {
        let path = "/\(behaviour)\(TestIssuers.keys)"
        return try await fetcher.send(
            HTTPRequest(
                url: issuer.url(path, port: port), timeout: timeout, maximumBodySize: limit, allowsPrivateNetwork: true,
                certificateAuthorityFile: issuer.authorityFile))
    }

    /// The failure of a request. The suite's time limit tests that it comes soon enough.
    private func failure(
        _ behaviour: String, port: String = "good", timeout: Duration = .seconds(600), limit: Int = 1 << 20
    ) async -> TransportFailure? {
        await #expect(throws: TransportFailure.self) {
            try await get(behaviour, port: port, timeout: timeout, limit: limit)
        }
    }

    @Test(arguments: ["redirect-1", "redirect-3", "compressed", "early-hints", "cookie", "trailer"])
    func acceptsWellFormedAnswers(behaviour: String) async throws {
        let response = try await get(behaviour)
        #expect(response.status == 200)
        #expect(response.body == Array(TestIssuers.keySet.utf8))
    }

    @Test(arguments: [204, 300, 304, 400, 403, 404, 410, 429, 500, 503])
    func reportsTheStatus(status: Int) async throws {
        let response = try await get("status-\(status)")
        #expect(response.status == status)
        #expect(response.body.isEmpty)
        #expect(response.headers["retry-after"] == ([429, 503].contains(status) ? "120" : nil))
    }

    @Test(arguments: [("auth", 401), ("auth-unknown", 401), ("redirect-nowhere", 302)])
    func needsNoAnswerFromADelegate(behaviour: String, status: Int) async throws {
        #expect(try await get(behaviour).status == status)
    }

    @Test(arguments: [("html", "<!DOCTYPE html><title>Welcome</title>"), ("empty", "")])
    func leavesTheContentToTheReader(behaviour: String, content: String) async throws {
        #expect(try await get(behaviour).body == Array(content.utf8))
    }

    @Test func returnsTheReadablePartOfACutCompressedBody() async throws {
        let body = try await get("compressed-cut").body
        #expect(body.count < TestIssuers.keySet.utf8.count)
        #expect(Array(TestIssuers.keySet.utf8).starts(with: body))
    }

    /// A sanitizer handles a signal before the system does, and exits.
    private static let crash = BuiltProduct.hasShadowMemory ? "ended" : "ended by what the server sent"

    @Test(
        arguments: [
            ("redirect-http", TransportFailure.Kind.redirect, "away from https, to http"),
            ("redirect-file", .redirect, "away from https"), ("redirect-loop", .redirect, "more than 3 times"),
            ("redirect-4", .redirect, "more than 3 times"), ("redirect-garbage", .redirect, "not a URL"),
            ("endless", .tooLarge, "1 MiB"), ("compressed-bomb", .tooLarge, "1 MiB"),
            ("content-length-max", .tooLarge, "1 MiB"), ("content-length-beyond", .tooLarge, "1 MiB"),
            ("content-length-negative", .protocolError, "Content-Length"),
            ("compressed-garbage", .protocolError, "compression"),
            ("closed", .protocolError, "in the middle"), ("closed-early", .protocolError, "without an answer"),
            ("reset", .protocolError, "broke"), ("garbage", .protocolError, "not HTTP"),
            ("http09", .protocolError, "not HTTP"),
            ("status-garbage", .protocolError, "not HTTP"), ("endless-headers", .protocolError, "header"),
            ("huge-header", .protocolError, "header"), ("crash", .fetcher, Self.crash),
        ])
    func saysWhatIsWrong(behaviour: String, kind: TransportFailure.Kind, words: String) async throws {
        let failure = try #require(await failure(behaviour))
        #expect(failure.kind == kind)
        #expect(failure.message.contains(words), "\(failure.message)")
    }

    /// All at the same time, since each takes the whole time that it has.
    @Test func limitsTheTimeForAnAnswer() async throws {
        await withTaskGroup(of: Void.self) { group in
            for behaviour in ["drip", "slow-headers", "silent", "redirect-endless", "redirect-bomb"] {
                group.addTask {
                    let failure = await failure(behaviour, timeout: .milliseconds(1500))
                    #expect(
                        failure == TransportFailure(.timeout, "no complete answer within 1.5 seconds"), "\(behaviour)")
                }
            }
        }
    }

    @Test(
        arguments: [
            ("expired", TransportFailure.Kind.certificate, "has expired"),
            ("notYetValid", .certificate, "not valid yet"),
            ("wrongHost", .certificate, "another host"), ("selfSigned", .certificate, "self-signed"),
            ("incomplete", .certificate, "does not send"), ("tls11", .tls, "TLS 1.2"),
            ("plain", .tls, "does not speak TLS"),
            ("closed", .connection, "refused"),
        ])
    func tellsConnectionsApart(port: String, kind: TransportFailure.Kind, words: String) async throws {
        let failure = try #require(await failure("issuer", port: port))
        #expect(failure.kind == kind)
        #expect(failure.message.contains(words), "\(failure.message)")
        #expect(try issuer.requests().filter { $0.port == port }.isEmpty)
    }

    @Test func limitsTheTimeForAHandshake() async throws {
        let failure = try #require(await failure("issuer", port: "hang", timeout: .milliseconds(700)))
        #expect(failure == TransportFailure(.timeout, "no complete answer within 0.7 seconds"))
    }

    @Test func limitsTheBodyToTheByte() async throws {
        #expect(try await get("large/2", limit: 2 << 20).body.count == 2 << 20)
        #expect(await failure("large/2", limit: 2 << 20 - 1)?.kind == .tooLarge)
        let size = TestIssuers.keySet.utf8.count
        #expect(try await get("compressed", limit: size).body.count == size)
        #expect(await failure("compressed", limit: size - 1)?.kind == .tooLarge)
    }
}
