public import JSON

/// An issuer: the URL that a card names as `iss` (SHC "Determining keys associated with an issuer").
///
/// Issuers are compared byte for byte. Two that differ in case or in a trailing slash are two issuers.
public struct Issuer: Hashable, Sendable, CustomStringConvertible {
    private let text: UTF8Text

    /// The URL, exactly as given.
    public var url: String { text.description }

    /// Any text, as a list names it; it may be one that no card can name.
    public init(unchecked url: UTF8Text) {
        text = url
    }

    /// Any text, as an option names it; it may be one that no card can name.
    public init(unchecked url: String) {
        text = UTF8Text(url)
    }

    /// The issuer that a card names.
    ///
    /// - Throws: `VerificationFailure` with `invalid-issuer-url` unless the text is an https URL that
    ///   `/.well-known/jwks.json` can be appended to: no user, query, fragment or trailing slash, and nothing that two
    ///   parsers could read differently.
    public init(_ url: UTF8Text) throws(VerificationFailure) {
        if let problem = Self.problem(in: url.description) {
            throw VerificationFailure(
                .invalidIssuerURL,
                "the issuer's URL (iss) \(problem): \(url.quoted())")
        }
        text = url
    }

    /// The same for text that is at hand as a `String`.
    public init(_ url: String) throws(VerificationFailure) {
        try self.init(UTF8Text(url))
    }

    public var description: String { url }

    /// Where the issuer publishes its keys.
    public var keySetURL: String { url + "/.well-known/jwks.json" }

    /// What keeps this text from being an issuer's URL; nil if nothing does.
    private static func problem(in url: String) -> String? {
        let scheme = "https://"
        guard url.utf8.starts(with: scheme.utf8) else { return "does not begin with https://" }
        guard url.utf8.count <= 2048 else { return "is longer than 2048 characters" }
        let allowed = { (byte: UInt8) in
            byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
        }
        guard url.utf8.allSatisfy(allowed) else { return "has a character that no URL has" }
        guard hasWholeEscapes(url) else { return "has a \"%\" without two hexadecimal digits" }
        if url.utf8.contains(UInt8(ascii: "?")) { return "has a query" }
        if url.utf8.contains(UInt8(ascii: "#")) { return "has a fragment" }
        if url.utf8.last == UInt8(ascii: "/") { return "ends with a slash" }
        let parts = url.dropFirst(scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        if let problem = problem(inAuthority: parts[0]) { return problem }
        if parts.dropFirst().contains(where: { isDotSegment($0) }) { return "has a \".\" or \"..\" in its path" }
        return nil
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }

    private static func hasWholeEscapes(_ url: String) -> Bool {
        url.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst().allSatisfy {
            $0.count >= 2 && $0.prefix(2).allSatisfy(isHexDigit)
        }
    }

    private static func isDotSegment(_ segment: Substring) -> Bool {
        let plain = segment.lowercased()
            .split(separator: "%2e", omittingEmptySubsequences: false).joined(separator: ".")
        return plain == "." || plain == ".."
    }

    private static func problem(inAuthority authority: Substring) -> String? {
        if authority.contains("@") { return "names a user" }
        var host = authority
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            host = authority[..<colon]
            let port = authority[authority.index(after: colon)...]
            // Digits only: an integer's own reading would take a sign.
            guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port), number > 0 else {
                return "has a port that is not valid"
            }
        }
        if host.isEmpty { return "names no host" }
        let isHost = host.hasPrefix("[") ? isAddressLiteral(host) : isName(host)
        return isHost ? nil : "names a host that is not valid"
    }

    /// Labels with a dot between them, and perhaps one at the end; an IPv4 address is of the same form.
    private static func isName(_ host: Substring) -> Bool {
        let name = host.hasSuffix(".") ? host.dropLast() : host
        return name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty
                && label.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                    default: false
                    }
                }
        }
    }

    /// An IPv6 address in brackets, by its characters only.
    private static func isAddressLiteral(_ host: Substring) -> Bool {
        guard host.hasSuffix("]") else { return false }
        let inside = host.utf8.dropFirst().dropLast()
        return inside.count { $0 == UInt8(ascii: ":") } >= 2
            && inside.allSatisfy { isHexDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }
}
