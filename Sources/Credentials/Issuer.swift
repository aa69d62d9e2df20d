public import Encodings

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
        if let problem = Self.problem(in: Array(url.utf8)) {
            throw VerificationFailure(
                .invalidIssuerURL,
                "the issuer's URL (iss) \(problem): \(url.quoted())")
        }
        text = url
    }

    /// An issuer that a card names, whose URL may end with a slash. No policy judges the cards of such an issuer, unless it trusts the
    /// issuer by exactly this name.
    ///
    /// - Throws: what `init(_: UTF8Text)` throws, if there is more than that slash.
    package init(inCard url: UTF8Text) throws(VerificationFailure) {
        do throws(VerificationFailure) {
            self = try Issuer(url)
        } catch {
            let bytes = Array(url.utf8)
            guard bytes.last == Self.slash, Self.problem(in: Array(bytes.dropLast())) == nil else { throw error }
            self.init(unchecked: url)
        }
    }

    private static let slash = UInt8(ascii: "/")

    /// Whether the URL ends with a slash, which the specification forbids.
    package var endsWithSlash: Bool { text.utf8.last == Self.slash }

    /// The issuer with a slash at the end of its URL.
    package var withSlash: Issuer { Issuer(unchecked: UTF8Text(url + "/")) }

    /// An issuer that a card names, from a `String`.
    ///
    /// - Throws: `VerificationFailure` with `invalid-issuer-url`, as `init(_: UTF8Text)` does.
    public init(_ url: String) throws(VerificationFailure) {
        try self.init(UTF8Text(url))
    }

    public var description: String { url }

    /// The URL at which the issuer publishes its keys (SHC "Determining keys associated with an issuer").
    public var keySetURL: String { wellKnownURL("jwks.json") }

    /// The URL of a document that the issuer publishes. A slash at the end of the issuer's URL is not doubled.
    package func wellKnownURL(_ path: String) -> String { url + (endsWithSlash ? "" : "/") + ".well-known/" + path }

    /// The issuer without a slash at the end of its URL, which has the same key set.
    package var withoutSlash: Issuer {
        text.utf8.last == UInt8(ascii: "/") ? Issuer(unchecked: UTF8Text(decoding: Array(text.utf8.dropLast()))) : self
    }

    /// Why a text is not a valid issuer URL, in words that follow "the URL"; nil if it is valid.
    private static func problem(in url: [UInt8]) -> String? {
        let scheme = "https://".utf8
        guard url.starts(with: scheme) else { return "does not begin with https://" }
        guard url.count <= 2048 else { return "is longer than 2048 characters" }
        guard url.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !isForbidden($0) }) else {
            return "has a character that is not allowed in a URL"
        }
        if url.contains(UInt8(ascii: "%")), PercentEncoding.decode(url) == nil {
            return "has a \"%\" without two hexadecimal digits"
        }
        if url.contains(UInt8(ascii: "?")) { return "has a query" }
        if url.contains(UInt8(ascii: "#")) { return "has a fragment" }
        if url.last == UInt8(ascii: "/") { return "ends with a slash" }
        let rest = url[scheme.count...]
        let authority = rest.prefix { $0 != UInt8(ascii: "/") }
        if let problem = problem(inAuthority: authority) { return problem }
        var segments = rest[authority.endIndex...]
        while !segments.isEmpty {
            let segment = segments.dropFirst().prefix { $0 != UInt8(ascii: "/") }
            if isDotSegment(segment) { return "has a \".\" or \"..\" in its path" }
            segments = segments[segment.endIndex...]
        }
        return nil
    }

    private static func isForbidden(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            true
        default: false
        }
    }

    /// Whether a segment is `.` or `..`, with or without percent-encoding.
    private static func isDotSegment(_ segment: ArraySlice<UInt8>) -> Bool {
        // What begins with another byte is not decoded, which would copy it.
        segment.count <= 6 && (segment.first == 0x2E || segment.first == UInt8(ascii: "%"))
            && [[0x2E], [0x2E, 0x2E]].contains(PercentEncoding.decode(segment))
    }

    private static func problem(inAuthority authority: ArraySlice<UInt8>) -> String? {
        if authority.contains(UInt8(ascii: "@")) { return "names a user" }
        var host = authority
        if let colon = authority.lastIndex(of: UInt8(ascii: ":")), authority.last != UInt8(ascii: "]") {
            host = authority[..<colon]
            let port = authority[(colon + 1)...]
            // `UInt16.init` also accepts a sign, so check for digits first.
            guard port.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt16(String(decoding: port, as: UTF8.self)), number > 0
            else { return "has an invalid port" }
        }
        if host.isEmpty { return "names no host" }
        let isHost = host.first == UInt8(ascii: "[") ? isAddressLiteral(host) : isName(host)
        return isHost ? nil : "names an invalid host"
    }

    /// Whether a host consists of labels with dots between them. A dot at the end is allowed. IPv4 addresses have this form too.
    private static func isName(_ host: ArraySlice<UInt8>) -> Bool {
        let name = host.last == UInt8(ascii: ".") ? host.dropLast() : host
        var isInLabel = false
        for byte in name {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): isInLabel = true
            case UInt8(ascii: "."):
                guard isInLabel else { return false }
                isInLabel = false
            default: return false
            }
        }
        return isInLabel
    }

    /// Whether a host may be an IPv6 address in brackets. Only its characters are checked.
    private static func isAddressLiteral(_ host: ArraySlice<UInt8>) -> Bool {
        guard host.last == UInt8(ascii: "]") else { return false }
        let inside = host.dropFirst().dropLast()
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
public enum IssuerTrust: String, Sendable, CaseIterable {
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

    /// Whether somebody vouches for the issuer.
    package var isTrusted: Bool {
        switch self {
        case .directory, .allowList, .certificate, .jwks: true
        case .unchecked, .untrusted: false
        }
    }
}

/// What a trust list says about the signer of a health certificate, besides its country.
public struct SignerListing: Sendable, Hashable {
    /// The trust domain: what the signer signs, such as `DCC` or `ICVP`; nil if the list does not say.
    public let domain: String?
    /// The country or organisation to which the network attributes the signer; nil if the list does not say.
    public let participant: String?
    /// The network of the list: `production`, `uat` or `dev`; nil if the list does not say.
    public let environment: String?

    /// Creates what a list says.
    package init(domain: String?, participant: String?, environment: String?) {
        self.domain = domain
        self.participant = participant
        self.environment = environment
    }
}

extension Verdict {
    /// What the trust list says about the signer; nil if no signer was found, and for SMART Health Cards.
    public var signerListing: SignerListing? { key?.listing }
}

/// What a patient's app says of itself in a FHIR Bundle that nobody signed ("app attestation" of Kill the Clipboard), and whether that
/// was checked.
///
/// It says which app made a Bundle at most: it covers no content, has no expiry, and can be copied into any Bundle. So it changes no
/// verdict and gives no trust.
package struct AttestationReport: Sendable, Hashable {
    /// What is known of an attestation.
    package enum Status: String, Sendable, CaseIterable {
        /// It verifies with a key of the app that it names, which is listed.
        case verified
        /// Its form, a claim or the signature is wrong, or the app has no such key.
        case invalid
        /// The app that it names is not listed, so nothing was requested.
        case unknownApp = "unknown-app"
        /// The keys of the app could not be fetched.
        case unchecked
    }

    /// The app: the claim `iss`; nil if it cannot be read.
    package let app: UTF8Text?
    /// The key ID; nil if it cannot be read.
    package let keyID: UTF8Text?
    /// When it was made: the claim `iat`; nil if it cannot be read.
    package let issued: NumericDate?
    /// The ID of the attestation: the claim `jti`; nil if it cannot be read.
    package let id: UTF8Text?
    /// What is known of it.
    package let status: Status

    /// Creates a report.
    package init(app: UTF8Text?, keyID: UTF8Text?, issued: NumericDate?, id: UTF8Text?, status: Status) {
        self.app = app
        self.keyID = keyID
        self.issued = issued
        self.id = id
        self.status = status
    }
}
