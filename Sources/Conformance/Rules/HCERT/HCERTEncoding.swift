import Credentials
import Cryptography
import Encodings
import HealthCertificates

extension Rule {
    /// The rules of health certificates, from the text to the signer.
    static let hcertRules: [Rule] =
        [hcertPrefix, hcertBase45, hcertLineBreaks, hcertCompression]
        + coseRules + hcertClaimRules + HCERTPayloadSubject.contents.flatMap { $0.rules } + hcertLinkRules
        + signerRules

    static let hcertPrefix = Rule(
        "base45-error", "prefix", "HCERT-H1",
        requirement: "The text of a certificate begins with `HC1:`, in upper case.",
        remedy: "Write HC1: before the base45. QR codes have no small letters in the mode for letters and digits.",
        check: .hcertText { hcert in
            guard hcert.document.layer == .hc1, !hcert.document.text.starts(with: HCERTText.prefix.utf8) else {
                return []
            }
            return .found(
                hcert.text.start > 0 ? "the prefix HC1: is not in upper case" : "the text does not begin with HC1:",
                offset: 0)
        })

    static let hcertBase45 = Rule(
        "base45-error", "text", "HCERT-H1",
        requirement: "After `HC1:` follows base45 (RFC 9285), and nothing else. A space is one of its characters.",
        remedy:
            "Encode the compressed certificate in base45, and keep every space, also where several follow each other.",
        check: .hcertText { hcert in
            guard let error = hcert.text.encodingError else { return [] }
            return .found(
                "the text after the prefix is not base45: \(error)", offset: hcert.text.start + error.offset)
        })

    /// A warning, because verifiers of files join the lines. From a QR code there are no lines.
    static let hcertLineBreaks = Rule(
        "base45-error", "line-breaks", "HCERT-H1", severity: .warning,
        requirement: "The text of a certificate is on one line.",
        remedy: "Write the text without line breaks.",
        check: .hcertText { hcert in
            hcert.isWrapped ? .found("the text is wrapped over several lines, which were joined") : []
        })

    static let hcertCompression = Rule(
        "zlib-error", "stream", "HCERT-H2",
        requirement: "The certificate is one zlib stream (RFC 1950) with its checksum, and nothing follows it.",
        remedy:
            "Compress the signed message once, with zlib's compress() or an equal function. Raw DEFLATE and gzip are other "
            + "formats.",
        check: .hcertText { hcert in
            hcert.text.compressionError.map { [Problem("the certificate cannot be inflated as it should be: \($0)")] }
                ?? []
        })
}
