package import Credentials
import Cryptography
package import Encodings

extension InputForm {
    /// Recognises the form of a JSON object; nil if it is no known form.
    package init?(_ object: JSONValue) {
        let isOfType = { (type: String) in object["resourceType"]?.isString(type) == true }
        if object["verifiableCredential"] != nil {
            self = .file
        } else if object["type"]?.isString("smart-health-checkin-response") == true
            || object["protocol"] != nil && object["data"]?["response"] != nil
        {
            self = .checkIn
        } else if isOfType("Parameters") {
            self = .parameters
        } else if isOfType("Bundle") {
            self = .bundle
        } else if let form = DocumentKind.find(object)?.form {
            self = form
        } else {
            return nil
        }
    }

    /// Recognises the form of content that is not a JSON object; nil if it is no known form. `Recognition` says what comes before.
    ///
    /// - Parameter content: the content, without white space around it.
    package init?(_ content: ArraySlice<UInt8>) {
        if let (form, _) = Self.beginnings.first(where: { Self.begins(content, with: $0.text) }) {
            self = form
        } else if let form = Self.unread(content) {
            self = form
        } else if Self.isURL(content) {
            self = .deeplink
        } else if Self.mayBeJWS(content) {
            self = .jws
        } else {
            return nil
        }
    }

    /// Recognises the forms in `unread`; nil for other content.
    package static func unread(_ content: ArraySlice<UInt8>) -> InputForm? {
        if SMARTHealthLinkText.begins(content) { return .link }
        if isPicture(content) { return .picture }
        return isPDF(content) ? .pdf : nil
    }

    /// Whether a text is meant as that of a card or certificate. What is not even in three parts may be any base64.
    package static func isCard(_ text: ArraySlice<UInt8>) -> Bool {
        let next = { (beginning: String) in
            begins(text, with: beginning) ? text.dropFirst(beginning.utf8.count).first : nil
        }
        if let digit = next("shc:/") { return digit.isDigit }
        if let character = next("hc1:") { return character > 0x20 }
        return isJWS(text) && text.count { $0 == UInt8(ascii: ".") } == 2
    }

    /// Recognises a picture or PDF, whose texts are the inputs, also in a data URL; nil for other content.
    package static func scanned(_ content: ArraySlice<UInt8>) -> InputForm? {
        if isPicture(content) { return .picture }
        if let picture = DataURL.content(of: content) { return scanned(picture[...]) }
        // White space and byte-order marks may precede an SVG.
        let start = content.prefix(4200).drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        if isSVG(start) { return .picture }
        guard start.first != UInt8(ascii: "{"), !begins(start, with: "shc:"), !isURL(start) else { return nil }
        guard !begins(start, with: "hc1:"), !isCWT(content) else { return nil }
        return isPDF(content) ? .pdf : nil
    }

    /// Whether the bytes of an input, with nothing trimmed, look like a CBOR Web Token, compressed or not.
    ///
    /// A token that is slightly wrong counts too, so that the message can say what is wrong with it.
    package static func isCWT(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, !isPicture(bytes) else { return false }
        let second = bytes.dropFirst().first ?? 0
        switch first {
        // An array of four, or of any length: a COSE message.
        case 0x84, 0x9F: return true
        // Another array, if a byte string comes first as in a COSE message. No text in UTF-8 begins with these bytes.
        case 0x80...0x97: return (0x40...0x5F).contains(second)
        case 0x98...0x9B:
            return bytes.dropFirst().prefix(1 << Int(first - 0x98)).elementsEqual(count(4, as: first - 0x98))
        // A map whose first key is that of a claim: claims that nobody has signed.
        case 0xA0...0xBF: return [0x01, 0x04, 0x06, 0x39].contains(second)
        // A tag on an array or on another tag, unless this is a text whose first character is not ASCII.
        case 0xC0...0xDB:
            let length = first < 0xD8 ? 1 : 1 + 1 << Int(first - 0xD8)
            guard let tagged = bytes.dropFirst(length).first else { return false }
            return ((0x80...0x9F).contains(tagged) || (0xC0...0xDB).contains(tagged))
                && String(validating: bytes, as: UTF8.self) == nil
        default: return hasZlibHeader(bytes) && !isText(bytes)
        }
    }

    /// A number in one, two, four or eight bytes.
    ///
    /// - Parameter width: 0 to 3, for these widths.
    private static func count(_ number: UInt8, as width: UInt8) -> [UInt8] {
        [UInt8](repeating: 0, count: (1 << Int(width)) - 1) + [number]
    }

    /// Whether bytes begin with the header of a zlib stream (RFC 1950 §2.2): the method 8, a window of at most 32 KiB, and two
    /// bytes that 31 divides as a number.
    package static func hasZlibHeader(_ bytes: ArraySlice<UInt8>) -> Bool {
        let header = Array(bytes.prefix(2))
        guard header.count == 2, header[0] & 0x0F == 8, header[0] >> 4 <= 7 else { return false }
        return (Int(header[0]) << 8 | Int(header[1])) % 31 == 0
    }

    /// Whether bytes are printable ASCII and white space.
    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { (0x20...0x7E).contains($0) || [0x09, 0x0A, 0x0D].contains($0) }
    }

    /// Whether a text is that of a certificate without `HC1:` before it: the base45 of a zlib stream of a COSE message.
    package static func isBareCertificate(_ text: ArraySlice<UInt8>) -> Bool {
        guard let compressed = try? Base45.decode(text), hasZlibHeader(compressed[...]),
            let octets = try? Inflater(.zlib).inflate(compressed, maximumSize: Bounds.payloadSize)
        else { return false }
        return isCWT(octets[...])
    }

    /// The prefix of a text that resembles a certificate's: two letters, a digit, and a colon (HCERT §4.2, and national forms such as
    /// `NO1:`); nil for other content, such as `TEL:`.
    package static func certificatePrefix(_ content: ArraySlice<UInt8>) -> String? {
        let prefix = content.prefix(4)
        guard prefix.count == 4, prefix.last == UInt8(ascii: ":"),
            prefix.prefix(2).allSatisfy({ (0x41...0x5A).contains($0) }),
            prefix.dropFirst(2).prefix(1).allSatisfy(\.isDigit)
        else { return nil }
        return String(decoding: prefix, as: UTF8.self)
    }

    /// What the text of a QR code is that is no credential, by its prefix, in words with an article; nil if that is not known.
    package static func words(forOther text: ArraySlice<UInt8>) -> String? {
        if text.starts(with: "567629".utf8), text.allSatisfy({ (0x30...0x39).contains($0) }) {
            return "the digits of a card without the shc:/ before them"
        }
        return KnownPrefixes.others.first { begins(text, with: $0.0) }?.1
    }

    /// Whether content begins with a scheme, in upper or lower case.
    ///
    /// - Parameter scheme: the scheme, in lower case.
    package static func begins(_ content: ArraySlice<UInt8>, with scheme: String) -> Bool {
        content.prefix(scheme.utf8.count).lazy.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            .elementsEqual(scheme.utf8)
    }

    /// Whether content begins with a scheme of up to 32 characters and `://` (RFC 3986 §3.1).
    static func isURL(_ content: ArraySlice<UInt8>) -> Bool {
        guard let colon = content.prefix(33).firstIndex(of: UInt8(ascii: ":")), content.startIndex < colon,
            content[colon...].starts(with: "://".utf8)
        else { return false }
        return content[..<colon].allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
        }
    }

    /// Whether a text is a compact JWS, or is meant to be one. This decides about content that is beside other content.
    ///
    /// It begins with the base64 of a JSON object, which may have white space anywhere. A damaged JWS is known by its three parts,
    /// of which one is longer than a label of a host name may be (RFC 1035 §2.3.4): `www.example.com` is no JWS.
    ///
    /// - Parameter text: the text, without white space around it.
    package static func isJWS(_ text: ArraySlice<UInt8>) -> Bool {
        let start = JSONObjectStart(base64: text)
        if start == .object { return true }
        guard text.contains(UInt8(ascii: ".")), isBase64AndDots(text) else { return false }
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return false }
        // With a slash, it may be an address or the name of a file.
        return start == .brace || parts.contains { $0.count > 63 } && !text.contains(UInt8(ascii: "/"))
    }

    /// Whether a text begins with the base64 of a JSON object, as a JWS does.
    static func beginsAsJWS(_ text: ArraySlice<UInt8>) -> Bool { JSONObjectStart(base64: text) == .object }

    /// How the text in base64 begins.
    private enum JSONObjectStart {
        /// With a brace, and a quotation mark or the other brace.
        case object
        /// With a brace, and something else.
        case brace
        case other

        init(base64 text: ArraySlice<UInt8>) {
            self = .other
            var (bits, width): (UInt32, UInt32) = (0, 0)
            for character in text {
                guard let value = InputForm.base64Value(character) else { return }
                (bits, width) = ((bits << 6 | value) & 0xFFF, width + 6)
                guard width >= 8 else { continue }
                width -= 8
                switch UInt8(truncatingIfNeeded: bits >> width) {
                case 0x20, 0x09, 0x0A, 0x0D: continue
                case UInt8(ascii: "{") where self == .other: self = .brace
                case UInt8(ascii: "\""), UInt8(ascii: "}"):
                    if self == .brace { self = .object }
                    return
                default: return
                }
            }
        }
    }

    /// The value of a character of base64 or base64url; nil for another character.
    static func base64Value(_ character: UInt8) -> UInt32? {
        switch character {
        case 0x41...0x5A: UInt32(character) - 0x41
        case 0x61...0x7A: UInt32(character) - 0x61 + 26
        case 0x30...0x39: UInt32(character) - 0x30 + 52
        case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
        case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
        default: nil
        }
    }

    private static func isBase64AndDots(_ text: ArraySlice<UInt8>) -> Bool {
        text.allSatisfy { base64Value($0) != nil || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "=") }
    }

    /// Whether a whole input may be a JWS, so that the message can say what is wrong with it. Beside other content, it would be a guess.
    private static func mayBeJWS(_ content: ArraySlice<UInt8>) -> Bool {
        isJWS(content)
            || content.contains(UInt8(ascii: ".")) && content.contains { $0 != UInt8(ascii: ".") }
                && isBase64AndDots(content)
    }

    /// Whether content is a picture of a format that the scanner reads.
    private static func isPicture(_ content: ArraySlice<UInt8>) -> Bool {
        // PNG, JPEG, GIF, TIFF in both byte orders, and BigTIFF.
        let begins: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), [0x49, 0x49, 0x2A, 0x00],
            [0x4D, 0x4D, 0x00, 0x2A], [0x49, 0x49, 0x2B, 0x00], [0x4D, 0x4D, 0x00, 0x2B],
        ]
        if begins.contains(where: { content.starts(with: $0) }) { return true }
        // WebP, then HEIC and AVIF.
        return content.starts(with: "RIFF".utf8) && content.dropFirst(8).starts(with: "WEBP".utf8)
            || isISOMedia(content) || isBitmap(content) || isSVG(content)
    }

    /// Whether content begins with the box `ftyp`, whose size is below 64 KiB (ISO/IEC 14496-12 §4.3), and is no film or sound.
    private static func isISOMedia(_ content: ArraySlice<UInt8>) -> Bool {
        guard content.dropFirst(4).starts(with: "ftyp".utf8), content.starts(with: [0, 0]) else { return false }
        let films = ["mp4", "isom", "iso2", "iso5", "iso6", "avc1", "M4A", "M4V", "M4B", "qt  ", "3gp", "3g2", "dash"]
        guard films.contains(where: { content.dropFirst(8).starts(with: $0.utf8) }) else { return true }
        // A file may be a film and a picture at once. Its compatible brands say so.
        let size = Int(content[content.startIndex + 2]) << 8 | Int(content[content.startIndex + 3])
        let brands = Array(content.prefix(size).dropFirst(16))
        let pictures = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "avif", "avis", "miaf"]
        return stride(from: 0, to: brands.count - 3, by: 4).contains { place in
            pictures.contains { brands[place...].starts(with: $0.utf8) }
        }
    }

    /// Whether content begins with the header of a BMP file. Its four reserved bytes are zero.
    private static func isBitmap(_ content: ArraySlice<UInt8>) -> Bool {
        content.starts(with: "BM".utf8) && content.dropFirst(6).starts(with: [0, 0, 0, 0])
    }

    /// Whether content is XML whose first 4096 bytes have an element `svg`.
    package static func isSVG(_ content: ArraySlice<UInt8>) -> Bool {
        guard content.first == UInt8(ascii: "<") else { return false }
        let start = content.prefix(4096)
        return start.indices.contains { start[$0] == UInt8(ascii: "<") && isSVGTag(start[$0...]) }
    }

    private static func isSVGTag(_ text: ArraySlice<UInt8>) -> Bool {
        let name = text.dropFirst().prefix { ![0x20, 0x09, 0x0A, 0x0D, 0x3E, 0x2F].contains($0) }
        return name.elementsEqual("svg".utf8) || name.count <= 32 && name.suffix(4).elementsEqual(":svg".utf8)
    }

    /// Whether content is a PDF. Up to 1024 bytes may precede its header.
    private static func isPDF(_ content: ArraySlice<UInt8>) -> Bool {
        let start = content.prefix(1024 + 5)
        return start.indices.contains { start[$0] == UInt8(ascii: "%") && start[$0...].starts(with: "%PDF-".utf8) }
    }

    /// Whether a text begins as that of a card does if a scanner sends keys of a US keyboard, and the computer takes them for those
    /// of a German or French one: `:` becomes `Ö` or `M`, and `/` becomes `-` or `!`. German keyboards also exchange y and z. What can be
    /// set right has been (`WrappedText`).
    static func isOfOtherKeyboard(_ content: ArraySlice<UInt8>) -> Bool {
        for name in ["shc", "shlink", "hc1", "https"] where begins(content, with: name) {
            let rest = Array(content.dropFirst(name.utf8.count).prefix(8))
            guard let colon = rest.first, colon != UInt8(ascii: ":") else { return false }
            if colon >= 0x80 { return true }
            // A French M and !, or the first letters of a certificate behind one character.
            if colon | 0x20 == UInt8(ascii: "m"), rest.dropFirst().first.map({ $0 == 0x21 || $0 >= 0x80 }) ?? false {
                return true
            }
            return name == "hc1" && ["6bf", "ncf"].contains { begins(rest.dropFirst(), with: $0) }
        }
        // HC1: with the digits of a French keyboard.
        if begins(content, with: "hc&m") { return true }
        // A JWS, whose first letters are eyJ.
        return content.starts(with: "ezJ".utf8) && content.count > 100 && content.count { $0 == UInt8(ascii: ".") } == 2
    }

    /// Whether every second byte of the beginning is zero, as in UTF-16 text of ASCII characters.
    static func isUTF16(_ content: ArraySlice<UInt8>) -> Bool {
        let begin = Array(content.prefix(16))
        guard begin.count == 16 else { return false }
        let isText = begin.allSatisfy { $0 == 0 || (0x20...0x7E).contains($0) || [0x09, 0x0A, 0x0D].contains($0) }
        let zeros = begin.indices.filter { begin[$0] == 0 }
        return isText && zeros.count == 8 && Set(zeros.map { $0 % 2 }).count == 1
    }
}
