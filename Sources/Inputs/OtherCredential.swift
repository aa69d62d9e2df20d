package import Credentials
package import Encodings

/// A health credential of a kind that is known by name, and not verified here.
///
/// Its kind says nothing about a person, so it may be logged.
package enum OtherCredential: Sendable, Equatable {
    /// New Zealand's My Vaccine Pass.
    case nzcp
    /// ICAO's visible digital seal, with the type that it claims.
    case visibleDigitalSeal(String?)
    /// India's certificate.
    case divoc
    /// France's 2D-DOC.
    case twoDDoc
    /// Israel's certificate of 2021.
    case israel
    /// A wallet pass of Apple's form.
    case walletPass
    /// A certificate in WHO's or the EU's envelope with other content than the EU's.
    case inEnvelope(String)

    /// The kind in words, with an article.
    package var words: String {
        switch self {
        case .nzcp: "New Zealand's My Vaccine Pass (NZCP)"
        case .visibleDigitalSeal(let type): "a visible digital seal of ICAO (VDS-NC\(type.map { ", \($0)" } ?? ""))"
        case .divoc: "a certificate of India (DIVOC)"
        case .twoDDoc: "a French 2D-DOC"
        case .israel: "a certificate of Israel of 2021"
        case .walletPass: "a wallet pass (.pkpass)"
        case .inEnvelope(let words): words
        }
    }

    /// The failure of such a credential.
    package var failure: VerificationFailure {
        if self == .walletPass {
            return VerificationFailure(
                .unsupportedCredential,
                "this is \(words), which is not read: show its QR code on the screen, and take a screenshot of it")
        }
        return VerificationFailure(.unsupportedCredential, "this is \(words), which is not verified here")
    }

    /// The failure of a text that holds such a credential, and none that is verified.
    package var failureInText: VerificationFailure {
        VerificationFailure(.unsupportedCredential, "this text holds \(words), which is not verified here")
    }
}

// MARK: Recognition

extension OtherCredential {
    /// Recognises a text or a file that is no JSON object; nil for other content.
    ///
    /// - Parameter content: the content, without white space around it.
    package init?(_ content: ArraySlice<UInt8>) {
        if InputForm.begins(content, with: "nzcp:/") {
            self = .nzcp
        } else if Self.is2DDoc(content) {
            self = .twoDDoc
        } else if content.starts(with: "B64:UEsD".utf8) {
            // The base64 of a ZIP archive.
            self = .divoc
        } else if let names = ZIPNames(content) {
            if names.contains("pass.json") {
                self = .walletPass
            } else if names.contains("certificate.json") {
                self = .divoc
            } else {
                return nil
            }
        } else if Self.isOfIsrael(content) {
            self = .israel
        } else {
            return nil
        }
    }

    /// Recognises a credential among the words of a text, such as a mail; nil if there is none.
    package init?(inWordsOf text: ArraySlice<UInt8>) {
        let words = Self.words(of: text, atMost: Self.maximumWords).lazy.filter { $0.count >= Self.shortestWord }
        guard let found = words.compactMap({ OtherCredential($0) }).first else { return nil }
        self = found
    }

    private static let maximumWords = 100_000
    /// Shorter than the text of any credential, and longer than most other words.
    private static let shortestWord = 40

    /// Words between white space, quotation marks and brackets. If there are more than so many, the last one is all the rest.
    static func words(of text: ArraySlice<UInt8>, atMost count: Int = .max) -> [ArraySlice<UInt8>] {
        text.split(maxSplits: count - 1) { $0 <= 0x20 || "\"'<>()[]{}|`".utf8.contains($0) }
    }

    /// Recognises a JSON object; nil for other objects.
    package init?(_ object: JSONValue) {
        if let header = object["data"]?["hdr"], let type = header["t"]?.string, object["sig"] != nil,
            type.utf8.starts(with: "icao.".utf8)
        {
            self = .visibleDigitalSeal(["icao.vacc", "icao.test"].first { type.utf8.elementsEqual($0.utf8) })
        } else if Self.isOfType("VerifiableCredential", object), object["credentialSubject"] != nil,
            object["evidence"]?.elements != nil, object["proof"] != nil
        {
            self = .divoc
        } else {
            return nil
        }
    }

    private static func isOfType(_ name: String, _ object: JSONValue) -> Bool {
        guard let type = object["type"] else { return false }
        return type.isString(name) || type.elements?.contains { $0.isString(name) } == true
    }

    /// Whether a text begins with the marker `DC`, a version from 1 to 4, and four letters or digits of an authority.
    private static func is2DDoc(_ content: ArraySlice<UInt8>) -> Bool {
        let begin = Array(content.prefix(8))
        return begin.count == 8 && begin.starts(with: "DC0".utf8) && (0x31...0x34).contains(begin[3])
            && begin[4...].allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    }

    /// Whether a text is base64, `#`, and a JSON object with `ct` or `id`.
    private static func isOfIsrael(_ content: ArraySlice<UInt8>) -> Bool {
        guard content.count <= 1 << 16, content.last == UInt8(ascii: "}"),
            let mark = content.firstIndex(of: UInt8(ascii: "#")), mark > content.startIndex + 40,
            content[..<mark].allSatisfy({ InputForm.base64Value($0) != nil || $0 == UInt8(ascii: "=") }),
            let object = try? JSONDocument.parse(Array(content[(mark + 1)...]), maximumDepth: Bounds.nesting)
        else { return false }
        return object["ct"] != nil || object["id"] != nil
    }
}
