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

    /// Whether there are EU certificates among the credentials.
    private let hasCertificates: Bool
    /// Whether the file claims to be an access token, so that it is not shown whatever it is.
    let claimsToken: Bool

    /// The JSON values of a file that is parsed to recognise it.
    private static let mostValues = 1_000_000

    private static let healthCard = "application/smart-health-card"

    /// The content types that say what a file is.
    private static let types: [(kind: OpenedLink.File.Kind, type: String)] = [
        (.healthCard, healthCard), (.fhir, "application/fhir+json"), (.apiAccess, "application/smart-api-access"),
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
        let found = try Self.found(in: content, of: plaintext)
        claimsToken = claimed.map { MediaType($0).essence.elementsEqual("application/smart-api-access".utf8) } ?? false
        kind = found.kind
        hasCertificates = found.hasCertificates
        bytes = kind == .apiAccess ? [] : plaintext
        resourceType = found.object?["resourceType"]?.string
        audience = kind == .apiAccess ? found.object?["aud"]?.string : nil
        scope = kind == .apiAccess ? found.object?["scope"]?.string : nil
        let claimsCard = claimed.map { MediaType($0).essence.elementsEqual(Self.healthCard.utf8) } ?? false
        guard kind != .other || !claimsCard || InputForm.unread(content) == .link else {
            throw VerificationFailure(
                .malformedInput, "the file says that it is a health card, but it is nothing that is known")
        }
    }

    // MARK: Recognition

    /// What was found in a file.
    private struct Found {
        var kind: OpenedLink.File.Kind
        /// Whether there are EU certificates among the credentials.
        var hasCertificates = false
        /// The content as JSON; nil if it is no JSON object.
        var object: JSONValue?
    }

    /// Recognises content. What `ArtifactReader` reads as a credential is one here too: a forged one must not become unsigned content
    /// because it is in a link.
    ///
    /// - Parameters:
    ///   - content: the content without white space and byte-order marks around it.
    ///   - plaintext: the whole content.
    private static func found(
        in content: ArraySlice<UInt8>, of plaintext: [UInt8]
    ) throws(VerificationFailure) -> Found {
        // Whoever can scan searches pictures and PDF documents for cards.
        guard InputForm.scanned(plaintext[...]) == nil else { return Found(kind: .other) }
        if InputForm.isCWT(plaintext[...]) { return Found(kind: .healthCard, hasCertificates: true) }
        if content.first == UInt8(ascii: "{") { return try json(Array(content)) }
        if CredentialLines(content) != nil { return Found(kind: .healthCard, hasCertificates: true) }
        switch InputForm(content) {
        case .qr?: return Found(kind: .healthCard)
        case .deeplink?: return try Found(kind: holdsCards(DeepLink(content)) ? .healthCard : .other)
        case .jws? where content.starts(with: "eyJ".utf8) || content.count { $0 == UInt8(ascii: ".") } == 2:
            return Found(kind: .healthCard)
        default: return Found(kind: .other)
        }
    }

    private static func json(_ text: [UInt8]) throws(VerificationFailure) -> Found {
        let object: JSONValue
        do throws(DeepLink.Defect) {
            guard !text.holdsMoreJSONValues(than: Self.mostValues) else { throw DeepLink.Defect.tooManyValues }
            do throws(JSONError) {
                object = try JSONDocument.parse(text, maximumDepth: Bounds.nesting)
            } catch {
                throw DeepLink.Defect.json(error)
            }
        } catch {
            // Another program may read cards from it.
            guard !namesCredentials(text[...]) else { throw refused(error) }
            return Found(kind: .other)
        }
        switch InputForm(object) {
        case .file?: return Found(kind: .healthCard, object: object)
        case .parameters? where holdsCards(object): return Found(kind: .healthCard, object: object)
        default: break
        }
        if object["resourceType"]?.string != nil { return Found(kind: .fhir, object: object) }
        return Found(kind: object["access_token"] != nil ? .apiAccess : .other, object: object)
    }

    /// Whether a URL has a card file as its fragment. Most URLs have not.
    private static func holdsCards(_ url: DeepLink) throws(VerificationFailure) -> Bool {
        switch url.file {
        case nil: return false
        case .success(let object)?: return InputForm(object) == .file
        case .failure(let defect)?:
            let fragment = url.fragment ?? []
            let text = PercentEncoding.decode(fragment).map { $0[...] } ?? fragment
            guard !namesCredentials(text), !namesCredentials(fragment) else { throw refused(defect) }
            return false
        }
    }

    private static func refused(_ defect: DeepLink.Defect) -> VerificationFailure {
        VerificationFailure(
            .malformedInput,
            "the file has a member \"verifiableCredential\", as card files have, but is not acceptable JSON: \(defect)")
    }

    /// Whether a text that is not acceptable JSON has the string `verifiableCredential`, with or without escapes.
    ///
    /// Each quotation mark may begin a string, since nothing else is known of such a text.
    private static func namesCredentials(_ text: ArraySlice<UInt8>) -> Bool {
        text.indices.contains { place in
            guard text[place] == UInt8(ascii: "\"") else { return false }
            var rest = text[(place + 1)...]
            return "verifiableCredential".utf8.allSatisfy { next(in: &rest) == $0 } && rest.first == UInt8(ascii: "\"")
        }
    }

    /// Takes the next ASCII character of a JSON string; nil if there is another one, or none.
    private static func next(in text: inout ArraySlice<UInt8>) -> UInt8? {
        guard let first = text.popFirst() else { return nil }
        guard first == UInt8(ascii: "\\") else { return first }
        guard text.popFirst() == UInt8(ascii: "u"), text.count >= 4 else { return nil }
        let digits = text.prefix(4).map { $0.hexDigitValue }
        text = text.dropFirst(4)
        guard digits[0] == 0, digits[1] == 0, let high = digits[2], let low = digits[3] else { return nil }
        return high << 4 | low
    }

    /// Whether a `Parameters` resource has a parameter `verifiableCredential`.
    private static func holdsCards(_ object: JSONValue) -> Bool { !CardParameters(object).parameters.isEmpty }

    /// Whether a content type says something else than the content is.
    package func contradicts(_ claimed: UTF8Text) -> Bool {
        let essence = MediaType(claimed).essence
        // EU certificates have no content type.
        let isCard = essence.elementsEqual(Self.healthCard.utf8)
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
