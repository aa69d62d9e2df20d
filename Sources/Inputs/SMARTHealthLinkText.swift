import Credentials
import Encodings

/// The text of a SMART Health Link, bare or in a viewer's URL, before its payload is decoded (SHL "Construct a SMART Health
/// Link").
///
/// It is only recognised here, because a link must not be taken for a deep link. `HealthLink` decodes it.
package struct SMARTHealthLinkText: Sendable {
    /// Where the link is.
    package enum Place: String, Sendable {
        /// There is nothing else.
        case bare
        /// It is in the fragment or the query of a viewer's URL.
        case viewer
    }

    /// Where the link is.
    package let place: Place
    /// The payload in base64url.
    package let payload: [UInt8]
    /// What is unusual about the link's form, in words. Each is worth a warning.
    package let oddities: [String]

    /// Recognises a link; nil if the text is none, not even a damaged one.
    ///
    /// - Parameter text: the text, without white space around it.
    package init?(_ text: ArraySlice<UInt8>) {
        if let payload = Self.payload(text) {
            self.init(.bare, payload, [])
            return
        }
        // A link is far shorter. What is longer is not searched.
        guard text.count <= Self.longest else { return nil }
        guard InputForm.isURL(text) else {
            // Text around a link, such as quotation marks. The whole text is no base64url, so it cannot be decoded.
            guard Self.isAround(text) else { return nil }
            self.init(.bare, (Array(text), []), [])
            return
        }
        let hash = text.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        if hash < text.endIndex, let found = Self.search(text[(hash + 1)...]) {
            // Other readers may follow the other link.
            let others = Self.values(inQuery: text[..<hash]).filter { other in
                (Self.payload(other[...])?.bytes ?? other) != found.payload.bytes
            }
            let oddities =
                others.isEmpty ? [] : ["the query of the viewer's address has another link, which was not opened"]
            self.init(.viewer, found.payload, found.oddities + oddities)
        } else if hash >= text.endIndex - 1 || text[hash + 1] != UInt8(ascii: "{"),
            case let values = Self.values(inQuery: text[..<hash]), let value = values.first
        {
            let payload = Self.payload(value[...]) ?? (value, [])
            let isAlone = values.allSatisfy { (Self.payload($0[...])?.bytes ?? $0) == payload.bytes }
            self.init(
                .viewer, payload,
                ["it is in the query of the viewer's address, so the viewer's server has seen the key"]
                    + (isAlone ? [] : ["the query has another link, which was not opened"]))
        } else {
            return nil
        }
    }

    private init(_ place: Place, _ payload: (bytes: [UInt8], oddities: [String]), _ oddities: [String]) {
        self.place = place
        self.payload = payload.bytes
        self.oddities = oddities + payload.oddities
    }

    /// The longest link that is recognised: a payload of 16 KiB in base64, percent-encoded, and a viewer's URL.
    private static let longest = 128 << 10

    /// The longest text around a link that is recognised, in bytes.
    private static let longestAround = 8192

    /// Whether the first line of a text is a link.
    package static func begins(_ text: ArraySlice<UInt8>) -> Bool {
        // Most texts are cards, in which no line needs to be looked for.
        guard text.count <= longestAround || InputForm.begins(text, with: "shlink:") || InputForm.isURL(text) else {
            return false
        }
        return SMARTHealthLinkText(text.prefix { $0 != 0x0A && $0 != 0x0D }) != nil
    }

    /// Whether a short line of text has a link somewhere.
    private static func isAround(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count <= longestAround, text.first != UInt8(ascii: "{"), text.first != UInt8(ascii: "<"),
            !text.contains(0x0A)
        else { return false }
        return text.indices.contains {
            text[$0] == UInt8(ascii: ":") && $0 - text.startIndex >= 6
                && InputForm.begins(text[($0 - 6)...], with: "shlink:/")
        }
    }

    /// The payload of a text that begins with the scheme; nil for other text.
    private static func payload(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], oddities: [String])? {
        let scheme = "shlink:"
        guard InputForm.begins(text, with: scheme) else { return nil }
        var oddities: [String] = []
        if !text.starts(with: scheme.utf8) { oddities.append("its scheme is not in lower case") }
        var rest = text.dropFirst(scheme.utf8.count)
        // Without the slash it is no link. The whole text is no base64url, so it cannot be decoded.
        guard rest.first == UInt8(ascii: "/") else { return (Array(text), oddities) }
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "/") {
            oddities.append("it begins with shlink:// instead of shlink:/")
            rest = rest.dropFirst()
        }
        return (Array(rest), oddities)
    }

    /// The link in a fragment; nil if there is none.
    private static func search(
        _ fragment: ArraySlice<UInt8>
    ) -> (payload: (bytes: [UInt8], oddities: [String]), oddities: [String])? {
        var oddities: [String] = []
        var fragment = fragment
        if fragment.contains(UInt8(ascii: "%")) {
            guard let decoded = PercentEncoding.decode(fragment) else { return nil }
            oddities.append("its fragment is percent-encoded")
            fragment = decoded[...]
        }
        // This is the JSON of a deep link.
        guard fragment.first != UInt8(ascii: "{") else { return nil }
        let colons = fragment.indices.filter { fragment[$0] == UInt8(ascii: ":") }
        for colon in colons.prefix(64) where colon - fragment.startIndex >= 6 {
            guard let payload = payload(fragment[(colon - 6)...]) else { continue }
            if colon - 6 > fragment.startIndex { oddities.append("other text precedes it in the fragment") }
            return (payload, oddities)
        }
        return nil
    }

    /// The links in the members `shlink` and `shl` of a URL's query.
    private static func values(inQuery url: ArraySlice<UInt8>) -> [[UInt8]] {
        guard let mark = url.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return url[(mark + 1)...].split(separator: UInt8(ascii: "&")).compactMap { member in
            guard let equals = member.firstIndex(of: UInt8(ascii: "=")),
                ["shlink", "shl"].contains(where: { member[..<equals].elementsEqual($0.utf8) }),
                // A payload is JSON, so its first character in base64url is always the same.
                let value = PercentEncoding.decode(member[(equals + 1)...]),
                value.first == UInt8(ascii: "e") || InputForm.begins(value[...], with: "shlink:")
            else { return nil }
            return value
        }
    }
}
