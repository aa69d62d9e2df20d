import Credentials

/// What is wrong with the envelope of a check-in, and does not keep its cards from being judged.
struct EnvelopeFindings: Sendable {
    private struct Finding {
        let code: CredentialWarning.Code
        var words: [String]
        /// What the first of the words fails with if findings fail.
        let reason: ReasonCode
    }

    /// The codes, in the order in which they count, and what each fails with if findings fail, as in the draft before September 2026.
    private static let codes: [(code: CredentialWarning.Code, reason: ReasonCode)] = [
        (.envelopeForm, .malformedCheckIn), (.envelopeAlgorithm, .unsupportedAlgorithm),
        (.envelopeSignature, .signatureInvalid), (.envelopeDigest, .signatureInvalid),
        (.envelopeValidity, .malformedCheckIn), (.rowMissing, .requestMismatch), (.rowTwice, .malformedCheckIn),
        (.rowCode, .malformedCheckIn), (.rowUnknown, .requestMismatch),
    ]

    private var findings: [Finding] = []

    /// Notes a finding. What is noted again is kept once.
    ///
    /// - Parameters:
    ///   - words: what was found. They hold nothing of the answer.
    ///   - reason: what it fails with if findings fail; nil for what its code says.
    mutating func note(_ code: CredentialWarning.Code, _ words: String, failingWith reason: ReasonCode? = nil) {
        if let index = findings.firstIndex(where: { $0.code == code }) {
            if !findings[index].words.contains(words) { findings[index].words.append(words) }
        } else if let usual = Self.codes.first(where: { $0.code == code })?.reason {
            findings.append(Finding(code: code, words: [words], reason: reason ?? usual))
        }
    }

    /// These findings and others behind them.
    func with(_ others: EnvelopeFindings) -> EnvelopeFindings {
        var all = self
        for other in others.findings {
            for words in other.words { all.note(other.code, words, failingWith: other.reason) }
        }
        return all
    }

    private var inOrder: [Finding] {
        Self.codes.compactMap { entry in findings.first { $0.code == entry.code } }
    }

    /// The findings, each code once, in the order in which they count.
    var warnings: [CredentialWarning] {
        inOrder.map { CredentialWarning($0.code, $0.words.joined(separator: "; ")) }
    }

    /// What the check-in fails with if findings fail; nil if there is none.
    var failure: VerificationFailure? {
        inOrder.first.map { VerificationFailure($0.reason, "\($0.words[0]) (\($0.code.rawValue))") }
    }
}
