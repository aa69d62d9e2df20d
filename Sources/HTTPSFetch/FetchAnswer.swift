internal import Encodings

/// The answer of `shcverify-fetch`. It begins with a line feed, written when the process first contacts a server. Then
/// comes one line of JSON and, for a response, the exact bytes of the body.
///
/// The process that writes the answer has read data from a hostile server. The reader therefore checks each member and
/// each length, and rejects members that it does not know.
package enum FetchAnswer {
    /// The byte that is written when the first connection is opened. If the process dies after it, the server may be
    /// the cause.
    package static let contact = UInt8(ascii: "\n")
    /// The longest line of JSON, in bytes: the largest number of header fields and redirects, at full length and
    /// escaped.
    package static let maximumLineLength = 128 * 1024

    /// The most bytes that an answer can have if its body has this size.
    static func maximumLength(bodySize: Int) -> Int { 1 + maximumLineLength + bodySize }

    /// The longest message of a failure, in bytes.
    static let maximumMessageLength = 1024
    /// The longest value of a header field that is kept, in bytes.
    package static let maximumHeaderLength = 4096
    /// The header fields that are kept, in lower case: those that freshness, lint and updates of lists need.
    package static let keptHeaders: Set<String> = [
        "access-control-allow-origin", "age", "cache-control", "content-disposition", "content-length", "content-type",
        "date", "etag", "expires", "last-modified", "retry-after", "transfer-encoding", "vary",
    ]

    // MARK: Writing

    /// The first line of an answer, with its line feed. The body follows it.
    package static func line(for answer: Result<HTTPResponse, TransportFailure>) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            switch answer {
            case .success(let response):
                writer.member("status", response.status)
                writer.object("headers") { writer in
                    for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) {
                        writer.name(text: name)
                        writer.value(value)
                    }
                }
                writer.member("bodyLength", response.body.count)
                guard !response.redirects.isEmpty else { return }
                writer.array("redirects") { writer in
                    for url in response.redirects { writer.value(url) }
                }
            case .failure(let failure):
                writer.member("failure", failure.kind.rawValue)
                writer.member("message", failure.message)
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    // MARK: Reading

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - bytes: everything that the process wrote.
    ///   - maximumBodySize: the largest body that the request allows, in bytes.
    ///   - errorBodySize: the largest body of a client error, in bytes.
    /// - Returns: the response.
    /// - Throws: the failure that the process reports, or one of kind `fetcher` if the bytes are not an answer.
    package static func read(
        _ bytes: [UInt8], maximumBodySize: Int, errorBodySize: Int = 0
    ) throws(TransportFailure) -> HTTPResponse {
        let start = bytes.first == contact ? 1 : 0
        guard let lineEnd = bytes[start...].prefix(maximumLineLength).firstIndex(of: UInt8(ascii: "\n")),
            let line = try? JSONDocument.parse(Array(bytes[start..<lineEnd]), maximumDepth: 2)
        else { throw malformed }
        if let failure = line["failure"] { throw try Self.failure(failure, line["message"]) }
        guard let status = line["status"]?.number?.integer, (200...599).contains(status),
            let headers = headers(line["headers"]), let length = line["bodyLength"]?.number?.integer,
            let redirects = redirects(line["redirects"]), line.members?.count == (redirects.isEmpty ? 3 : 4),
            length == bytes.count - lineEnd - 1
        else { throw malformed }
        let isClientError = (400...499).contains(status)
        guard length <= (isClientError ? errorBodySize : maximumBodySize) else {
            throw .tooLarge(limit: maximumBodySize)
        }
        return HTTPResponse(
            status: Int(status), headers: headers, body: Array(bytes[(lineEnd + 1)...]), redirects: redirects)
    }

    static let malformed = TransportFailure(.fetcher, "the program that fetches gave an answer that cannot be read")

    private static func failure(
        _ kind: JSONValue, _ message: JSONValue?
    ) throws(TransportFailure) -> TransportFailure {
        guard let kind = (kind.string?.description).flatMap(TransportFailure.Kind.init(rawValue:)),
            let message = message?.string?.description,
            message.utf8.count <= maximumMessageLength, !message.unicodeScalars.contains(where: \.isUnprintable)
        else { throw malformed }
        return TransportFailure(kind, message)
    }

    private static func headers(_ value: JSONValue?) -> [String: String]? {
        guard let members = value?.members else { return nil }
        var headers: [String: String] = [:]
        for (name, value) in members {
            guard let text = value.string?.description, isAcceptable(text),
                let name = keptHeaders.first(where: { name == UTF8Text($0) })
            else { return nil }
            headers[name] = text
        }
        return headers
    }

    /// The URLs of redirects. Empty if there is no such member, nil if the member is malformed.
    private static func redirects(_ value: JSONValue?) -> [String]? {
        guard let value else { return [] }
        guard let elements = value.elements, (1...HTTPRequest.mostRedirects).contains(elements.count) else {
            return nil
        }
        var redirects: [String] = []
        for element in elements {
            guard let text = element.string?.description, let url = try? HTTPSURL(text),
                url.text.utf8.elementsEqual(text.utf8)
            else { return nil }
            redirects.append(text)
        }
        return redirects
    }

    /// Whether the value of a header field is kept: it must be printable ASCII (RFC 9110 §5.5) and not too long.
    package static func isAcceptable(_ value: String) -> Bool {
        value.utf8.count <= maximumHeaderLength
            && value.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == UInt8(ascii: "\t") }
    }

    /// Whether an access token can be sent: visible ASCII, which includes all characters of RFC 6750 §2.1.
    static func isAcceptable(token: SecretBytes) -> Bool {
        token.withBytes { bytes in
            guard (1...maximumHeaderLength).contains(bytes.count) else { return false }
            for place in bytes.indices where !(0x21...0x7E).contains(bytes[place]) { return false }
            return true
        }
    }
}
