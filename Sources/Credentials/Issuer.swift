import Bytes
public import JSON

/// An issuer: the URL that a card names as `iss` (SHC "Determining keys associated with an issuer").
///
/// Issuers are compared byte by byte. URLs that differ in case or in a trailing slash name two different issuers.
public struct Issuer: Hashable, Sendable, CustomStringConvertible {
    private let text: UTF8Text

    /// The URL, exactly as given.
    public var url: String { text.description }

    /// An issuer in a directory. The text is not checked, so it may not be a valid issuer URL.
    public init(unchecked url: UTF8Text) {
        text = url
    }

    /// An issuer in a command-line option. The text is not checked, so it may not be a valid issuer URL.
    public init(unchecked url: String) {
        text = UTF8Text(url)
    }

    /// An issuer that a card names.
    ///
    /// - Throws: `VerificationFailure` with `invalid-issuer-url` unless the text is an https URL to which
    ///   `/.well-known/jwks.json` can be appended. The URL must have no user, query, fragment or trailing slash, and nothing
    ///   that two parsers could read differently.
    public init(_ url: UTF8Text) throws(VerificationFailure) {
        if let problem = Self.problem(in: url.description) {
            throw VerificationFailure(
                .invalidIssuerURL,
                "the issuer's URL (iss) \(problem): \(url.quoted())")
        }
        text = url
    }

    /// An issuer that a card names, from a `String`.
    ///
    /// - Throws: `VerificationFailure` with `invalid-issuer-url`, as `init(_: UTF8Text)` does.
    public init(_ url: String) throws(VerificationFailure) {
        try self.init(UTF8Text(url))
    }

    public var description: String { url }

    /// The URL at which the issuer publishes its keys (SHC "Determining keys associated with an issuer").
    public var keySetURL: String { url + "/.well-known/jwks.json" }

    /// Why a text is not a valid issuer URL, in words that follow "the URL"; nil if it is valid.
    private static func problem(in url: String) -> String? {
        let scheme = "https://"
        guard url.utf8.starts(with: scheme.utf8) else { return "does not begin with https://" }
        guard url.utf8.count <= 2048 else { return "is longer than 2048 characters" }
        let allowed = { (byte: UInt8) in
            byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
        }
        guard url.utf8.allSatisfy(allowed) else { return "has a character that is not allowed in a URL" }
        guard PercentEncoding.decode(url.utf8) != nil else { return "has a \"%\" without two hexadecimal digits" }
        if url.utf8.contains(UInt8(ascii: "?")) { return "has a query" }
        if url.utf8.contains(UInt8(ascii: "#")) { return "has a fragment" }
        if url.utf8.last == UInt8(ascii: "/") { return "ends with a slash" }
        let parts = url.dropFirst(scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        if let problem = problem(inAuthority: parts[0]) { return problem }
        if parts.dropFirst().contains(where: { isDotSegment($0) }) { return "has a \".\" or \"..\" in its path" }
        return nil
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
            // `UInt16.init` also accepts a sign, so check for digits first.
            guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port), number > 0 else {
                return "has an invalid port"
            }
        }
        if host.isEmpty { return "names no host" }
        let isHost = host.hasPrefix("[") ? isAddressLiteral(host) : isName(host)
        return isHost ? nil : "names an invalid host"
    }

    /// Whether a host consists of labels with dots between them. A dot at the end is allowed. IPv4 addresses have this form too.
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

    /// Whether a host may be an IPv6 address in brackets. Only its characters are checked.
    private static func isAddressLiteral(_ host: Substring) -> Bool {
        guard host.hasSuffix("]") else { return false }
        let inside = host.utf8.dropFirst().dropLast()
        return inside.count { $0 == UInt8(ascii: ":") } >= 2
            && inside.allSatisfy { $0.hexDigitValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }
}

/// The entry of one issuer in a directory.
public final class DirectoryEntry: Sendable {
    /// The issuer.
    public let issuer: Issuer
    /// The issuer's display name; nil if the entry has none.
    public let name: UTF8Text?
    /// The issuer's website; nil if the entry has none.
    public let website: UTF8Text?
    /// The main issuer if this issuer is an alias (`canonical_iss`). It is only shown, and never a reason for trust.
    public let canonicalIssuer: Issuer?

    /// Reads an entry `{"iss", "name", "website"?, "canonical_iss"?}`; nil if it has no `iss`.
    package init?(_ value: JSONValue) {
        guard let url = value["iss"]?.string, !url.isEmpty else { return nil }
        issuer = Issuer(unchecked: url)
        name = value["name"]?.string
        website = value["website"]?.string
        canonicalIssuer = value["canonical_iss"]?.string.map { Issuer(unchecked: $0) }
    }

    /// Merges two entries of one issuer. If they contradict each other, the first counts. This is safe because the content is
    /// only shown.
    package init(merging first: DirectoryEntry, _ second: DirectoryEntry) {
        issuer = first.issuer
        name = first.name ?? second.name
        website = first.website ?? second.website
        canonicalIssuer = first.canonicalIssuer ?? second.canonicalIssuer
    }
}

/// Why an issuer is trusted, or that it is not.
public enum IssuerTrust: String, Sendable {
    /// A directory lists the issuer.
    case directory
    /// The policy names the issuer as trusted.
    case allowList = "allow-list"
    /// A certificate names the issuer, and its chain leads to one of the verifier's anchors.
    case certificate
    /// The verifier was given keys for the issuer.
    case jwks
    /// Trust was not checked. The issuer may be anyone, since anyone can publish keys on their own server.
    case unchecked
    /// There are lists of trusted issuers, and the issuer is on none of them.
    case untrusted
}
