import Credentials
import Cryptography
import Directories
import HTTPSFetch
import Synchronization
import Testing

@testable import Evidence

/// The requests of `IssuerProbe`, and its conclusions from the answers.
struct IssuerProbeTests {
    private let issuer = Issuer(unchecked: "https://issuer.example/shc")

    /// A server whose answers depend on the requests.
    private final class Server: Transport {
        let answer: @Sendable (HTTPRequest) throws(TransportFailure) -> HTTPResponse
        private let log = Mutex<[HTTPRequest]>([])

        init(_ answer: @escaping @Sendable (HTTPRequest) throws(TransportFailure) -> HTTPResponse) {
            self.answer = answer
        }

        var requests: [HTTPRequest] { log.withLock { $0 } }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            log.withLock { $0.append(request) }
            return try answer(request)
        }
    }

    private func keySet(_ members: [String]) -> HTTPResponse {
        HTTPResponse(status: 200, body: Array("{\"keys\":[\(members.joined(separator: ","))]}".utf8))
    }

    private func answers(
        // A busy machine may take many seconds between two requests.
        _ limits: IssuerClient.Limits = .init(timeout: .seconds(3600)),
        _ answer: @escaping @Sendable (HTTPRequest) throws(TransportFailure) -> HTTPResponse
    ) async -> (PublishedIssuer, [HTTPRequest]) {
        let server = Server(answer)
        return (try! await IssuerProbe(transport: server, limits: limits).answers(of: issuer), server.requests)
    }

    @Test(
        arguments: [
            (TransportFailure(.unresolvedName, "x"), PublishedAnswer.Failure.Detail.unresolvedName),
            (TransportFailure.timeout(after: .seconds(1)), .timeout), (TransportFailure(.connection, "x"), nil),
            (TransportFailure(.connection, TransportFailure.Cause.refusedConnection.rawValue), .refusedConnection),
            (TransportFailure(.certificate, TransportFailure.Cause.otherHost.rawValue), .otherHost),
            (TransportFailure(.certificate, TransportFailure.Cause.expiredCertificate.rawValue), .expiredCertificate),
            (TransportFailure(.certificate, TransportFailure.Cause.selfSigned.rawValue), .unknownAuthority),
        ] as [(TransportFailure, PublishedAnswer.Failure.Detail?)])
    func tellsCausesApart(failure: TransportFailure, detail: PublishedAnswer.Failure.Detail?) {
        #expect(PublishedAnswer.Failure(failure).detail == detail)
    }

    @Test func asksForTheKeySetByEveryVersionOfTLS() async throws {
        let keySet = keySet([])
        let limits = IssuerClient.Limits(
            timeout: .seconds(3600), allowsPrivateNetwork: true,
            certificateAuthorities: CertificateAuthorities(file: "/roots.pem", content: []))
        let (answers, requests) = await answers(limits) { _ throws(TransportFailure) in keySet }
        #expect(requests.map(\.tls.rawValue).sorted() == TLSVersions.allCases.map(\.rawValue).sorted())
        #expect(requests.first?.tls == .standard)
        for request in requests {
            #expect(request.url == issuer.keySetURL && request.origin == IssuerProbe.origin)
            #expect(request.allowsPrivateNetwork && request.certificateAuthorityFile == "/roots.pem")
            #expect(request.timeout > .zero && request.timeout <= .seconds(3600))
            #expect(request.maximumRedirects == (request.tls == .standard ? 3 : 0))
            #expect(request.maximumBodySize == (request.tls == .standard ? Bounds.keySetSize : 0))
        }
        #expect(
            answers.tls
                == .init(
                    version13: .accepted, version12: .accepted, legacy: .accepted, staticRSA: .accepted,
                    ffdhe: .accepted,
                    strongFFDHE: .accepted))
        #expect(try answers.keySet.result.get().body == keySet.body)
        #expect(answers.lists.isEmpty && answers.furtherLists == 0)
    }

    @Test(
        arguments: [
            (TransportFailure.Kind.tls, PublishedIssuer.Acceptance.refused), (.certificate, .accepted),
            (.tooLarge, .accepted), (.redirect, .accepted), (.timeout, .unknown), (.connection, .unknown),
            (.protocolError, .unknown), (.fetcher, .unknown), (.cancelled, .unknown),
        ])
    func tellsByTheFailureWhetherAVersionIsAccepted(
        kind: TransportFailure.Kind, acceptance: PublishedIssuer.Acceptance
    ) async {
        let (answers, _) = await answers { request throws(TransportFailure) in
            guard request.tls == .standard else { throw TransportFailure(kind, "words") }
            return HTTPResponse(status: 404)
        }
        #expect(
            answers.tls
                == .init(
                    version13: acceptance, version12: acceptance, legacy: acceptance, staticRSA: acceptance,
                    ffdhe: acceptance, strongFFDHE: acceptance == .accepted ? .accepted : .unknown))
    }

    @Test func installationFaultsAreNotBlamedOnTheIssuer() async {
        let missing = Server { _ throws(TransportFailure) in throw TransportFailure(.installation, "missing") }
        await #expect(throws: InstallationFault("missing")) {
            _ = try await IssuerProbe(transport: missing, limits: .init()).answers(of: issuer)
        }
    }

    @Test(arguments: TransportFailure.Kind.allCases.filter { $0 != .installation })
    func stopsIfTheServerCannotBeReached(kind: TransportFailure.Kind) async throws {
        let (answers, requests) = await answers { _ throws(TransportFailure) in throw TransportFailure(kind, "words") }
        let isReached = [.tls, .certificate, .tooLarge, .redirect, .protocolError].contains(kind)
        let isAccepted = [.certificate, .tooLarge, .redirect].contains(kind)
        #expect(requests.count == (isAccepted ? 7 : isReached ? 6 : 1))
        let failure = #expect(throws: PublishedAnswer.Failure.self) { try answers.keySet.result.get() }
        #expect(failure?.message == "words")
    }

    @Test(arguments: ["https://issuer.example/", "http://issuer.example", "issuer.example", "", "https://a@b.example"])
    func sendsNoRequestToAnInvalidIssuer(url: String) async throws {
        let server = Server { _ throws(TransportFailure) in HTTPResponse(status: 200) }
        let answers = try await IssuerProbe(transport: server, limits: .init()).answers(of: Issuer(unchecked: url))
        let failure = #expect(throws: PublishedAnswer.Failure.self) { try answers.keySet.result.get() }
        #expect(failure?.kind == .invalidURL)
        #expect(server.requests.isEmpty)
    }

    @Test func asksForTheListsOfKeysThatHaveOne() async throws {
        let keySet = keySet([
            #"{"kid":"a","crlVersion":1}"#, #"{"kid":"b"}"#, #"{"kid":"a","crlVersion":2}"#,
            #"{"kid":"../c","crlVersion":1}"#, #"{"crlVersion":1}"#, #"{"kid":"","crlVersion":1}"#, "1",
            #"{"kid":"\#(String(repeating: "d", count: 257))","crlVersion":1}"#,
        ])
        let (answers, requests) = await answers { request throws(TransportFailure) in
            request.url.hasSuffix("jwks.json") ? keySet : HTTPResponse(status: 200, body: Array("{}".utf8))
        }
        let urls = ["a", "%2E%2E%2Fc"].map { "https://issuer.example/shc/.well-known/crl/\($0).json" }
        #expect(answers.lists.map(\.answer.url) == urls)
        #expect(answers.lists.map(\.keyID) == [KeyID("a"), KeyID("../c")])
        let asked = requests.filter { $0.url.contains("/crl/") }
        #expect(asked.map(\.url) == urls)
        #expect(asked.allSatisfy { $0.origin == IssuerProbe.origin && $0.tls == .standard })
        // All lists together are no larger than a single one may be.
        #expect(asked.map(\.maximumBodySize) == [Bounds.revocationListSize, Bounds.revocationListSize - 2])
    }

    @Test func limitsTheNumberOfLists() async throws {
        let keySet = keySet((0..<20).map { #"{"kid":"\#($0)","crlVersion":1}"# })
        let (answers, requests) = await answers { request throws(TransportFailure) in
            request.url.hasSuffix("jwks.json") ? keySet : HTTPResponse(status: 404)
        }
        #expect(answers.lists.count == 16 && answers.furtherLists == 4)
        #expect(requests.count == 23)
    }

    @Test func requestsNoListsWithoutAKeySet() async {
        for body in ["", "<html>", "{", "[]", #"{"keys":1}"#, #"{"keys":[{"kid":"a","crlVersion":1}]"#] {
            let (answers, requests) = await answers { _ throws(TransportFailure) in
                HTTPResponse(status: 200, body: Array(body.utf8))
            }
            #expect(answers.lists.isEmpty && requests.count == 7)
        }
    }

    @Test func allRequestsShareOneTimeLimit() async {
        let keySet = keySet([#"{"kid":"a","crlVersion":1}"#])
        let (answers, requests) = await answers(.init(timeout: .zero)) { _ throws(TransportFailure) in keySet }
        let failure = #expect(throws: PublishedAnswer.Failure.self) { try answers.keySet.result.get() }
        #expect(failure?.kind == .unreachable)
        #expect(requests.isEmpty)
    }

    @Test(
        arguments: [
            ([:], nil), (["cache-control": "max-age=172800"], 172_800), (["cache-control": "no-store"], 0),
            (["cache-control": "public, no-cache, max-age=99999"], 0), (["cache-control": "public"], nil),
            (
                ["expires": "Sat, 28 Nov 2026 06:00:00 GMT", "date": "Sat, 21 Nov 2026 06:00:00 GMT"],
                604_800
            ),
            (["expires": "0"], 0), (["cache-control": "max-age=60, max-age=9000000"], 60),
        ] as [([String: String], Int64?)])
    func reportsTheFreshnessThatTheServerStates(headers: [String: String], seconds: Int64?) async throws {
        let (answers, _) = await answers { _ throws(TransportFailure) in HTTPResponse(status: 200, headers: headers) }
        #expect(try answers.keySet.result.get().statedFreshness == seconds)
    }
}
