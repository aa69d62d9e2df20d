package import Credentials
package import Encodings
package import FHIR

/// What a health certificate (HCERT) holds, such as an EU Digital COVID Certificate, after it was read.
///
/// The envelope is opened first. Then the content decides the kind of the certificate, and everything that follows from it. A new
/// content is a type that conforms to this, in a file or folder of its own, and a line in `HealthContentKind.all`.
package protocol HealthContent: Sendable {
    /// What the envelope has to know of contents of this kind.
    static var kind: HealthContentKind { get }

    /// The content in words, such as "a certificate of a vaccination".
    var words: String { get }
    /// The harmless deviations from what is specified.
    var warnings: [CredentialWarning] { get }
    /// The group of records that a signer's certificate must not exclude; nil if usages in certificates do not concern this kind.
    var group: RecordGroup? { get }
    /// The record with the identifier (`ci`) and the country (`co`) by which a batch may revoke it; nil if only the signature names it.
    var revocableRecord: CBORValue? { get }
    /// The name of the organisation that issued the certificate.
    var issuerName: UTF8Text? { get }
    /// The link that the certificate vouches for, which has to be opened; nil if the content is in the certificate itself.
    var link: WrappedLink? { get }

    /// The person and the records as a FHIR Bundle that another system can store; nil if the content has none of its own.
    var storableBundle: JSONValue? { get }
    /// All members about the person, to compare them; nil if they do not identify one.
    var holderIdentity: [UInt8]? { get }

    /// The warnings that depend on when the certificate is verified.
    func warnings(at now: NumericDate) -> [CredentialWarning]
    /// The person and the records, as of a moment; nil if the content has none of its own.
    func contents(names: CodeNames, at moment: NumericDate) -> CardContents?
}

extension HealthContent {
    package var kind: HealthContentKind { Self.kind }
    package var group: RecordGroup? { nil }
    package var revocableRecord: CBORValue? { nil }
    package var issuerName: UTF8Text? { nil }
    package var link: WrappedLink? { nil }
    package var storableBundle: JSONValue? { nil }
    package var holderIdentity: [UInt8]? { nil }

    package func warnings(at now: NumericDate) -> [CredentialWarning] { [] }
}

/// A kind of content in health certificates.
package struct HealthContentKind: Sendable {
    /// Its key in the claim `hcert` (-260).
    package let number: Int64
    /// The kind, as reports name it (`sourceType`).
    package let sourceType: String
    /// The kind in words that follow "signers of": "EU certificates".
    package let plural: String
    /// The trust domains whose signers sign it. An entry of another domain does not count.
    package let domains: [UTF8Text]
    /// Whether lists that state no domains vouch for it.
    package let isOfListsWithoutDomains: Bool
    /// Whether the claim `exp` is required. It always counts if it is there.
    package let requiresExpiry: Bool
    /// Whether the claim `iss` is the country of the signer.
    package let isIssuedByCountry: Bool
    /// Whether texts may stand for the keys of claims and for the key ID, and milliseconds for seconds, with a warning.
    package let isLenient: Bool
    /// Whether reports show the content as it was signed.
    package let isShown: Bool
    /// Reads the content, strictly.
    ///
    /// It throws `VerificationFailure` with `malformed-payload`.
    package let read: @Sendable (CBORValue) throws(VerificationFailure) -> any HealthContent

    /// All kinds that are verified. If a certificate has several, the first of them counts.
    package static let all = [DCC.kind, ICVP.kind, WrappedLink.kind]
}

/// The content that a certificate turned out to have, before it is read.
package struct FoundContent: Sendable {
    /// The kind.
    package let kind: HealthContentKind
    /// The content.
    package let value: CBORValue
    /// Whether there is other content beside it.
    package let hasOthers: Bool

    /// A warning if there is other content beside it.
    var warnings: [CredentialWarning] {
        guard hasOthers else { return [] }
        return [
            CredentialWarning(
                .otherHealthContent,
                "beside the content that was read (key \(kind.number)), there is other content, which was not read")
        ]
    }
}

extension FoundContent {
    /// Finds the content, before members and headers are judged, since each kind has rules of its own.
    ///
    /// - Parameter payload: all claims.
    /// - Returns: nil if there is none of a kind that is verified.
    package init?(in payload: CBORValue) {
        if let found = Self.find(in: payload[CWTClaims.Claim.healthCertificate], lenient: false) {
            self = found
            return
        }
        let containers = [payload[CWTClaims.Claim.healthCertificate], payload["\(CWTClaims.Claim.healthCertificate)"]]
        guard let found = containers.lazy.compactMap({ Self.find(in: $0, lenient: true) }).first else { return nil }
        self = found
    }

    /// - Parameter lenient: whether to look for contents under texts as well.
    private static func find(in claim: CBORValue?, lenient: Bool) -> FoundContent? {
        guard let claim else { return nil }
        for kind in HealthContentKind.all {
            let value = claim[kind.number] ?? (lenient && kind.isLenient ? claim["\(kind.number)"] : nil)
            // A text, and the number that it stands for, are no two contents: that is refused when the claim is read.
            if let value { return FoundContent(kind: kind, value: value, hasOthers: claim.count > 1) }
        }
        return nil
    }
}
