import Credentials
import Cryptography
import Encodings
public import HTTPSFetch
import SMARTHealthCards

/// The copy of a fetched document, with all data that decides about its further use.
struct CachedDocument: Sendable, Equatable {
    /// The permissions that the user added when the document was fetched. The copy is used only in runs with the same
    /// permissions. With others, the request might have been refused, or answered by another server.
    struct Allowances: Sendable, Hashable {
        var allowsPrivateNetwork = false
        /// The digest of the certificate authorities that were accepted in addition to the system's.
        var certificateAuthorities: String?
    }

    /// The exact bytes of the document.
    let body: [UInt8]
    /// When the server last sent these bytes, or confirmed them.
    let retrieved: NumericDate
    /// How long the copy is fresh after that, in seconds.
    let freshSeconds: Int64
    /// The validators that the server sent (RFC 9110 §8.8).
    let entityTag: String?
    let lastModified: String?
    let allowances: Allowances
    /// Whether the issuer has sent something else since. Then the copy is used only while it is fresh.
    private(set) var isOverruled = false

    /// The copy after the issuer has sent something else that does not replace it.
    var overruled: CachedDocument {
        var copy = self
        copy.isOverruled = true
        return copy
    }

    /// Whether the server can be asked if the document has changed.
    var hasValidators: Bool { entityTag != nil || lastModified != nil }

    /// How long ago the freshness ended. Negative if the copy is still fresh. Nil if it was retrieved in the future:
    /// then a clock was wrong, and its age is unknown.
    func timePastFreshness(at now: NumericDate) -> Duration? {
        let age = now.sinceEpoch - retrieved.sinceEpoch
        return age < .zero ? nil : age - .seconds(freshSeconds)
    }

    /// Whether the copy may be used without asking the server (RFC 9111 §4.2).
    func isFresh(at now: NumericDate) -> Bool {
        timePastFreshness(at: now).map { $0 < .zero } ?? false
    }

    // MARK: From answers

    /// Makes the copy of an answer with status 200. Nil if the answer must not be kept.
    init?(_ response: HTTPResponse, retrieved: NumericDate, allowances: Allowances) {
        guard
            case .lasts(let seconds) = Freshness(response.headers, now: retrieved) ?? Freshness.unstated
        else { return nil }
        self.init(
            body: response.body, retrieved: retrieved, freshSeconds: seconds,
            entityTag: Self.validator(response.headers["etag"]),
            lastModified: Self.validator(response.headers["last-modified"]), allowances: allowances)
    }

    /// Whether an answer with status 304 is about this copy. Tags are compared weakly (RFC 9110 §8.8.3.2).
    func isConfirmed(by response: HTTPResponse) -> Bool {
        guard let stated = response.headers["etag"], let entityTag else { return hasValidators }
        return Self.opaque(stated) == Self.opaque(entityTag)
    }

    /// This copy after an answer with status 304 has confirmed it (RFC 9111 §4.3.4). Nil if it must no longer be kept.
    func confirmed(by response: HTTPResponse, at now: NumericDate) -> CachedDocument? {
        guard
            case .lasts(let seconds) = Freshness(response.headers, now: now) ?? .lasts(seconds: freshSeconds)
        else { return nil }
        return CachedDocument(
            body: body, retrieved: now, freshSeconds: seconds,
            entityTag: Self.validator(response.headers["etag"]) ?? entityTag,
            lastModified: Self.validator(response.headers["last-modified"]) ?? lastModified, allowances: allowances)
    }

    init(
        body: [UInt8], retrieved: NumericDate, freshSeconds: Int64, entityTag: String?, lastModified: String?,
        allowances: Allowances, isOverruled: Bool = false
    ) {
        self.body = body
        // Whole seconds, so that a copy does not change when it is written and read again.
        self.retrieved = NumericDate(sinceEpoch: .seconds(retrieved.sinceEpoch.components.seconds))
        self.freshSeconds = freshSeconds
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.allowances = allowances
        self.isOverruled = isOverruled
    }

    /// Checks a validator. Nil if it must not be sent back.
    private static func validator(_ text: String?) -> String? {
        text.flatMap { !$0.isEmpty && FetchAnswer.isAcceptable($0) ? $0 : nil }
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}

/// The file of a cached document has three parts:
///
///     one line of JSON: version, kind and URL of the document, when it was retrieved, its validators and permissions
///     the document, byte for byte
///     64 hexadecimal digits: the SHA-256 of the two SHA-256 digests of the line and of the document
///
/// If a file is incomplete, changed, of another version or of another document, it counts as missing.
extension CachedDocument {
    private static let version = 3
    private static let maximumLineLength = 64 << 10
    private static let digestLength = SHA256.digestLength * 2

    /// The largest file for a document of this size, in bytes.
    static func maximumFileSize(forBodyOf size: Int) -> Int { maximumLineLength + size + digestLength }

    /// The bytes of the file. Nil if the first line would be too long.
    func fileForm(of document: PublishedDocument) -> [UInt8]? {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("schemaVersion", Self.version)
            writer.member("kind", document.kind.rawValue)
            writer.member("url", document.url)
            writer.member("retrieved", Int(retrieved.sinceEpoch.components.seconds))
            writer.member("freshSeconds", Int(freshSeconds))
            writer.member("entityTag", entityTag)
            writer.member("lastModified", lastModified)
            writer.name("allowsPrivateNetwork")
            writer.value(allowances.allowsPrivateNetwork)
            writer.member("certificateAuthorities", allowances.certificateAuthorities)
            writer.name("isOverruled")
            writer.value(isOverruled)
        }
        let line = writer.bytes + [UInt8(ascii: "\n")]
        guard line.count <= Self.maximumLineLength else { return nil }
        return line + body + Self.digest(of: line, body)
    }

    /// Reads a file.
    ///
    /// - Returns: nil if the file does not contain this whole document, fetched with the same permissions.
    init?(fileForm file: [UInt8], of document: PublishedDocument, under allowances: Allowances) {
        guard let lineEnd = file.prefix(Self.maximumLineLength).firstIndex(of: UInt8(ascii: "\n")),
            file.count > lineEnd + Self.digestLength
        else { return nil }
        let line = Array(file[...lineEnd])
        let body = Array(file[(lineEnd + 1)...].dropLast(Self.digestLength))
        guard file.suffix(Self.digestLength).elementsEqual(Self.digest(of: line, body)),
            let header = try? JSONDocument.parse(line, maximumDepth: 1),
            header["schemaVersion"]?.number?.integer == Int64(Self.version),
            header["kind"]?.isString(document.kind.rawValue) == true,
            let url = header["url"]?.string, url.utf8.elementsEqual(document.url.utf8),
            let retrieved = header["retrieved"]?.number?.integer,
            let freshSeconds = header["freshSeconds"]?.number?.integer,
            (0...Freshness.bounds.upperBound).contains(freshSeconds),
            header["allowsPrivateNetwork"]?.boolean == allowances.allowsPrivateNetwork,
            header["certificateAuthorities"]?.string == allowances.certificateAuthorities.map(UTF8Text.init(_:)),
            let isOverruled = header["isOverruled"]?.boolean
        else { return nil }
        self.init(
            body: body, retrieved: NumericDate(sinceEpoch: .seconds(retrieved)), freshSeconds: freshSeconds,
            entityTag: header["entityTag"]?.string?.description,
            lastModified: header["lastModified"]?.string?.description, allowances: allowances, isOverruled: isOverruled)
    }

    private static func digest(of line: [UInt8], _ body: [UInt8]) -> [UInt8] {
        Array(SHA256.digest(SHA256.digest(line) + SHA256.digest(body)).hexadecimal.utf8)
    }
}

/// A document that an issuer publishes. It can be fetched and cached.
struct PublishedDocument: Sendable, Hashable {
    /// The kind of document.
    enum Kind: String, Sendable {
        case keys
        case revocationList = "revocation-list"
    }

    let kind: Kind
    let issuer: Issuer
    /// The URL of the document. It contains the issuer byte for byte, so an issuer that differs in case has other
    /// documents.
    let url: String

    /// The keys of an issuer (SHC-K4).
    static func keys(of issuer: Issuer) -> PublishedDocument {
        PublishedDocument(kind: .keys, issuer: issuer, url: issuer.keySetURL)
    }

    /// The revocation list of one of its keys (SHC-R2).
    static func revocationList(_ name: RevocationListName) -> PublishedDocument {
        PublishedDocument(kind: .revocationList, issuer: name.issuer, url: name.url)
    }

    /// The largest size that is accepted, in bytes.
    var maximumSize: Int {
        switch kind {
        case .keys: Bounds.keySetSize
        case .revocationList: Bounds.revocationListSize
        }
    }

    /// The name of the document's file in a cache: the SHA-256 of its kind, its URL and the permissions for it, in 64
    /// hexadecimal digits.
    func fileName(under allowances: CachedDocument.Allowances) -> String {
        var name = "\(kind.rawValue) \(url)"
        if allowances.allowsPrivateNetwork { name += " private-network" }
        if let authorities = allowances.certificateAuthorities { name += " \(authorities)" }
        return SHA256.digest(name.utf8).hexadecimal
    }
}

extension CertificateAuthorities {
    /// Makes the value with the SHA-256 of the file's content, in hexadecimal, as the digest.
    ///
    /// - Parameters:
    ///   - file: the path of the file.
    ///   - content: the file's content.
    public init(file: String, content: [UInt8]) {
        self.init(file: file, digest: SHA256.digest(content).hexadecimal)
    }
}
