internal import Encodings
internal import Processes

/// The form in which a request is passed to `shcverify-fetch`: one line of JSON, then the exact bytes of the access token if there
/// is one, then those of the body if it is a POST.
extension HTTPRequest {
    /// The largest request that is read, in bytes: the longest URL, path and validators, all escaped, and the largest
    /// body.
    package static let maximumWireSize = 32 * 1024 + largestSentBody

    /// The longest timeout. A longer one counts as this one.
    package static let longestTimeout = Duration.longest
    /// The largest body that an answer may have, in bytes. A larger limit counts as this one.
    package static let largestBodySize = 1 << 30

    /// The request with its limits brought into the allowed ranges.
    package var bounded: HTTPRequest {
        var request = self
        request.timeout = min(max(timeout, .zero), Self.longestTimeout)
        request.maximumBodySize = min(max(maximumBodySize, 0), Self.largestBodySize)
        request.maximumRedirects = min(max(maximumRedirects, 0), Self.mostRedirects)
        request.errorBodySize = min(max(errorBodySize, 0), Self.largestErrorBody)
        return request
    }

    /// Whether the body and the fields can be sent.
    var canBeSent: Bool {
        guard FetchAnswer.isAcceptable(accept), bearerToken.map(FetchAnswer.isAcceptable(token:)) ?? true else {
            return false
        }
        guard case .post(let body) = method else { return true }
        return body.content.count <= Self.largestSentBody && FetchAnswer.isAcceptable(body.mediaType)
    }

    /// The request in bytes. If it has an access token, the caller overwrites them after use.
    package var wireForm: [UInt8] {
        var writer = JSONWriter()
        var sent: [UInt8] = []
        writer.object { writer in
            writer.member("url", url)
            if case .post(let body) = method {
                writer.member("mediaType", body.mediaType)
                writer.member("bodyLength", body.content.count)
                sent = body.content
            }
            writer.member("timeoutMilliseconds", max(1, timeout.milliseconds))
            writer.member("maximumBodySize", maximumBodySize)
            writer.name("allowsPrivateNetwork")
            writer.value(allowsPrivateNetwork)
            writer.member("certificateAuthorityFile", certificateAuthorityFile)
            writer.member("entityTag", entityTag)
            writer.member("lastModified", lastModified)
            writer.member("origin", origin)
            writer.member("accept", accept)
            if let bearerToken { writer.member("tokenLength", bearerToken.count) }
            if let allowedOrigins {
                writer.array("allowedOrigins") { writer in
                    for origin in allowedOrigins { writer.value(origin) }
                }
            }
            writer.member("errorBodySize", errorBodySize)
            writer.member("tls", tls.rawValue)
            writer.member("maximumRedirects", maximumRedirects)
        }
        let line = writer.bytes
        var bytes: [UInt8] = []
        // Room for everything, so that the array does not move and leave a copy of the token behind.
        bytes.reserveCapacity(line.count + 1 + (bearerToken?.count ?? 0) + sent.count)
        bytes += line
        bytes.append(UInt8(ascii: "\n"))
        bearerToken?.withBytes { token in
            for place in token.indices { bytes.append(token[place]) }
        }
        bytes += sent
        return bytes
    }

    /// Reads a request.
    ///
    /// - Returns: nil if the bytes are not a request.
    package init?(wireForm: [UInt8]) {
        guard let lineEnd = wireForm.firstIndex(of: UInt8(ascii: "\n")),
            let value = try? JSONDocument.parse(Array(wireForm[..<lineEnd]), maximumDepth: 2),
            let tokenLength = Self.tokenLength(value, of: wireForm.count - lineEnd - 1),
            let method = Self.method(value, body: Array(wireForm[(lineEnd + 1 + tokenLength)...])),
            let url = value["url"]?.string?.description,
            let milliseconds = value["timeoutMilliseconds"]?.number?.integer, milliseconds > 0,
            let size = value["maximumBodySize"]?.number?.integer, size >= 0,
            let allowsPrivateNetwork = value["allowsPrivateNetwork"]?.boolean,
            let tls = (value["tls"]?.string?.description).flatMap(TLSVersions.init(rawValue:)),
            let redirects = value["maximumRedirects"]?.number?.integer,
            let accept = value["accept"]?.string?.description,
            let errorBodySize = value["errorBodySize"]?.number?.integer
        else { return nil }
        var allowedOrigins: [String]?
        if let value = value["allowedOrigins"] {
            guard let elements = value.elements else { return nil }
            allowedOrigins = elements.map { $0.string?.description ?? "" }
        }
        var token = Array(wireForm[(lineEnd + 1)...].prefix(tokenLength))
        self =
            HTTPRequest(
                url: url, method: method, timeout: .milliseconds(milliseconds), maximumBodySize: Int(size),
                allowsPrivateNetwork: allowsPrivateNetwork,
                certificateAuthorityFile: value["certificateAuthorityFile"]?.string?.description,
                entityTag: value["entityTag"]?.string?.description,
                lastModified: value["lastModified"]?.string?.description,
                origin: value["origin"]?.string?.description, accept: accept,
                bearerToken: token.isEmpty ? nil : SecretBytes(&token), allowedOrigins: allowedOrigins,
                errorBodySize: Int(errorBodySize), tls: tls, maximumRedirects: Int(redirects)
            ).bounded
    }

    /// The length of the access token that follows the line; 0 if there is none. Nil if fewer bytes follow.
    private static func tokenLength(_ value: JSONValue, of count: Int) -> Int? {
        guard let length = value["tokenLength"] else { return 0 }
        guard let length = length.number?.integer, length > 0, length <= count else { return nil }
        return Int(length)
    }

    /// The method, with the body that follows the line and the token. Nil if the announced length and the body do not agree.
    private static func method(_ value: JSONValue, body: [UInt8]) -> Method? {
        guard let length = value["bodyLength"] else { return body.isEmpty ? .get : nil }
        guard let length = length.number?.integer, length == body.count, length <= largestSentBody,
            let mediaType = value["mediaType"]?.string?.description
        else { return nil }
        return .post(Body(body, mediaType: mediaType))
    }
}
