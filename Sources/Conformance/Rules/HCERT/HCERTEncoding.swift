import Credentials
import Encodings
import HealthCertificates

extension Rule {
    /// The rules of health certificates, from the text to the signer.
    static let hcertRules: [Rule] =
        [hcertPrefix, hcertBase45, hcertLineBreaks, hcertCompression]
        + coseRules + hcertClaimRules + HCERTPayloadSubject.contents.flatMap { $0.rules } + hcertLinkRules
        + signerRules

    static let hcertPrefix = Rule("base45-error/prefix", RuleCheck.hcertText) { hcert in
        guard hcert.document.layer == .hc1, !hcert.document.text.starts(with: HCERTText.prefix.utf8) else {
            return []
        }
        return .found(
            hcert.text.start > 0 ? "the prefix HC1: is not in upper case" : "the text does not begin with HC1:",
            offset: 0)
    }

    static let hcertBase45 = Rule("base45-error/text", RuleCheck.hcertText) { hcert in
        guard let error = hcert.text.encodingError else { return [] }
        return .found(
            "the text after the prefix is not base45: \(error)\(hcert.text.loss ?? "")",
            offset: hcert.text.start + error.offset)
    }

    /// A warning, because verifiers of files join the lines. From a QR code there are no lines.
    static let hcertLineBreaks = Rule("base45-error/line-breaks", RuleCheck.hcertText) { hcert in
        hcert.isWrapped ? .found("the text is wrapped over several lines, which were joined") : []
    }

    static let hcertCompression = Rule("zlib-error/stream", RuleCheck.hcertText) { hcert in
        hcert.text.compressionError.map { [Problem("the certificate cannot be inflated as it should be: \($0)")] }
            ?? []
    }
}
