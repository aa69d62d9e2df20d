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

/// What the bytes of an input are.
///
/// This is the only place that has the order in which forms are recognised. `verify`, `lint` and `batch`, the codes and attachments of
/// documents, the files of links, and the hint at a card that was pasted as the name of a file all ask it. They differ in what they
/// then do with the answer, and in how lenient they are.
package struct Recognition: Sendable {
    /// What an input is. The content decides, never the name of a file.
    package enum Kind: Sendable {
        /// Nothing but white space.
        case empty
        /// The octets of an EU Digital COVID Certificate. White space around them may be a part of them.
        case token
        /// A credential of a kind that is known by name, and not verified.
        case unsupported(OtherCredential)
        /// Text in UTF-16 without a byte-order mark.
        case utf16
        /// A text that begins as a JSON object. Its members say more: `InputForm.init(JSONValue)`.
        case json
        /// Lines of which at least one begins as the text of an EU Digital COVID Certificate.
        case lines(CredentialLines)
        /// What a scanner for another keyboard layout made of the text of a code.
        case otherKeyboard
        /// Names of files in the place of their content.
        case fileNames
        /// A text of a form that needs no JSON.
        case text(InputForm)
        /// Something else.
        case unknown
    }

    /// What the input is.
    package let kind: Kind
    /// The input without white space and byte-order marks around it.
    package let content: ArraySlice<UInt8>

    /// Recognises an input.
    ///
    /// - Parameter bytes: the whole input, with nothing trimmed.
    package init(_ bytes: ArraySlice<UInt8>) {
        content = bytes.trimmingByteOrderMarks()
        kind = Self.kind(of: bytes, content)
    }

    private static func kind(of bytes: ArraySlice<UInt8>, _ content: ArraySlice<UInt8>) -> Kind {
        if !content.hasLineBreak, InputForm.beginsAsJWS(content) { return .text(.jws) }
        if InputForm.isCWT(bytes) { return .token }
        if let other = OtherCredential(bytes) { return .unsupported(other) }
        guard let first = content.first else { return .empty }
        guard !InputForm.isUTF16(content) else { return .utf16 }
        if first == UInt8(ascii: "{") { return .json }
        if let other = OtherCredential(content) { return .unsupported(other) }
        if let lines = CredentialLines(content) { return .lines(lines) }
        guard !InputForm.isOfOtherKeyboard(content) else { return .otherKeyboard }
        guard !FileName.areAll(in: content) else { return .fileNames }
        return InputForm(content).map { .text($0) } ?? .unknown
    }

    /// The form of a text in one line, if its first characters say it, as those of nearly every line of a batch do; nil for all other
    /// lines. What it finds, `init` would find too.
    ///
    /// - Parameter line: the text, without white space around it and without line breaks.
    package static func quick(_ line: ArraySlice<UInt8>) -> InputForm? {
        if InputForm.beginsAsJWS(line) { return .jws }
        if line.starts(with: "HC1:".utf8) { return .hc1 }
        return line.starts(with: QRCodeText.scheme.utf8) ? .qr : nil
    }

    /// The form, if the first characters or octets say it; nil for JSON, whose members do, and for what is no input.
    package var form: InputForm? {
        switch kind {
        case .token: .cwt
        case .lines: .hc1
        case .text(let form): form
        case .empty, .unsupported, .utf16, .json, .otherKeyboard, .fileNames, .unknown: nil
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether there is a line feed or a carriage return.
    var hasLineBreak: Bool { span.firstIndex(of: 0x0A) != nil || span.firstIndex(of: 0x0D) != nil }
}
