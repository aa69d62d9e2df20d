import Bytes
package import Credentials
package import JSON

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

    /// Whether the file claims to be an access token, so that it is not shown whatever it is.
    let claimsToken: Bool

    /// The JSON values of a file that is parsed to recognise it.
    private static let mostValues = 1_000_000

    private static let healthCard = "application/smart-health-card"

    /// Recognises content.
    ///
    /// - Parameters:
    ///   - plaintext: the decrypted and inflated content.
    ///   - claimed: the content type that is claimed; nil for none.
    /// - Throws: `VerificationFailure` with `malformed-input` if the content claims to be a health card and is nothing that is
    ///   recognised.
    package init(_ plaintext: [UInt8], claimed: UTF8Text?) throws(VerificationFailure) {
        let content = plaintext[...].trimmingByteOrderMarks()
        var object: JSONValue?
        if content.first == UInt8(ascii: "{") {
            let text = content.count == plaintext.count ? plaintext : Array(content)
            if !text.holdsMoreJSONValues(than: Self.mostValues) {
                object = try? JSONDocument.parse(text, maximumDepth: Bounds.nesting)
            }
        }
        claimsToken = claimed.map { MediaType($0).essence.elementsEqual("application/smart-api-access".utf8) } ?? false
        kind = Self.kind(of: content, object)
        bytes = kind == .apiAccess ? [] : plaintext
        resourceType = object?["resourceType"]?.string
        audience = kind == .apiAccess ? object?["aud"]?.string : nil
        scope = kind == .apiAccess ? object?["scope"]?.string : nil
        let claimsCard = claimed.map { MediaType($0).essence.elementsEqual(Self.healthCard.utf8) } ?? false
        guard kind != .other || !claimsCard || InputForm.unread(content) == .link else {
            throw VerificationFailure(
                .malformedInput, "the file says that it is a health card, but it is nothing that is known")
        }
    }

    private static func kind(of content: ArraySlice<UInt8>, _ object: JSONValue?) -> OpenedLink.File.Kind {
        guard let object else {
            if InputForm.begins(content, with: "shc:/") { return .healthCard }
            let isJWS = content.starts(with: "eyJ".utf8) && InputForm(content) == .jws
            return isJWS && content.count { $0 == UInt8(ascii: ".") } == 2 ? .healthCard : .other
        }
        switch InputForm(object) {
        case .file?: return .healthCard
        case .parameters? where holdsCards(object): return .healthCard
        default: break
        }
        if object["resourceType"]?.string != nil { return .fhir }
        return object["access_token"] != nil ? .apiAccess : .other
    }

    /// Whether a `Parameters` resource has a parameter `verifiableCredential`.
    private static func holdsCards(_ object: JSONValue) -> Bool { !CardParameters(object).parameters.isEmpty }

    /// Whether a content type says something else than the content is.
    package func contradicts(_ claimed: UTF8Text) -> Bool {
        let essence = MediaType(claimed).essence
        // The `Parameters` of an operation are cards and FHIR at once.
        if resourceType != nil, essence.elementsEqual("application/fhir+json".utf8) { return false }
        let types: [(OpenedLink.File.Kind, String)] = [
            (.healthCard, Self.healthCard), (.fhir, "application/fhir+json"),
            (.apiAccess, "application/smart-api-access"),
        ]
        guard let own = types.first(where: { $0.0 == kind })?.1 else {
            return types.contains { essence.elementsEqual($0.1.utf8) }
        }
        return !essence.elementsEqual(own.utf8)
    }
}
