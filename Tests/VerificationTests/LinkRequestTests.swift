import Credentials
import Evidence
import Foundation
import HTTPSFetch
import Synchronization
import Testing
import Verification

/// What a SMART Health Link may make the library request, by a transport that keeps count and has nothing.
@Suite(.timeLimit(.minutes(30))) struct LinkRequestTests {
    private final class Counter: Transport {
        let urls = Mutex<[String]>([])

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            urls.withLock { $0.append(request.url) }
            return HTTPResponse(status: 404)
        }
    }

    private static let now: Int64 = 1_780_272_000

    /// A link to a server, with more members of its payload as JSON.
    private static func link(to url: String = "https://links.example/a", _ members: String = "") -> [UInt8] {
        let key = String(repeating: "A", count: 43)
        let payload = Data(#"{"url":"\#(url)","key":"\#(key)"\#(members)}"#.utf8).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
        return Array("shlink:/\(payload)".utf8)
    }

    /// The reasons of the verdicts on an input, and the addresses that were requested.
    private func follow(
        _ input: [UInt8], allowedOrigins: [String]? = nil
    ) async throws -> (reasons: [ReasonCode?], urls: [String]) {
        let counter = Counter()
        let client = LinkClient(
            transport: counter, limits: LinkClient.Limits(allowedOrigins: allowedOrigins), recipient: "a test"
        ) { _ in Array("1234".utf8) }
        let policy = VerificationPolicy(.given(NumericDate(sinceEpoch: .seconds(Self.now))))
        let verdicts = try await Verifier(policy, links: client).verify(input, source: "upload")
        return (verdicts.map { $0.reason?.code }, counter.urls.withLock { $0 })
    }

    @Test func anExpiredLinkIsNotRequested() async throws {
        let over = try await follow(Self.link(to: "https://links.example/a", #","exp":\#(Self.now)"#))
        #expect(over.reasons == [.linkExpired] && over.urls.isEmpty)
        let last = try await follow(Self.link(to: "https://links.example/a", #","exp":\#(Self.now + 1)"#))
        #expect(last.reasons == [.linkInactive] && last.urls == ["https://links.example/a"])
    }

    @Test func onlyAllowedOriginsAreContacted() async throws {
        for origins in [[], ["https://other.example:443"], ["https://links.example:8443"]] {
            let refused = try await follow(Self.link(), allowedOrigins: origins)
            #expect(refused.reasons == [.linkUnavailable] && refused.urls.isEmpty)
        }
        let allowed = try await follow(Self.link(), allowedOrigins: ["https://links.example:443"])
        #expect(allowed.reasons == [.linkInactive] && allowed.urls.count == 1)
    }

    @Test func aPrivateAddressIsNotContacted() async throws {
        for url in ["https://127.0.0.1/a", "https://localhost/a", "https://10.0.0.1/a"] {
            let refused = try await follow(Self.link(to: url))
            #expect(refused.reasons == [.linkUnavailable] && refused.urls.isEmpty, "\(url)")
        }
    }

    /// A passcode is sent to one link only.
    @Test func severalLinksWithPasscodesAreNotRequested() async throws {
        let links = ["a", "b"].map { Self.link(to: "https://links.example/\($0)", #","flag":"P""#) }
        let both = try await follow(links[0] + [0x0A] + links[1])
        #expect(both.reasons == [.passcodeRequired, .passcodeRequired] && both.urls.isEmpty)
        let one = try await follow(links[0])
        #expect(one.reasons == [.linkInactive] && one.urls == ["https://links.example/a"])
    }

    /// A link that may not be contacted gets no passcode, so it does not keep another from being opened.
    @Test func aLinkToAnotherOriginNeedsNoPasscode() async throws {
        let links = ["links", "other"].map { Self.link(to: "https://\($0).example/a", #","flag":"P""#) }
        let both = try await follow(links[0] + [0x0A] + links[1], allowedOrigins: ["https://links.example:443"])
        #expect(both.reasons == [.linkInactive, .linkUnavailable] && both.urls == ["https://links.example/a"])
    }

    /// A server whose manifests name as many files as is allowed. It has none of them.
    private final class Multiplier: Transport {
        let count = Mutex(0)

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            count.withLock { $0 += 1 }
            guard case .post = request.method else { return HTTPResponse(status: 404) }
            let files = (0..<100).map { #"{"location":"\#(request.url)/\#($0)"}"# }.joined(separator: ",")
            return HTTPResponse(status: 200, body: Array(#"{"files":[\#(files)]}"#.utf8))
        }
    }

    /// Links and files do not multiply: the requests for all links of an input have a limit.
    @Test func linksOfAnInputShareTheirRequests() async throws {
        let server = Multiplier()
        let client = LinkClient(transport: server, limits: LinkClient.Limits(), recipient: "a test")
        let policy = VerificationPolicy(.given(NumericDate(sinceEpoch: .seconds(Self.now))))
        let links = (0..<100).map { Self.link(to: "https://links.example/\($0)") }
        let verdicts = try await Verifier(policy, links: client)
            .verify(Array(links.joined(separator: [0x0A])), source: "upload")
        #expect(server.count.withLock { $0 } == 1000)
        #expect(verdicts.count < 1200 && verdicts.allSatisfy { $0.reason?.code == .linkUnavailable })
        #expect(verdicts.last?.reason?.message.contains("1000") == true)
    }

    /// A link that is given twice is requested once.
    @Test func theSameLinkIsRequestedOnce() async throws {
        let twice = try await follow(Self.link() + [0x0A] + Self.link())
        #expect(twice.urls.count == 1)
    }
}
