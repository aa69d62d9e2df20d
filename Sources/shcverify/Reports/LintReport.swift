import Conformance

/// Writes what a run of lint came to.
protocol LintReport {
    /// The whole report.
    func bytes(_ outcome: LintOutcome) -> [UInt8]
}

extension Finding {
    /// The card it is about, as `verify` calls it, or the input.
    var subject: String { card.map { "\(source)#\($0)" } ?? source }

    /// Where it is, in words, fit for a terminal; nil if it is about the whole.
    var place: String? {
        var parts = path.map { [TerminalText.printable($0, upTo: 200)] } ?? []
        if let line, let column, isInInput {
            parts.append("line \(line), column \(column)")
        } else if let offset {
            parts.append("byte \(offset) of the \(layer.words)")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension Severity {
    /// What people read.
    var words: String { self == .unchecked ? "not checked" : rawValue }
}

extension Document.Layer {
    /// What it is, in words that follow "the".
    var words: String {
        switch self {
        case .input: "input"
        case .qr: "QR code's text"
        case .file: "file"
        case .parameters: "Parameters"
        case .deeplink: "deep link"
        case .jws: "JWS"
        case .header: "JWS header"
        case .payload: "payload"
        case .bundle: "Bundle"
        case .jwks: "key set"
        case .crl: "revocation list"
        case .directory: "directory"
        case .issuer: "issuer"
        }
    }
}
