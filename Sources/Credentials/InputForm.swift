package import JSON

/// The form of an input. The content of the input decides it, never the file's name.
///
/// Verification and lint both recognise forms with this type, so that they treat an input in the same way.
public enum InputForm: String, Sendable, CaseIterable {
    // Forms that carry cards.

    /// A `.smart-health-card` file (SHC "Every Health Card can be embedded in a file").
    case file
    /// One compact JWS.
    case jws
    /// The text of one or several QR codes.
    case qr
    /// The FHIR `Parameters` that `$health-cards-issue` returns.
    case parameters
    /// A URL whose fragment is the file's JSON.
    case deeplink

    // Content of a card without a signature, and documents that issuers publish. Only lint reads these.

    /// The payload of a card.
    case payload
    /// A FHIR Bundle.
    case bundle
    /// A key set, or a single key.
    case jwks
    /// A revocation list.
    case crl
    /// A directory of issuers, or a snapshot of one.
    case directory

    // Forms that users may pass by mistake. They are recognised only to give advice.

    /// A SMART Health Link.
    case link
    /// An EU Digital COVID Certificate (`HC1:`).
    case certificate
    /// A picture or a PDF.
    case picture

    /// The form in words, with an article.
    package var words: String {
        switch self {
        case .file: "a card file"
        case .jws: "a JWS"
        case .qr: "the text of QR codes"
        case .parameters: "a Parameters resource"
        case .deeplink: "a deep link"
        case .payload: "a payload"
        case .bundle: "a FHIR Bundle"
        case .jwks: "a key set"
        case .crl: "a revocation list"
        case .directory: "a directory"
        case .link: "a SMART Health Link"
        case .certificate: "an EU Digital COVID Certificate"
        case .picture: "a picture or a PDF"
        }
    }

    /// What to do with an input of a form that is not read; nil for the other forms.
    package var advice: String? {
        switch self {
        case .link:
            "this is a SMART Health Link, which this program does not read: open the link, and save the cards as a "
                + ".smart-health-card file"
        case .certificate:
            "this is an EU Digital COVID Certificate (HC1:), which this program does not read: verify it with an app for "
                + "EU certificates"
        case .picture:
            "this is a picture or a PDF, which this program does not read: scan its QR code first, and give the text"
        default: nil
        }
    }

    /// Whether an input of this form is a JSON text.
    package var isJSON: Bool {
        switch self {
        case .file, .parameters, .payload, .bundle, .jwks, .crl, .directory: true
        case .jws, .qr, .deeplink, .link, .certificate, .picture: false
        }
    }
}

// MARK: Recognition

extension InputForm {
    /// Recognises the form of a JSON object; nil if it is no known form.
    package init?(_ object: JSONValue) {
        let isOfType = { (type: String) in object["resourceType"]?.isString(type) == true }
        if object["verifiableCredential"] != nil {
            self = .file
        } else if isOfType("Parameters") {
            self = .parameters
        } else if isOfType("Bundle") {
            self = .bundle
        } else if object["keys"] != nil || object["kty"] != nil {
            self = .jwks
        } else if object["vc"] != nil || object["iss"] != nil {
            self = .payload
        } else if object["rids"] != nil || object["method"] != nil {
            self = .crl
        } else if object["participating_issuers"] != nil || object["issuerInfo"] != nil {
            self = .directory
        } else {
            return nil
        }
    }

    /// Recognises the form of content that is not a JSON object; nil if it is no known form.
    ///
    /// - Parameter content: the content, without white space around it.
    package init?(_ content: ArraySlice<UInt8>) {
        if Self.begins(content, with: "shc:") {
            self = .qr
        } else if let form = Self.unread(content) {
            self = form
        } else if Self.isURL(content) {
            self = .deeplink
        } else if Self.looksLikeJWS(content) {
            self = .jws
        } else {
            return nil
        }
    }

    /// Recognises the forms in `unread`; nil for other content.
    package static func unread(_ content: ArraySlice<UInt8>) -> InputForm? {
        if begins(content, with: "shlink:/") || isLinkOfViewer(content) { return .link }
        if begins(content, with: "hc1:") { return .certificate }
        return isPicture(content) ? .picture : nil
    }

    /// Whether content begins with a scheme, in upper or lower case.
    ///
    /// - Parameter scheme: the scheme, in lower case.
    package static func begins(_ content: ArraySlice<UInt8>, with scheme: String) -> Bool {
        content.prefix(scheme.utf8.count).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            .elementsEqual(scheme.utf8)
    }

    /// Whether content is the URL of a viewer app with a SMART Health Link in its fragment.
    private static func isLinkOfViewer(_ content: ArraySlice<UInt8>) -> Bool {
        guard isURL(content), let hash = content.firstIndex(of: UInt8(ascii: "#")) else { return false }
        return content[(hash + 1)...].starts(with: "shlink:/".utf8)
    }

    /// Whether content begins with a scheme of up to 32 characters and `://` (RFC 3986 §3.1).
    private static func isURL(_ content: ArraySlice<UInt8>) -> Bool {
        guard let colon = content.prefix(33).firstIndex(of: UInt8(ascii: ":")), content.startIndex < colon,
            content[colon...].starts(with: "://".utf8)
        else { return false }
        return content[..<colon].allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
        }
    }

    /// Whether content looks like a JWS. A slightly damaged JWS counts too, so that the message can say what is wrong with it.
    private static func looksLikeJWS(_ content: ArraySlice<UInt8>) -> Bool {
        if content.starts(with: "eyJ".utf8) { return true }
        return content.contains(UInt8(ascii: ".")) && content.contains { $0 != UInt8(ascii: ".") }
            && content.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                    UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                    true
                default: false
                }
            }
    }

    private static func isPicture(_ content: ArraySlice<UInt8>) -> Bool {
        let begins: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), Array("%PDF".utf8),
            [0x49, 0x49, 0x2A, 0x00], [0x4D, 0x4D, 0x00, 0x2A],
        ]
        if begins.contains(where: { content.starts(with: $0) }) { return true }
        // WebP, then HEIC and AVIF.
        return content.starts(with: "RIFF".utf8) && content.dropFirst(8).starts(with: "WEBP".utf8)
            || content.dropFirst(4).starts(with: "ftyp".utf8)
    }
}
