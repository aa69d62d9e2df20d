package import Credentials
import Encodings

/// The texts of a picture or PDF, sorted: those that are cards, and those that are something else.
package struct DocumentTexts {
    /// The codes that are cards, or parts of one, even malformed ones.
    package let codes: [ScannedCode]
    /// The attachments that are cards, and the card files that are attached to FHIR in them.
    package let attachments: [[UInt8]]
    /// Warnings about everything else.
    package let warnings: [CredentialWarning]
    /// Why the document may have more cards than these, or has none; nil if neither is so.
    package let failure: VerificationFailure?

    package init(_ document: ScannedDocument) {
        var (codes, attachments, others): ([ScannedCode], [[UInt8]], [String]) = ([], [], [])
        for code in document.codes {
            if Self.isCard(code.text) { codes.append(code) } else { others.append(Self.describe(code.text)) }
        }
        for content in document.attachments {
            let cards = Self.cards(in: content)
            attachments += cards
            if cards.isEmpty { others.append("an attachment that is no card") }
        }
        (self.codes, self.attachments) = (codes, attachments)
        let kind = document.form.words
        if !document.problems.isEmpty {
            failure = VerificationFailure(.pictureUnreadable, document.problems.joined(separator: "; "))
        } else if !codes.isEmpty || !attachments.isEmpty {
            failure = nil
        } else if !others.isEmpty {
            failure = VerificationFailure(
                .malformedInput, "no health card found: \(kind) with \(Self.list(others)), but with no card")
        } else if document.isCutOff {
            failure = VerificationFailure(
                .noCodeFound,
                "a part of a QR code is there, but the code is cut off. Show the whole code, with a light edge around it"
            )
        } else if document.unreadCodes > 0 {
            let count = document.unreadCodes
            failure = VerificationFailure(
                .noCodeFound,
                "\(count == 1 ? "a QR code was" : "\(count) QR codes were") seen, but could not be read. \(Self.advice)"
            )
        } else if let limit = document.stoppedAfter {
            failure = VerificationFailure(
                .noCodeFound,
                "no QR code was found before the scanner was stopped after \(limit.components.seconds) s, its limit. "
                    + Self.advice)
        } else {
            failure = VerificationFailure(.noCodeFound, "no QR code was found. \(Self.advice)")
        }
        var warnings: [CredentialWarning] = []
        if failure == nil, !others.isEmpty {
            warnings.add(
                .otherCodesSkipped,
                "\(others.count.counted("other code or attachment was", "other codes or attachments were")) "
                    + "skipped: \(Self.list(others))")
        }
        if document.isOfDataURL {
            warnings.add(.textWasInside, "\(kind) stood in a data URL, and was taken from there")
        }
        if failure == nil, document.unreadCodes > 0 {
            let count = document.unreadCodes
            warnings.add(
                .codesNotRead, "\(count.counted("more code was", "more codes were")) seen, but could not be read")
        }
        if failure == nil, document.isPartial {
            warnings.add(
                .codesNotRead,
                "a part of the file is damaged, or was not searched in the time, so there may be more codes")
        }
        self.warnings = warnings
    }

    private static let advice =
        "A picture that is sharper, closer and flat may help, or the original file"

    /// Whether the text of a code is a card, a part of one or a link, or is meant to be one.
    private static func isCard(_ bytes: [UInt8]) -> Bool {
        CredentialContent(bytes).kind != .other
    }

    /// What is judged of an attachment, each as an input of its own.
    private static func cards(in attachment: [UInt8]) -> [[UInt8]] {
        let content = CredentialContent(attachment)
        if case .container = content.kind { return [attachment] }
        return content.credentials(in: attachment)
    }

    /// The kind of a code that is no card, in words. The text itself is not repeated.
    private static func describe(_ text: [UInt8]) -> String {
        let text = text[...].trimmingByteOrderMarks()
        return InputForm.unread(text)?.words ?? InputForm.words(forOther: text) ?? "a code with other text"
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
