/// What people take for a health card, and what is not read here.
package enum OtherForm: Sendable {
    case link, certificate, picture

    /// What content is; nil if it is none of these.
    package init?(_ content: ArraySlice<UInt8>) {
        let begin = content.prefix(12).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        if begin.starts(with: "shlink:/".utf8) || Self.isLinkOfViewer(content) {
            self = .link
        } else if begin.starts(with: "hc1:".utf8) {
            self = .certificate
        } else if Self.isPicture(content) {
            self = .picture
        } else {
            return nil
        }
    }

    /// Whether it is a URL with a link as its fragment, as viewers of links are opened.
    private static func isLinkOfViewer(_ content: ArraySlice<UInt8>) -> Bool {
        guard content.prefix(32).contains(UInt8(ascii: ":")), let hash = content.firstIndex(of: UInt8(ascii: "#"))
        else {
            return false
        }
        return content[(hash + 1)...].starts(with: "shlink:/".utf8)
    }

    private static func isPicture(_ content: ArraySlice<UInt8>) -> Bool {
        let begins: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), Array("%PDF".utf8),
            [0x49, 0x49, 0x2A, 0x00], [0x4D, 0x4D, 0x00, 0x2A],
        ]
        if begins.contains(where: { content.starts(with: $0) }) { return true }
        // WebP, and the family of HEIC and AVIF.
        return content.starts(with: "RIFF".utf8) && content.dropFirst(8).starts(with: "WEBP".utf8)
            || content.dropFirst(4).starts(with: "ftyp".utf8)
    }

    /// What it is, and what to do.
    package var words: String {
        switch self {
        case .link:
            "this is a SMART Health Link, which is not read here: open it where it leads, and save the cards as a "
                + ".smart-health-card file"
        case .certificate:
            "this is an EU Digital COVID Certificate (HC1:), which is not read here: verify it with an app for those"
        case .picture:
            "this is a picture or a PDF, which is not read here: scan its QR code first, and give the text"
        }
    }
}
