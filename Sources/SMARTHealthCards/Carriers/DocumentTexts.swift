import Bytes
package import Credentials
import JSON

/// The texts of a picture or PDF, sorted: those that are cards, and those that are something else.
package struct DocumentTexts {
    /// The codes that are cards, or parts of one, even malformed ones.
    package let codes: [ScannedCode]
    /// The attachments that are cards.
    package let attachments: [[UInt8]]
    /// Warnings about everything else.
    package let warnings: [CredentialWarning]
    /// Why the document may have more cards than these, or has none; nil if neither is so.
    package let failure: VerificationFailure?

    package init(_ document: ScannedDocument) {
        codes = document.codes.filter { Self.isCard($0.text) }
        attachments = document.attachments.filter { Self.isCard(attachment: $0) }
        let others =
            document.codes.filter { !Self.isCard($0.text) }.map { Self.describe($0.text) }
            + document.attachments.filter { !Self.isCard(attachment: $0) }.map { _ in "an attachment that is no card" }
        let kind = document.form.words
        if !document.problems.isEmpty {
            failure = VerificationFailure(.pictureUnreadable, document.problems.joined(separator: "; "))
        } else if !codes.isEmpty || !attachments.isEmpty {
            failure = nil
        } else if !others.isEmpty {
            failure = VerificationFailure(
                .malformedInput, "no health card found: \(kind) with \(Self.list(others)), but with no card")
        } else if document.unreadCodes > 0 {
            let count = document.unreadCodes
            failure = VerificationFailure(
                .noCodeFound,
                "\(count == 1 ? "a QR code was" : "\(count) QR codes were") seen, but could not be read. \(Self.advice)"
            )
        } else {
            failure = VerificationFailure(.noCodeFound, "no QR code was found. \(Self.advice)")
        }
        var warnings: [CredentialWarning] = []
        if failure == nil, !others.isEmpty {
            warnings.append(
                CredentialWarning(
                    .otherCodesSkipped,
                    "\(others.count == 1 ? "1 other code or attachment was" : "\(others.count) other codes or attachments were") "
                        + "skipped: \(Self.list(others))"))
        }
        if failure == nil, document.unreadCodes > 0 {
            let count = document.unreadCodes
            warnings.append(
                CredentialWarning(
                    .codesNotRead,
                    "\(count == 1 ? "1 more code was" : "\(count) more codes were") seen, but could not be read"))
        }
        if failure == nil, document.isPartial {
            warnings.append(
                CredentialWarning(
                    .codesNotRead,
                    "a part of the file is damaged, or was not searched in the time, so there may be more codes"))
        }
        self.warnings = warnings
    }

    private static let advice =
        "A picture that is sharper, closer and flat may help, or the original file"

    /// Whether the text of a code is a card, a part of one or a link, or is meant to be one.
    private static func isCard(_ text: [UInt8]) -> Bool {
        let text = text[...].trimmingWhiteSpace()
        if InputForm.begins(text, with: "shc:") || text.starts(with: "eyJ".utf8) { return true }
        if SMARTHealthLinkText.begins(text) || CredentialLines(text) != nil { return true }
        if InputForm.certificatePrefix(text) != nil { return true }
        if text.first == UInt8(ascii: "{") { return isCardFile(text) }
        guard InputForm(text) == .deeplink, case .success(let file)? = DeepLink(text).file else { return false }
        return InputForm(file) == .file
    }

    private static func isCard(attachment: [UInt8]) -> Bool {
        let content = attachment[...].trimmingByteOrderMarks()
        if content.first == UInt8(ascii: "{") { return isCardFile(content) }
        return isCard(Array(content))
    }

    private static func isCardFile(_ content: ArraySlice<UInt8>) -> Bool {
        let content = Array(content)
        guard !content.holdsMoreJSONValues(than: Bounds.inputValues),
            let object = try? JSONDocument.parse(content, maximumDepth: Bounds.nesting)
        else { return false }
        return [.file, .parameters].contains(InputForm(object))
    }

    /// The kind of a code that is no card, in words. The text itself is not repeated.
    private static func describe(_ text: [UInt8]) -> String {
        let text = text[...].trimmingWhiteSpace()
        switch InputForm.unread(text) {
        case let form?: return form.words
        case nil: break
        }
        let kinds = [
            ("http:", "a web address"), ("https:", "a web address"), ("wifi:", "a Wi-Fi network"),
            ("begin:vcard", "a contact"), ("mecard:", "a contact"), ("begin:v", "a calendar entry"),
            ("mailto:", "an e-mail address"), ("tel:", "a telephone number"), ("sms", "a text message"),
            ("geo:", "a place on a map"), ("otpauth:", "a login code"), ("bcd", "a payment"),
        ]
        return kinds.first { InputForm.begins(text, with: $0.0) }?.1 ?? "a code with other text"
    }

    /// Counts equal descriptions: `2 × a web address, a contact`.
    private static func list(_ words: [String]) -> String {
        var counted: [(word: String, count: Int)] = []
        for word in words {
            if let index = counted.firstIndex(where: { $0.word == word }) {
                counted[index].count += 1
            } else {
                counted.append((word, 1))
            }
        }
        return counted.map { $0.count == 1 ? $0.word : "\($0.count) × \($0.word)" }.joined(separator: ", ")
    }
}
