package import Credentials
package import Encodings
import Inputs

/// The content of a link's file after decryption, recognised by what it is. Content types only claim something.
package struct LinkContent: Sendable {
    /// The kind.
    package let kind: OpenedLink.File.Kind
    /// The content; empty for an access token, which is dropped.
    package let bytes: [UInt8]
    /// The type of the FHIR resource; nil if it is none.
    package let resourceType: UTF8Text?
    /// The server for which an access token is meant (`aud`).
    package let audience: UTF8Text?
    /// The scope of an access token.
    package let scope: UTF8Text?

    /// The credentials in the content, each as an input of its own.
    package let credentials: [[UInt8]]

    /// Whether there are EU certificates among the credentials.
    private let hasCertificates: Bool
    /// Whether the file claims to be an access token, so that it is not shown whatever it is.
    let claimsToken: Bool
    /// Whether the file claims to hold health cards.
    package let claimsCard: Bool

    /// The JSON values of a file that is parsed to recognise it.
    private static let mostValues = 1_000_000

    /// The content types that say what a file is.
    private static let types: [(kind: OpenedLink.File.Kind, type: String)] = [
        (.healthCard, "application/smart-health-card"), (.fhir, "application/fhir+json"),
        (.apiAccess, "application/smart-api-access"),
    ]

    /// Recognises content.
    ///
    /// - Parameters:
    ///   - plaintext: the decrypted and inflated content.
    ///   - claimed: the content type that is claimed; nil for none.
    /// - Throws: `VerificationFailure` with `malformed-input` if the content claims to be a health card and is nothing that is
    ///   recognised, or if it has a member `verifiableCredential` and is not acceptable JSON.
    package init(_ plaintext: [UInt8], claimed: UTF8Text?) throws(VerificationFailure) {
        let content = plaintext[...].trimmingByteOrderMarks()
        let found = try Self.found(in: plaintext)
        claimsToken = claimed.map { MediaType($0).essence.elementsEqual("application/smart-api-access".utf8) } ?? false
        kind = found.kind
        hasCertificates = found.hasCertificates
        bytes = kind == .apiAccess ? [] : plaintext
        credentials = found.credentials
        resourceType = found.object?["resourceType"]?.string
        audience = kind == .apiAccess ? found.object?["aud"]?.string : nil
        scope = kind == .apiAccess ? found.object?["scope"]?.string : nil
        claimsCard = claimed.map { MediaType($0).isHealthCard } ?? false
        // Whether a picture or PDF holds a card is known only after it was searched.
        let isOpen = InputForm.unread(content) == .link || InputForm.scanned(plaintext[...]) != nil
        guard kind != .other || !claimsCard || isOpen else { throw Self.unknownCard }
    }

    /// The failure of a file that claims to hold health cards, and holds none.
    package static let unknownCard = VerificationFailure(
        .malformedInput, "the file says that it is a health card, but it is nothing that is known")

    // MARK: Recognition

    /// What was found in a file.
    private struct Found {
        var kind: OpenedLink.File.Kind
        /// Whether there are EU certificates among the credentials.
        var hasCertificates = false
        /// The content as JSON; nil if it is no JSON object.
        var object: JSONValue?
        var credentials: [[UInt8]] = []
    }

    /// Recognises content. What `CredentialReader` reads as a credential is one here too: a forged one must not become unsigned content
    /// because it is in a link.
    ///
    /// - Parameter plaintext: the whole content.
    private static func found(
        in plaintext: [UInt8]
    ) throws(VerificationFailure) -> Found {
        // Whoever can scan searches pictures and PDF documents for cards.
        let recognised = CredentialContent(plaintext, mostValues: Self.mostValues)
        if let form = InputForm.scanned(plaintext[...]) {
            guard recognised.kind == .other else {
                throw VerificationFailure(
                    .malformedInput,
                    "the file is \(form.words) and the text of a card at once, so two programs could read different cards in it"
                )
            }
            return Found(kind: .other)
        }
        if let defect = recognised.defect {
            throw VerificationFailure(
                .malformedInput,
                "the file names cards as card files do, but is not acceptable JSON, so two programs could read different ones: \(defect)"
            )
        }
        let object = recognised.json
        let kind: OpenedLink.File.Kind =
            switch recognised.kind {
            case .cards, .unsupported, .certificates: .healthCard
            case .container: .other
            case .other where object?["resourceType"]?.string != nil: .fhir
            case .other: object?["access_token"] != nil ? .apiAccess : .other
            }
        return Found(
            kind: kind, hasCertificates: recognised.kind == .certificates, object: object,
            credentials: recognised.credentials(in: plaintext))
    }

    /// Whether a content type says something else than the content is.
    package func contradicts(_ claimed: UTF8Text) -> Bool {
        let essence = MediaType(claimed).essence
        // EU certificates have no content type.
        let isCard = MediaType(claimed).isHealthCard
        if hasCertificates, isCard || !Self.types.contains(where: { essence.elementsEqual($0.type.utf8) }) {
            return false
        }
        // The `Parameters` of an operation are cards and FHIR at once.
        if resourceType != nil, essence.elementsEqual("application/fhir+json".utf8) { return false }
        guard let own = Self.types.first(where: { $0.kind == kind })?.type else {
            return Self.types.contains { essence.elementsEqual($0.type.utf8) }
        }
        return !essence.elementsEqual(own.utf8)
    }
}
