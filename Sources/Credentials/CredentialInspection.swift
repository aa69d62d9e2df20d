package import Encodings

/// A credential, decoded as far as possible, even if it has errors. Nothing in it is verified.
package struct CredentialInspection: Sendable {
    /// The credential as it was presented.
    package let presented: PresentedCredential
    /// The header: that of the JWS, or both headers of the COSE message; nil if it cannot be read.
    package let header: JSONValue?
    /// The inflated payload as JSON; nil if it cannot be inflated or read.
    package let payload: JSONValue?
    /// The length of the signature in bytes; nil if the credential cannot be decoded.
    package let signatureLength: Int?
    /// The first error in the credential's form; nil if the form is correct.
    package let failure: VerificationFailure?

    /// Creates an inspection.
    package init(
        presented: PresentedCredential, header: JSONValue?, payload: JSONValue?, signatureLength: Int?,
        failure: VerificationFailure?
    ) {
        self.presented = presented
        self.header = header
        self.payload = payload
        self.signatureLength = signatureLength
        self.failure = failure
    }
}
