import Bytes
import Credentials
import Deflate
import HealthCertificates
import Inputs
import SMARTHealthCards

/// Checking EU Digital COVID Certificates.
extension Linter {
    /// Checks the texts of an input of which at least one is that of a certificate.
    ///
    /// - Parameter input: the whole input.
    mutating func lint(_ lines: CredentialLines, source: String, input: [UInt8], section: Int) {
        for (number, text) in lines.texts.enumerated() {
            switch text {
            case .certificate(let text, let isWrapped, let start):
                // The places in a text of several lines are not those in the input.
                lintHCERT(
                    Document(
                        source: source, card: number, layer: .hc1, text: Array(text[...].trimmingWhiteSpace()),
                        in: isWrapped ? nil : (input, start)),
                    isWrapped: isWrapped, in: section)
            case .code(let line): lintCode(line, number: number, source: source, input: input, section: section)
            case .jws(let line):
                lint(
                    Document(
                        source: source, card: number, layer: .jws, text: Array(line), in: (input, line.startIndex)),
                    kind: .jws, in: section)
            case .link(let line): lintLinks([line], source: source, input: input, section: section)
            case .other(let line):
                add(
                    [Problem(InputContent.describe(line))], of: .unknownInput,
                    in: Document(
                        source: source, card: number, layer: .input, text: Array(line), in: (input, line.startIndex)),
                    to: section)
            }
        }
        guard lines.isCut else { return }
        add(
            [Problem("the input has more than \(Bounds.lines) lines; the rest was not checked")], of: .inputBounds,
            in: Document(source: source, layer: .input, text: input, in: (input, 0)), to: section)
    }

    /// Checks one certificate with all of its content.
    ///
    /// - Parameters:
    ///   - document: the text, or the octets of a CBOR Web Token.
    ///   - isWrapped: whether the text was wrapped over several lines.
    mutating func lintHCERT(_ document: Document, isWrapped: Bool = false, in section: Int) {
        guard hasRoom else {
            return add(
                [Problem("the certificate was not checked: those before it used up the limit of an input")],
                of: .inputBounds, in: document, to: section)
        }
        guard document.layer == .hc1 || document.text.count <= Bounds.payloadSize else {
            return add(
                [Problem("the certificate was not checked: it is too large")], of: .inputBounds, in: document,
                to: section)
        }
        let certificate = HCERTSubject(
            document, isWrapped: isWrapped, policy: policy, inflaters: inflaters, maximumSize: Bounds.payloadSize)
        spend(certificate.spentSize)
        apply(Checks.hcertText, to: certificate, in: document, section: section)
        if let message = certificate.message { lint(message, of: document, in: section) }
    }

    private mutating func lint(_ message: COSESubject, of document: Document, in section: Int) {
        apply(Checks.cose, to: message, in: message.document, section: section)
        guard let payload = message.payload else { return }
        apply(Checks.hcertPayload, to: payload, in: payload.document, section: section)
        if let content = payload.content {
            apply(Checks.dcc, to: content, in: content.document, section: section)
        }
        let signed = SignedHCERTSubject(message, document: document, policy: policy, &signers)
        apply(Checks.hcert, to: signed, in: document, section: section)
    }
}
