internal import JSON

/// The request as it is handed to `shcverify-fetch`: one JSON object.
extension HTTPRequest {
    /// The largest request that is read, in bytes: a URL, a path and two validators of the greatest length, escaped.
    package static let maximumWireSize = 32 * 1024

    /// The longest time and the largest body that are asked for. More is taken for as much.
    package static let longestTimeout = Duration.seconds(86_400)
    package static let largestBodySize = 1 << 30

    /// The request with its bounds between nothing and the largest there are.
    package var bounded: HTTPRequest {
        var request = self
        request.timeout = min(max(timeout, .zero), Self.longestTimeout)
        request.maximumBodySize = min(max(maximumBodySize, 0), Self.largestBodySize)
        request.maximumRedirects = min(max(maximumRedirects, 0), Self.mostRedirects)
        return request
    }

    /// The request as JSON text.
    package var wireForm: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("url", url)
            writer.member("timeoutMilliseconds", max(1, timeout.milliseconds))
            writer.member("maximumBodySize", maximumBodySize)
            writer.name("allowsPrivateNetwork")
            writer.value(allowsPrivateNetwork)
            writer.member("certificateAuthorityFile", certificateAuthorityFile)
            writer.member("entityTag", entityTag)
            writer.member("lastModified", lastModified)
            writer.member("origin", origin)
            writer.member("tls", tls.rawValue)
            writer.member("maximumRedirects", maximumRedirects)
        }
        return writer.bytes
    }

    /// Reads a request.
    ///
    /// - Returns: nil if the text is not one.
    package init?(wireForm: [UInt8]) {
        guard let value = try? JSONDocument.parse(wireForm, maximumDepth: 1),
            let url = value["url"]?.string?.description,
            let milliseconds = value["timeoutMilliseconds"]?.number?.integer, milliseconds > 0,
            let size = value["maximumBodySize"]?.number?.integer, size >= 0,
            let allowsPrivateNetwork = value["allowsPrivateNetwork"]?.boolean,
            let tls = (value["tls"]?.string?.description).flatMap(TLSVersions.init(rawValue:)),
            let redirects = value["maximumRedirects"]?.number?.integer
        else { return nil }
        self =
            HTTPRequest(
                url: url, timeout: .milliseconds(milliseconds), maximumBodySize: Int(size),
                allowsPrivateNetwork: allowsPrivateNetwork,
                certificateAuthorityFile: value["certificateAuthorityFile"]?.string?.description,
                entityTag: value["entityTag"]?.string?.description,
                lastModified: value["lastModified"]?.string?.description,
                origin: value["origin"]?.string?.description, tls: tls, maximumRedirects: Int(redirects)
            ).bounded
    }
}
