import SMARTHealthCards

/// What stands where the name of a file should be and is the input itself, or an address.
enum PastedInput {
    case qr, card, json, cardLink, address
    case other(OtherForm)

    /// What a name that leads to no file really is; nil if it looks like a name.
    init?(_ name: String) {
        let text = Array(name.utf8)[...].trimmingWhiteSpace()
        let begin = text.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        if begin.starts(with: "shc:/".utf8) {
            self = .qr
        } else if let form = OtherForm(text) {
            self = .other(form)
        } else if text.starts(with: "eyJ".utf8) {
            self = .card
        } else if let first = text.first, "{[\"".utf8.contains(first) {
            self = .json
        } else if begin.starts(with: "http://".utf8) || begin.elementsEqual("https://".utf8) {
            self = text.contains(UInt8(ascii: "#")) ? .cardLink : .address
        } else {
            return nil
        }
    }

    /// What it is, and what to do.
    ///
    /// - Parameter qrOption: how the text of a QR code can be given.
    func advice(qrOption: String) -> String {
        switch self {
        case .qr: "this is QR text: use \(qrOption) or standard input"
        case .card: "this is a card, not the name of a file: use standard input"
        case .json: "this is JSON, not the name of a file: use standard input"
        case .cardLink: "this is a link that may hold a card: use standard input"
        case .address:
            "this is a web address, and nothing is downloaded from it: save what is there and name the file (to check an "
                + "issuer, use \"shcverify lint --issuer\")"
        case .other(let form): form.words
        }
    }
}

extension InputReader {
    /// What an input is called that could not be read, and why that is so. A card that was pasted is not repeated: messages
    /// are logged.
    ///
    /// - Parameters:
    ///   - path: what was given as its name.
    ///   - number: which of the inputs it is, from 1.
    ///   - failure: what came of reading it.
    ///   - qrOption: how the text of a QR code can be given.
    static func explain(
        _ path: String, number: Int, failure: Failure, qrOption: String = "--qr"
    ) -> (source: String, message: String) {
        if let pasted = PastedInput(path) { return ("input \(number)", pasted.advice(qrOption: qrOption)) }
        guard path.utf8.count <= longestName else {
            return (
                "input \(number)", "this is too long for the name of a file: use standard input for what is to be read"
            )
        }
        let hint = failure.isDirectory ? "; name the files in it" : ""
        return (name(of: path), "cannot be read: \(failure.message)\(hint)")
    }

    /// What an input is called that can be read.
    static func name(of path: String) -> String { isStandardInput(path) ? "stdin" : path }
}
