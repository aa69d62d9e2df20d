/// One credential as it was presented, before its content is examined.
public struct PresentedCredential: Sendable {
    /// The name of the input and the number of the credential in it, for example `card.smart-health-card#0`.
    public let source: String
    /// The form of the input; nil if it was not recognised.
    public let form: InputForm?
    /// The text of the credential, or why it cannot be read. For a SMART Health Card this is the compact JWS.
    public let text: Result<[UInt8], VerificationFailure>
    /// Harmless deviations of the input from the specification.
    public let warnings: [CredentialWarning]

    /// A credential with its text.
    public init(text: [UInt8], form: InputForm = .jws, source: String, warnings: [CredentialWarning] = []) {
        self.source = source
        self.form = form
        self.text = .success(text)
        self.warnings = warnings
    }

    /// A credential that cannot be read, with the reason.
    public init(
        failure: VerificationFailure, form: InputForm? = nil, source: String, warnings: [CredentialWarning] = []
    ) {
        self.source = source
        self.form = form
        self.text = .failure(failure)
        self.warnings = warnings
    }
}
