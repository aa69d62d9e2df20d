import Containers
import Credentials
import Encodings
import Evidence
import Foundation
import HTTPSFetch
import TestSupport
import Testing
import Verification

@testable import shcverify

/// The limits for the links of one input, and for the pictures of a run.
struct InputLimitTests {
    // MARK: Links

    /// A server that must not be asked.
    private struct NoServer: Transport {
        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            Issue.record("there was a request")
            throw TransportFailure(.timeout, "no server")
        }
    }

    @Test func linksOfAnInputShareATime() async throws {
        let key = String(repeating: "A", count: 43)
        let payload = Data("{\"url\":\"https://a.example/x\",\"key\":\"\(key)\"}".utf8).base64EncodedString()
        let link = HealthLink(Array("shlink:/\(payload.replacing("=", with: ""))".utf8))
        let client = LinkClient(
            transport: NoServer(), limits: LinkClient.Limits(timeout: .seconds(5)), recipient: "test")
        var budget = client.budget()
        #expect(budget.time == Bounds.linksTime)
        budget.time = .zero
        let reason = try #require(try await client.open(link, passcode: nil, within: &budget).reason)
        #expect(reason.code == .linkUnavailable && reason.message.contains("60 s") && reason.isUnasked)
        let slow = LinkClient(
            transport: NoServer(), limits: LinkClient.Limits(timeout: .seconds(300)), recipient: "test")
        #expect(slow.budget().time == .seconds(300))
    }

    /// A server that has one file.
    private struct FileServer: Transport {
        let file: [UInt8]

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            HTTPResponse(status: 200, body: file)
        }
    }

    /// Each link may be hostile, and all of their files are in memory at once.
    @Test func linksOfAnInputShareASize() async throws {
        let index = try JSONDocument.parse(Paths.bytes(Paths.vector("links/links.json")))
        let key = try #require(index["key"]?.string)
        let payload = Data("{\"url\":\"https://a.example/x\",\"key\":\"\(key)\",\"flag\":\"U\"}".utf8)
        let text = payload.base64EncodedString().replacing("=", with: "")
        let link = HealthLink(Array("shlink:/\(text)".utf8))
        let client = LinkClient(
            transport: FileServer(file: try Paths.bytes(Paths.vector("links/card.jwe"))), limits: LinkClient.Limits(),
            recipient: "test")
        var budget = client.budget()
        #expect(budget.size == 64 << 20)
        let first = try await client.open(link, passcode: nil, within: &budget)
        let size = (64 << 20) - budget.size
        #expect(first.files.first?.summary.kind == .healthCard && size > 0)
        budget.size = 2 * size - 1
        let second = try await client.open(link, passcode: nil, within: &budget)
        #expect(second.files.first?.bytes != nil && budget.size == size - 1)
        let third = try await client.open(link, passcode: nil, within: &budget)
        #expect(third.files.first?.summary.reason?.code == .payloadTooLarge && third.files.first?.bytes == nil)
    }

    // MARK: Pictures

    @Test func picturesOfARunShareATime() {
        var time = PictureTime()
        for _ in 0..<1000 {
            time.spend(.milliseconds(1900))
            #expect(time.next == Bounds.picturesTime + Bounds.pictureTime)
        }
        var count = 0
        while time.next > Bounds.pictureTime, count < 1000 {
            time.spend(min(.seconds(9), time.next))
            count += 1
        }
        #expect(count == 9)
        // A usual picture is read all the same.
        time.spend(.seconds(2))
        #expect(time.next == Bounds.pictureTime)
    }
}
