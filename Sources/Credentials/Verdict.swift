package import Encodings

/// A credential of any kind after its form was examined, as verdicts and reports read it.
package protocol ExaminedCredential: AnyObject, Sendable {
    /// The credential as it was presented.
    var presented: PresentedCredential { get }
    /// The claims of the credential, verified or not; nil if they could not be read.
    var claims: (any Claims)? { get }
    /// The kind of the credential, as reports name it: `smart-health-card` or `eu-digital-covid-certificate`.
    var sourceType: String { get }
    /// What is known about the trust in the issuer before its key is looked for.
    var trustWithoutKey: IssuerTrust { get }
    /// What the issuer signed; nil if the credential cannot be decoded.
    var signed: SignedOctets? { get }
}

extension ExaminedCredential {
    package var trustWithoutKey: IssuerTrust { .unchecked }
}

/// The result of verifying one credential.
public final class Verdict: Sendable {
    /// How the verification ended.
    public enum Outcome: Sendable {
        /// The credential passed every check that the policy requires.
        case pass(Verified)
        /// The credential failed a check, and trying again will not help.
        case fail(VerificationFailure)
        /// The keys or the revocation list could not be fetched. The credential may verify later.
        case undetermined(VerificationFailure)
    }

    /// How the verification ended.
    public let outcome: Outcome
    /// The credential as it was presented and read.
    package let examined: any ExaminedCredential
    /// The checks, with the warnings that they gave.
    private let list: CheckList

    /// Creates the verdict from a complete list of checks.
    init(of examined: any ExaminedCredential, _ list: consuming CheckList) {
        outcome = list.conclude(on: examined)
        let shortcoming = list.shortcoming
        self.shortcoming = shortcoming?.kind
        objections = shortcoming?.objections ?? []
        self.examined = examined
        self.list = list
    }

    /// The checks in the order they run. Those of a credential from a SMART Health Link or a SMART Health Check-in begin with `container`.
    public var checks: [Check] { list.checks }
    /// The warnings, for everyone who relies on the credential.
    public var warnings: [CredentialWarning] { list.warnings }
    /// The checks of the key and its issuer; nil if they were not made. All credentials of the key share one object.
    package var key: KeyNotes? { list.key }
    /// Why the issuer is trusted, or that it is not.
    public var issuerTrust: IssuerTrust { key?.trust ?? examined.trustWithoutKey }
    /// Where the key comes from; nil if no key was looked for.
    public var keyOrigin: KeyOrigin? { key?.origin }
    /// When the key was retrieved; nil if that is not known, or if it was fetched for this run.
    public var keyRetrieved: NumericDate? { key?.retrieved }
    /// The certificate of the key, if the key was trusted for it; nil if there is none.
    public var signerCertificate: SignerCertificate? { key?.certificate }
    /// Whether the check of the issuer's trust failed. What was not judged is no distrust.
    package var isIssuerRefused: Bool {
        checks.contains { $0.name == .issuerTrust && $0.status == .fail }
    }
    /// Whether trust could not be judged, because nothing was given that says whom to trust.
    package var lacksTrustLists: Bool { key?.lacksTrustLists ?? false }
    /// The country of the signer: that of its certificate, or else that of the trust list. If the certificate names several,
    /// all of them, with commas between them; nil if none is known.
    public var signerCountry: String? { key?.country }
    /// The issuer's entry in a directory; nil if no directory lists the issuer.
    public var directoryEntry: DirectoryEntry? { key?.directoryEntry }

    /// The results of the checks of the credential itself.
    package var ownResults: OwnResults { list.ownResults }
    /// The result of a check of the credential itself; nil if it is a check of the key, or was not made.
    package func ownResult(of name: Check.Name) -> Check.Result? { list.ownResult(of: name) }

    /// That the credential was genuine and is over: its signature is valid, and nothing is wrong but that it has expired or was
    /// revoked. nil for all other verdicts.
    public var lapse: Lapse? { objections.isEmpty ? shortcoming?.lapse : nil }

    /// What is wrong with the credential, if its signature is valid. nil for all other verdicts.
    package let shortcoming: Shortcoming?
    /// What else is wrong with it then.
    package let objections: [Objection]

    /// Why the credential did not verify; nil if it did.
    public var reason: VerificationFailure? {
        switch outcome {
        case .pass: nil
        case .fail(let failure), .undetermined(let failure): failure
        }
    }

    /// The credential, if it verified.
    public var verified: Verified? {
        guard case .pass(let verified) = outcome else { return nil }
        return verified
    }

    /// `pass`, `fail` or `undetermined`.
    public var name: String {
        switch outcome {
        case .pass: "pass"
        case .fail: "fail"
        case .undetermined: "undetermined"
        }
    }

    /// The claims of the credential, verified or not; nil if they could not be read.
    public var claims: (any Claims)? { examined.claims }
}

/// The certificate of a key that signs credentials.
public struct SignerCertificate: Sendable, Equatable {
    /// The subject in one line, safe to print.
    public let subject: String
    /// The country of the subject, or else that of the trust list. If the subject names several, all of them, with commas
    /// between them; nil if none is known.
    public let country: String?
    /// From when the certificate is valid; nil if that cannot be read.
    public let notBefore: NumericDate?
    /// Through which moment the certificate is valid; nil if that cannot be read.
    public let notAfter: NumericDate?
    /// What the key may sign: `vaccination`, `test` and `recovery`.
    public let usages: [String]

    /// Creates the description of a certificate.
    package init(
        subject: String, country: String?, notBefore: NumericDate?, notAfter: NumericDate?, usages: [String]
    ) {
        self.subject = subject
        self.country = country
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.usages = usages
    }
}

/// Where a key comes from.
public enum KeyOrigin: String, Sendable, CaseIterable {
    /// A key set that the verifier was given.
    case jwksFile = "jwks-file"
    /// A snapshot in a directory of issuers.
    case directory
    /// A stored copy of what the issuer's server answered earlier.
    case cache
    /// The issuer's server.
    case network
}

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
