/// An https URL in a narrow form. A URL that two parsers could read differently is rejected.
///
/// The host has no user name, no escapes and no characters outside ASCII (an internationalised name is written in its
/// `xn--` form). White space, control characters and backslashes are not allowed anywhere. A fragment is dropped (RFC
/// 9110 §7.1).
package struct HTTPSURL: Sendable, Equatable {
    /// The URL without its fragment.
    package let text: String
    /// The host as written. An IPv6 address has its square brackets.
    package let host: String

    /// Scheme, host and port: the origin (RFC 6454 §4).
    package let origin: String

    /// The longest URL that is fetched, in bytes. It leaves room for a path or a query after a URL of 2,048 bytes.
    package static let maximumLength = 5120

    /// - Throws: `TransportFailure` of kind `invalidURL` that says what is wrong.
    package init(_ url: String) throws(TransportFailure) {
        func invalid(_ words: String) -> TransportFailure { TransportFailure(.invalidURL, words) }

        guard url.utf8.count <= Self.maximumLength else {
            throw invalid("the address is longer than \(Self.maximumLength) bytes")
        }
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else {
            throw invalid("the address has a character that is not allowed in a URL")
        }
        let scheme = "https://"
        guard url.prefix(scheme.count).lowercased() == scheme else { throw invalid("the address is not an https URL") }
        let rest = url.dropFirst(scheme.count).prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw invalid("the address contains a user name") }

        let (host, port) = try Self.split(authority)
        guard port.isEmpty || port.allSatisfy(\.isWholeNumber) && (UInt16(port) ?? 0) > 0 else {
            throw invalid("the address has no valid port")
        }
        guard Self.isHost(host) else { throw invalid("the address has no valid host") }
        self.host = String(host)
        origin = scheme + host.lowercased() + ":" + (UInt16(port) ?? 443).description
        text =
            scheme + authority + (rest.dropFirst(authority.count).hasPrefix("/") ? "" : "/")
            + rest.dropFirst(authority.count)
    }

    /// The host and the port. The port is empty if there is none.
    private static func split(_ authority: Substring) throws(TransportFailure) -> (Substring, Substring) {
        let hostEnd =
            authority.hasPrefix("[")
            ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : authority.firstIndex(of: ":")
        let host = authority[..<(hostEnd ?? authority.endIndex)]
        let port = authority[host.endIndex...]
        guard port.isEmpty || port.hasPrefix(":") else {
            throw TransportFailure(.invalidURL, "the address has no valid host")
        }
        return (host, port.dropFirst())
    }

    /// Whether the text is a name (RFC 1123 §2.1, with underscores, which some names have), an IPv4 address, or an IPv6
    /// address in brackets.
    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("[") { return IPAddress(host: String(host)) != nil }
        let labels = (host.hasSuffix(".") ? host.dropLast() : host).split(
            separator: ".", omittingEmptySubsequences: false)
        return host.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count)
                    && label.utf8.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                    }
            }
    }
}
