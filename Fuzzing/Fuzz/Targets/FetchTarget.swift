import Encodings
import Evidence
import Foundation
import HTTPSFetch

/// What `shcverify-fetch` reads and answers, the header fields of a server, and addresses. Foundation contacts them, so it has to
/// read them alike.
enum FetchTarget: FuzzTarget {
    static let name = "fetch"
    private static let largestBody = 2048
    private static let largestErrorBody = 256

    static func run(_ bytes: [UInt8]) {
        readAnswer(bytes)
        if let request = HTTPRequest(wireForm: bytes) { check(request) }
        if let text = String(validating: bytes, as: UTF8.self), let url = try? HTTPSURL(text) { check(url) }
    }

    // MARK: Answers

    private static func readAnswer(_ bytes: [UInt8]) {
        let answer = read(bytes)
        let (line, body) = (FetchAnswer.line(for: answer), (try? answer.get())?.body ?? [])
        require(read(line + body) == answer, "an answer that is written is read again")
        switch answer {
        case .failure(let failure):
            require(!failure.message.unicodeScalars.contains(where: \.isUnprintable), "a message can be printed")
        case .success(let response): check(response)
        }
    }

    private static func read(_ bytes: [UInt8]) -> Result<HTTPResponse, TransportFailure> {
        Result { () throws(TransportFailure) in
            try FetchAnswer.read(bytes, maximumBodySize: largestBody, errorBodySize: largestErrorBody)
        }
    }

    private static func check(_ response: HTTPResponse) {
        let limit = (400...499).contains(response.status) ? largestErrorBody : largestBody
        require(response.body.count <= limit, "the body is within the limit")
        require(response.redirects.count <= HTTPRequest.mostRedirects, "redirects are few")
        require(response.redirects.allSatisfy { (try? HTTPSURL($0)) != nil }, "a redirect leads to an https URL")
        for (name, value) in response.headers {
            require(FetchAnswer.keptHeaders.contains(name), "only known fields are kept")
            require(!value.unicodeScalars.contains { $0.isUnprintable && $0 != "\t" }, "a field is printable")
        }
        let freshness = Freshness(response.headers, now: FixedPolicy.now)
        let stated = Freshness.statedSeconds(response.headers, now: FixedPolicy.now)
        require((freshness == nil) == (stated == nil), "an answer is fresh for a time if it states one")
        if case .lasts(let seconds) = freshness {
            require(seconds == 0 || Freshness.bounds.contains(seconds), "the freshness is within its limits")
        }
    }

    // MARK: Requests

    private static func check(_ request: HTTPRequest) {
        require(HTTPRequest(wireForm: request.wireForm) == request, "a request that is written is read again")
        require(request.bounded == request, "a request that is read is within the limits")
        if let url = try? HTTPSURL(request.url), request.refusal(of: request.url) == nil {
            let isAllowed = request.allowedOrigins?.contains { $0.utf8.elementsEqual(url.origin.utf8) } ?? true
            require(isAllowed, "only origins that are allowed are contacted")
        }
    }

    private static func check(_ url: HTTPSURL) {
        let again = try? HTTPSURL(url.text)
        require(again == url, "a URL that was read is read again")
        require(url.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a URL is visible ASCII")
        // Code that reads another host than Foundation does judges another server than the one that is contacted.
        if let read = URL(string: url.text) {
            let host = url.host.lowercased()
            require(read.scheme?.lowercased() == "https" && read.user == nil, "Foundation reads an https URL")
            require(
                read.host().map { [$0.lowercased(), "[\($0.lowercased())]"].contains(host) } == true,
                "Foundation reads the same host")
            require("https://\(host):\(read.port ?? 443)" == url.origin, "Foundation reads the same port")
        }
        guard let address = IPAddress(host: url.host) else { return }
        require(IPAddress(host: address.description) == address, "an address that is written is read again")
        let policy = AddressPolicy(allowsPrivateNetwork: false)
        require(
            (policy.refusal(ofHost: url.host) == nil) == (policy.refusal(of: address) == nil),
            "an address is judged alike in every notation")
    }
}
