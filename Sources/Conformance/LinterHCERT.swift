import Containers
import Credentials
import Encodings
import HealthCertificates
import Inputs

/// Checking EU Digital COVID Certificates.
extension Linter {
    /// Checks the texts of an input of which at least one is that of a certificate.
    ///
    /// - Parameter input: the whole input.
    mutating func lint(_ lines: CredentialLines, source: String, input: [UInt8], section: Int) {
        let document = { (number: Int, line: ArraySlice<UInt8>, layer: Document.Layer) in
            Document(source: source, card: number, layer: layer, text: Array(line), in: (input, line.startIndex))
        }
        for (number, text) in lines.texts.enumerated() {
            switch text {
            case .certificate(let text, let isWrapped, let start):
                // The places in a text of several lines are not those in the input.
                lintHCERT(
                    Document(
                        source: source, card: number, layer: .hc1, text: Array(text[...].trimmingWhiteSpace()),
                        in: isWrapped ? nil : (input, start)), isWrapped: isWrapped, in: section)
            case .code(let line): lintCode(line, number: number, source: source, input: input, section: section)
            case .jws(let line):
                lint(document(number, line, .jws), kind: .jws, in: section)
            case .link(let line): lintLinks([line], source: source, input: input, section: section)
            case .other(let line):
                let other = OtherCredential(line)
                add(
                    [Problem(other?.failure.message ?? InputContent.describe(line))],
                    of: other == nil ? .unknownInput : .unsupportedInput, in: document(number, line, .input),
                    to: section)
            }
        }
        guard lines.isCut else { return }
        addBound(
            "the input has more than \(Bounds.lines) lines; the rest was not checked",
            in: Document(source: source, layer: .input, text: input, in: (input, 0)), to: section)
    }

    /// Checks one certificate with all of its content.
    ///
    /// - Parameters:
    ///   - document: the text, or the octets of a CBOR Web Token.
    ///   - isWrapped: whether the text was wrapped over several lines.
    mutating func lintHCERT(_ document: Document, isWrapped: Bool = false, in section: Int) {
        guard hasRoom else {
            return addBound(
                "the certificate was not checked: the size limit of an input was reached", in: document,
                to: section)
        }
        guard document.layer == .hc1 || document.text.count <= Bounds.payloadSize else {
            return addBound("the certificate was not checked: it is too large", in: document, to: section)
        }
        let certificate = HCERTSubject(document, isWrapped: isWrapped, policy: policy, inflaters: inflaters)
        spend(certificate.text.spentSize)
        apply(RuleCheck.hcertText, to: certificate, in: document, section: section)
        if let message = certificate.message { lint(message, of: document, in: section) }
    }

    /// Checks the link in a certificate. Nothing is requested, and nothing of its text is repeated: it holds a key.
    private mutating func lint(_ link: WrappedLink, of payload: HCERTPayloadSubject, in section: Int) {
        let document = Document(
            source: payload.document.source, card: payload.document.card, layer: .dcc, text: [], pathPrefix: "hcert.5")
        let subject = HealthLinkSubject(
            document: document, reading: HealthLink(inCertificate: link.text, scheme: link.scheme.rawValue),
            policy: policy, isInCertificate: true)
        apply(RuleCheck.link, to: subject, in: document, section: section)
    }

    private mutating func lint(_ message: COSESubject, of document: Document, in section: Int) {
        if let payload = message.payload, (try? payload.claims.get())?.unsupported != nil {
            // Another kind has rules of its own, for its headers too.
            for (rule, check) in RuleCheck.hcertPayload.checks where rule === Rule.unsupportedContent {
                add(check(payload), of: rule, in: payload.document, to: section)
            }
            return
        }
        apply(RuleCheck.cose, to: message, in: message.document, section: section)
        guard let payload = message.payload else { return }
        apply(RuleCheck.hcertPayload, to: payload, in: payload.document, section: section)
        if let content = payload.content { lint(content, in: section) }
        if case .success(let link)? = payload.link { lint(link, of: payload, in: section) }
        let signed = SignedHCERTSubject(message, document: document, policy: policy, &signers)
        apply(RuleCheck.hcert, to: signed, in: document, section: section)
    }
}
