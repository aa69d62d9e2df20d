import Credentials
import Encodings
import Inputs
import Processes

/// An argument that should name a file, and is itself a card, JSON or an address.
enum PastedInput {
    case qr, certificate, card, json, cardLink, address
    case other(InputForm)

    /// What the argument is; nil if it looks like the name of a file.
    init?(_ name: String) {
        let text = Array(name.utf8)[...].trimmingWhiteSpace()
        switch Recognition(text).kind {
        case .json: self = .json
        case .lines: self = .certificate
        case .text(.qr) where InputForm.begins(text, with: "shc:/"): self = .qr
        case .text(let form) where InputForm.unread(text) == form: self = .other(form)
        case .text(.deeplink) where InputForm.begins(text, with: "http"):
            self = text.contains(UInt8(ascii: "#")) ? .cardLink : .address
        // A name may look like a damaged JWS.
        case .text(.jws) where InputForm.isJWS(text): self = .card
        default:
            guard let first = text.first, "[\"".utf8.contains(first) else { return nil }
            self = .json
        }
    }

    /// Whether the argument is the text of a QR code, which is read as the value of `--qr` unless there is a file of this name.
    static func isCode(_ name: String) -> Bool {
        let text = Array(name.utf8)[...].trimmingWhiteSpace()
        if ["shc:/", "hc1:", "shlink:/"].contains(where: { InputForm.begins(text, with: $0) }) { return true }
        return InputForm.begins(text, with: "https://") && text.contains(UInt8(ascii: "#"))
            && SMARTHealthLinkText.begins(text)
    }

    /// What the argument is, and how to give it instead.
    ///
    /// - Parameter qrOption: the option that takes the text of a QR code.
    func advice(qrOption: String) -> String {
        switch self {
        case .qr: "this is QR text: use \(qrOption) or standard input"
        case .certificate:
            "this is the text of an EU Digital COVID Certificate: use \(qrOption) or standard input"
        case .card: "this is a card, not the name of a file: use standard input"
        case .json: "this is JSON, not the name of a file: use standard input"
        case .cardLink: "this is a link that may hold a card: use standard input"
        case .address:
            "this is a web address, from which nothing is downloaded: save the file and give its name (to check an "
                + "issuer, use \"shcverify lint --issuer\")"
        case .other(.link): "this is a SMART Health Link: put \(qrOption) before it, or use standard input"
        case .other(let form): form.advice ?? form.words
        }
    }
}

extension InputReader {
    /// The name of an input that could not be read, and a message with the reason. A pasted card is not repeated,
    /// because messages are logged.
    ///
    /// - Parameters:
    ///   - path: the argument.
    ///   - number: the number of the input, from 1.
    ///   - failure: why it could not be read.
    ///   - qrOption: the option that takes the text of a QR code.
    static func explain(
        _ path: String, number: Int, failure: Failure, qrOption: String = "--qr"
    ) -> (source: String, message: String) {
        if let pasted = PastedInput(path) { return ("input \(number)", pasted.advice(qrOption: qrOption)) }
        guard path.utf8.count <= longestName else {
            return (
                "input \(number)", "this is too long for the name of a file: use standard input for the text of a card"
            )
        }
        let hint = failure.isDirectory ? "; name the files in it" : ""
        return (name(of: path), "cannot be read: \(failure.message)\(hint)")
    }

    /// The name of an input in reports and messages.
    static func name(of path: String) -> String { isStandardInput(path) ? "stdin" : shown(path) }

    /// A path in messages. An empty one would not be seen.
    static func shown(_ path: String) -> String { path.isEmpty ? "\"\"" : path }
}
