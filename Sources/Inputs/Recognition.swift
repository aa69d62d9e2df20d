package import Credentials
import Encodings

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
