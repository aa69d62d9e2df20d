package import Credentials

/// The text of a QR code on a line of its own, as `inspect --format qr` prints it.
///
/// Codes are made by strangers. The texts of credentials have only characters that pass unchanged.
package enum CodeLine {
    /// The line, with its end.
    package static func bytes(_ text: [UInt8]) -> [UInt8] {
        TextRenderer.bytes([.line(Words(String(decoding: text, as: UTF8.self)))])
    }

    /// Why the texts are not those of all codes, or why there are none; nil if it is not known that any is missing.
    package static func failure(of document: ScannedDocument) -> VerificationFailure? {
        if !document.problems.isEmpty {
            return VerificationFailure(.pictureUnreadable, document.problems.joined(separator: "; "))
        }
        guard document.codes.isEmpty else { return nil }
        let words =
            document.isCutOff
            ? "the code is cut off" : document.unreadCodes == 0 ? "no QR code was found" : unread(document.unreadCodes)
        return VerificationFailure(.noCodeFound, words)
    }

    /// What else a reader should know about codes beside those that were read.
    package static func warning(on document: ScannedDocument) -> CredentialWarning? {
        guard failure(of: document) == nil else { return nil }
        if document.unreadCodes > 0 { return CredentialWarning(.codesNotRead, unread(document.unreadCodes)) }
        guard document.isPartial else { return nil }
        return CredentialWarning(
            .codesNotRead,
            "a part of the file is damaged, or was not searched in the time, so there may be more codes")
    }

    private static func unread(_ count: Int) -> String {
        "\(count == 1 ? "a QR code was" : "\(count) QR codes were") seen, but could not be read"
    }

    /// The failure of an input that is neither a picture nor a PDF.
    package static let noDocument = VerificationFailure(
        .noCodeFound, "this is neither a picture nor a PDF document, so it has no QR code")
}
