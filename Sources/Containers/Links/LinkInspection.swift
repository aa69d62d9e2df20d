import Bytes
package import Credentials
package import StrictJSON

/// A SMART Health Link as `inspect` shows it: its payload, and what is in its files if it was followed. Nothing in it is
/// verified.
package struct LinkInspection: Sendable {
    /// The payload, read as far as possible.
    package let reading: LinkReading
    /// What is known of the link and its files.
    package let link: OpenedLink
    /// Whether the link was followed.
    package let isFollowed: Bool
    /// The content of each file; nil for a file that was not read. It is empty if the link was not followed.
    package let contents: [LinkContent?]

    /// Creates an inspection.
    package init(_ reading: LinkReading, _ link: OpenedLink, isFollowed: Bool, contents: [LinkContent?] = []) {
        self.reading = reading
        self.link = link
        self.isFollowed = isFollowed
        self.contents = contents
    }

    /// The first failure: of the link itself, or of a file.
    package var failure: VerificationFailure? {
        let ofLink = link.reason.flatMap { $0.code == .noSignedContent && isFollowed ? nil : $0 }
        return ofLink ?? link.files.lazy.compactMap(\.reason).first
    }
}

extension LinkContent {
    /// The content as JSON; nil if it is none, or is not shown: an access token, or another link with its key.
    package var json: JSONValue? {
        guard isShown else { return nil }
        return try? JSONDocument.parse(Array(bytes[...].trimmingByteOrderMarks()), maximumDepth: Bounds.nesting)
    }

    /// Whether the content may be shown. An access token, or the key of another link, may be anywhere in it.
    private var isShown: Bool {
        guard kind == .fhir || kind == .other, !claimsToken else { return false }
        let secrets = ["access_token", "refresh_token", "id_token", "shlink:/"].map { Array($0.utf8) }
        return !bytes.indices.contains { place in
            [UInt8(ascii: "_"), UInt8(ascii: ":")].contains(bytes[place])
                && secrets.contains { secret in
                    guard let mark = secret.firstIndex(of: bytes[place]), place >= mark else { return false }
                    return bytes[(place - mark)...].prefix(secret.count).elementsEqual(secret) {
                        ($0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0) == $1
                    }
                }
        }
    }
}
