internal import JOSE
internal import JSON
internal import SMARTHealthCards

/// The file of a cached document:
///
///     one line of JSON: the version of this form, whose document it is, when it was retrieved and how it is confirmed
///     the document, byte for byte
///     64 hexadecimal digits: the SHA-256 of the two SHA-256 digests of the line and of the document
///
/// A file that is cut off, changed, of another version or another document's is not read, so there is none.
extension CachedDocument {
    private static let version = 3
    private static let maximumLineLength = 64 << 10
    private static let digestLength = SHA256.digestLength * 2

    /// The largest file that a document of this size has.
    static func maximumFileSize(forBodyOf size: Int) -> Int { maximumLineLength + size + digestLength }

    /// The file's bytes; nil if what is said of the document has no end.
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
    /// - Returns: nil unless it holds this document, whole, and fetched with the same allowed.
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
