package import Credentials
package import Encodings
import Inputs

extension LinkClient {
    /// What became of a link, with the content of its files. Nothing in it is verified.
    package struct Opening: Sendable {
        /// The link.
        package internal(set) var link: HealthLink
        /// Whether it was followed, as far as that was possible.
        package internal(set) var isFollowed = true
        /// The status in the manifest.
        var status: UTF8Text?
        /// Why the link could not be opened; nil if it was.
        package internal(set) var reason: VerificationFailure?
        /// How many wrong passcodes the server still allows; nil if it does not say.
        var remainingAttempts: Int?
        /// The files in the order of the manifest.
        package internal(set) var files: [File] = []
        /// What is unusual about the manifest.
        var warnings: [CredentialWarning] = []
        /// The first file that has cards for which there was no room; nil if there was room for all.
        package internal(set) var cutFile: Int?

        /// A link that was opened.
        init(_ link: HealthLink, holding files: [File] = []) {
            self.link = link
            self.files = files
        }

        /// A link that could not be opened.
        init(_ link: HealthLink, reason: VerificationFailure, remainingAttempts: Int? = nil) {
            self.link = link
            self.reason = reason
            self.remainingAttempts = remainingAttempts
        }

        /// A link that was read, and not followed.
        package init(unfollowed link: HealthLink) {
            self.link = link
            reason = link.problems.first?.failure
            isFollowed = false
        }

        /// One file of a link, recognised by what it is. Content types only claim something.
        package struct File: Sendable {
            /// What reports show of it.
            package internal(set) var summary: OpenedLink.File
            /// The content; nil if the file was not read. It is empty for an access token, which is dropped.
            package private(set) var bytes: [UInt8]?
            /// The content type (cty) in the header of the encrypted file; nil if there is none.
            package let encryptedType: UTF8Text?
            /// What is unusual about it.
            var warnings: [CredentialWarning] = []
            /// The credentials in the content, each as an input of its own.
            package private(set) var contents: [[UInt8]] = []
            /// The texts of the content, if it is a picture or PDF with cards.
            package internal(set) var document: ScannedDocument?
            /// The cards that were read from the content.
            var cards: [PresentedCredential] = []
            /// Whether the file claims to be an access token, so that it is not shown whatever it is.
            private var claimsToken = false
            /// Whether the file claims to hold health cards.
            private(set) var claimsCard = false

            /// The JSON values of a file that is parsed to recognise it.
            private static let mostValues = 1_000_000

            /// The content types that say what a file is.
            private static let types: [(kind: OpenedLink.File.Kind, type: String)] = [
                (.healthCard, "application/smart-health-card"), (.fhir, "application/fhir+json"),
                (.apiAccess, "application/smart-api-access"),
            ]

            /// The failure of a file that claims to hold health cards, and holds none.
            static let unknownCard = VerificationFailure(
                .malformedInput, "the file says that it is a health card, but it is nothing that is known")

            /// A file that could not be read.
            init(_ summary: OpenedLink.File, failing reason: VerificationFailure) {
                self.summary = summary
                encryptedType = nil
                fail(because: reason)
            }

            /// Recognises content. What `CredentialReader` reads as a credential is one here too: a forged one must not become unsigned content
            /// because it is in a link.
            ///
            /// - Parameters:
            ///   - plaintext: the decrypted and inflated content.
            ///   - encryptedType: the content type in the header of the encrypted file.
            ///   - summary: what the manifest says of the file.
            ///   - name: what warnings call the file.
            /// - Throws: `VerificationFailure` with `malformed-input` if the content claims to be a health card and is nothing that is
            ///   recognised, or if it has a member `verifiableCredential` and is not acceptable JSON.
            package init(
                _ plaintext: [UInt8], encryptedType: UTF8Text? = nil, of summary: OpenedLink.File = OpenedLink.File(),
                name: String = "the file"
            ) throws(VerificationFailure) {
                // A caller that can scan searches pictures and PDF documents for cards.
                let scanned = InputForm.scanned(plaintext[...])
                let content = CredentialContent(plaintext, mostValues: Self.mostValues)
                if let scanned, content.kind != .other {
                    throw VerificationFailure(
                        .malformedInput,
                        "the file is \(scanned.words) and the text of a card at once, so two programs could read different cards in it"
                    )
                }
                if scanned == nil, let defect = content.defect {
                    throw VerificationFailure(
                        .malformedInput,
                        "the file names cards as card files do, but is not acceptable JSON, so two programs could read different ones: \(defect)"
                    )
                }
                let object = scanned == nil ? content.json : nil
                let kind: OpenedLink.File.Kind =
                    switch content.kind {
                    case .cards, .unsupported, .certificates: .healthCard
                    case .container: .other
                    case .other where object?["resourceType"]?.string != nil: .fhir
                    case .other: object?["access_token"] != nil ? .apiAccess : .other
                    }
                self.summary = summary
                self.summary.kind = kind
                self.summary.resourceType = object?["resourceType"]?.string
                if kind == .apiAccess {
                    self.summary.audience = object?["aud"]?.string
                    self.summary.scope = object?["scope"]?.string
                }
                self.encryptedType = encryptedType
                bytes = kind == .apiAccess ? [] : plaintext
                if scanned == nil { contents = content.credentials(in: plaintext) }
                let declared = summary.contentType.flatMap { $0.isEmpty ? nil : $0 }
                if let claimed = (declared ?? encryptedType).map({ MediaType($0) }) {
                    claimsToken = claimed.essence.elementsEqual("application/smart-api-access".utf8)
                    claimsCard = claimed.isHealthCard
                }
                // Whether a picture or PDF holds a card is known only after it was searched.
                let isOpen = InputForm.unread(plaintext[...].trimmingByteOrderMarks()) == .link || scanned != nil
                guard kind != .other || !claimsCard || isOpen else { throw Self.unknownCard }
                for case (let member, let type?) in [("content type", declared), ("cty", encryptedType)]
                where warnings.isEmpty && isOther(than: type, hasCertificates: content.kind == .certificates) {
                    warnings.add(
                        .contentTypeMismatch,
                        "\(name) has the \(member) \(type.quoted(upTo: 60)), but is of another kind")
                }
            }

            /// Makes this a file that could not be read.
            mutating func fail(because failure: VerificationFailure) {
                summary.kind = nil
                summary.reason = failure
                (bytes, document, contents, cards) = (nil, nil, [], [])
            }

            /// Whether a content type says something else than the content is.
            private func isOther(than claimed: UTF8Text, hasCertificates: Bool) -> Bool {
                let essence = MediaType(claimed).essence
                // EU certificates have no content type.
                let isCard = MediaType(claimed).isHealthCard
                if hasCertificates, isCard || !Self.types.contains(where: { essence.elementsEqual($0.type.utf8) }) {
                    return false
                }
                // The `Parameters` of an operation are cards and FHIR at once.
                if summary.resourceType != nil, essence.elementsEqual("application/fhir+json".utf8) { return false }
                guard let own = Self.types.first(where: { $0.kind == summary.kind })?.type else {
                    return Self.types.contains { essence.elementsEqual($0.type.utf8) }
                }
                return !essence.elementsEqual(own.utf8)
            }

            /// Whether the file holds credentials, or what is refused as one.
            var holdsCredentials: Bool { document != nil || !contents.isEmpty }

            /// The credentials of the file, or more than the limit if it holds more.
            func credentials(atMost limit: Int) -> [PresentedCredential] {
                guard let document else { return CredentialReader.credentials(in: contents, atMost: limit) }
                var reader = CredentialReader()
                reader.add(document, source: "file")
                return reader.cards()
            }

            /// The content as JSON; nil if it is none, or is not shown: an access token, or another link with its key.
            package var json: JSONValue? {
                guard let bytes, isShown(bytes) else { return nil }
                return try? JSONDocument.parse(
                    Array(bytes[...].trimmingByteOrderMarks()), maximumDepth: Bounds.nesting)
            }

            /// Whether content may be shown. An access token, or the key of another link, may be anywhere in it.
            private func isShown(_ bytes: [UInt8]) -> Bool {
                guard summary.kind == .fhir || summary.kind == .other, !claimsToken else { return false }
                let secrets = ["access_token", "refresh_token", "id_token", "shlink:/"].map { Array($0.utf8) }
                return !bytes.indices.contains { place in
                    [UInt8(ascii: "_"), UInt8(ascii: ":")].contains(bytes[place])
                        && secrets.contains { secret in
                            guard let mark = secret.firstIndex(of: bytes[place]), place >= mark else { return false }
                            return bytes[(place - mark)...].prefix(secret.count).elementsEqual(secret) {
                                ($0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0) == $1
                            }
                        }
                }
            }
        }
    }
}

extension OpenedLink {
    /// Describes a link.
    ///
    /// - Parameters:
    ///   - opening: what became of it.
    ///   - reason: why it holds nothing that can be verified; nil for why it could not be opened.
    ///   - warnings: what is unusual, besides the link and the manifest.
    package convenience init(
        _ opening: LinkClient.Opening, index: Int, source: String, recipient: String,
        reason: VerificationFailure? = nil, warnings: [CredentialWarning]? = nil
    ) {
        let link = opening.link
        self.init(
            index: index, source: source, form: link.form, scheme: link.scheme, origin: link.origin, label: link.label,
            flags: link.flags, version: link.version, expires: link.expires, recipient: recipient,
            status: opening.status, reason: reason ?? opening.reason, remainingAttempts: opening.remainingAttempts,
            files: opening.files.map(\.summary), warnings: warnings ?? link.warnings)
    }

    /// The first failure: of the link itself, or of a file. That it holds nothing that is signed is none.
    package var failure: VerificationFailure? {
        (reason?.code == .noSignedContent ? nil : reason) ?? files.lazy.compactMap(\.reason).first
    }
}
