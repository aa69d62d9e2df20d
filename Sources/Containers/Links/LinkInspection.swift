import Credentials
package import Encodings

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
