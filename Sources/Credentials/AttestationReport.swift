package import Encodings

/// What a patient's app says of itself in a FHIR Bundle that nobody signed ("app attestation" of Kill the Clipboard), and whether that
/// was checked.
///
/// It says which app made a Bundle at most: it covers no content, has no expiry, and can be copied into any Bundle. So it changes no
/// verdict and gives no trust.
package struct AttestationReport: Sendable, Hashable {
    /// What is known of an attestation.
    package enum Status: String, Sendable, CaseIterable {
        /// It verifies with a key of the app that it names, which is listed.
        case verified
        /// Its form, a claim or the signature is wrong, or the app has no such key.
        case invalid
        /// The app that it names is not listed, so nothing was requested.
        case unknownApp = "unknown-app"
        /// The keys of the app could not be fetched.
        case unchecked
    }

    /// The app: the claim `iss`; nil if it cannot be read.
    package let app: UTF8Text?
    /// The key ID; nil if it cannot be read.
    package let keyID: UTF8Text?
    /// When it was made: the claim `iat`; nil if it cannot be read.
    package let issued: NumericDate?
    /// The ID of the attestation: the claim `jti`; nil if it cannot be read.
    package let id: UTF8Text?
    /// What is known of it.
    package let status: Status

    /// Creates a report.
    package init(app: UTF8Text?, keyID: UTF8Text?, issued: NumericDate?, id: UTF8Text?, status: Status) {
        self.app = app
        self.keyID = keyID
        self.issued = issued
        self.id = id
        self.status = status
    }
}
