package import Encodings

/// What is known of a SMART Health Link and of its files, as reports show it. It holds no key, no passcode, no access token
/// and no address but the origin.
package final class OpenedLink: Container {
    /// One file of a link.
    package struct File: Sendable {
        /// How a file comes to the receiver.
        package enum Delivery: String, Sendable {
            /// It is in the manifest.
            case embedded
            /// It is at an address that the manifest names.
            case location
            /// It is at the link's own address (flag `U`).
            case direct
        }

        /// The kind of a file's content.
        package enum Kind: String, Sendable {
            /// Health cards, which can be verified.
            case healthCard = "health-card"
            /// A FHIR resource that nobody signed.
            case fhir
            /// A token for access to a server. It is neither used nor shown.
            case apiAccess = "api-access"
            /// Anything else.
            case other
        }

        /// How it came; nil if its entry in the manifest does not say.
        package var delivery: Delivery?
        /// The content type in the manifest; nil if there is none.
        package var contentType: UTF8Text?
        /// The kind of the content; nil if the file was not read.
        package var kind: Kind?
        /// The number of health cards.
        package var cardCount = 0
        /// The type of the FHIR resource; nil if it is none.
        package var resourceType: UTF8Text?
        /// The FHIR version that the manifest names; nil if it names none.
        package var fhirVersion: UTF8Text?
        /// When the file was last changed, as the manifest writes it.
        package var lastUpdated: UTF8Text?
        /// The status in the manifest: `finalized`, `can-change` or `no-longer-valid`.
        package var status: UTF8Text?
        /// The server for which an access token is meant (`aud`).
        package var audience: UTF8Text?
        /// The scope of an access token.
        package var scope: UTF8Text?
        /// Why the file was not read; nil if it was.
        package var reason: VerificationFailure?
        /// What the app that made a FHIR Bundle says of itself, which gives no trust; nil if it says nothing.
        package var attestation: AttestationReport?
        /// The content of a file with FHIR, if it was asked for; else nil. No report prints it but a
        /// hand-over with content that nobody signed.
        package var content: [UInt8]?

        /// Creates a file of which nothing is known.
        package init(delivery: Delivery? = nil) { self.delivery = delivery }

        /// The bytes of the texts, which the link's server chooses.
        package var textSize: Int {
            [contentType, fhirVersion, lastUpdated, status].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        }

        /// Whether the file holds something that can be verified.
        package var isVerifiable: Bool { kind == .healthCard || cardCount > 0 }
    }

    /// The status of what is no longer valid, as a manifest writes it.
    package static let noLongerValid: UTF8Text = "no-longer-valid"

    /// The place in the list of the run's links, from 0.
    package let index: Int
    /// The name of the input with the link.
    package let source: String
    /// Where the link was: `bare`, `viewer`, or `hcert` for one in a health certificate.
    package let form: String
    /// The scheme: `shlink`, or `vhlink` for a verifiable health link.
    package let scheme: String
    /// The origin of the link's address (RFC 6454 §4); nil if the link cannot be read.
    package let origin: String?
    /// The label.
    package let label: UTF8Text?
    /// The flags, as written.
    package let flags: UTF8Text?
    /// The version; nil if the link cannot be read.
    package let version: Int?
    /// When the link expires; nil if it does not say.
    package let expires: NumericDate?
    /// The recipient that was named to the server.
    package let recipient: String
    /// The status in the manifest.
    package let status: UTF8Text?
    /// Why the link could not be opened, or holds nothing that can be verified; nil if neither is so.
    package let reason: VerificationFailure?
    /// How many wrong passcodes the server still allows; nil if it does not say.
    package let remainingAttempts: Int?
    /// The files, in the order of the manifest.
    package let files: [File]
    /// What is unusual about the link and its files.
    package let warnings: [CredentialWarning]

    /// Creates a description.
    package init(
        index: Int, source: String, form: String, scheme: String = "shlink", origin: String?, label: UTF8Text?,
        flags: UTF8Text?, version: Int?,
        expires: NumericDate?, recipient: String, status: UTF8Text? = nil, reason: VerificationFailure? = nil,
        remainingAttempts: Int? = nil, files: [File] = [], warnings: [CredentialWarning] = []
    ) {
        self.index = index
        self.source = source
        self.form = form
        self.scheme = scheme
        self.origin = origin
        self.label = label
        self.flags = flags
        self.version = version
        self.expires = expires
        self.recipient = recipient
        self.status = status
        self.reason = reason
        self.remainingAttempts = remainingAttempts
        self.files = files
        self.warnings = warnings
    }

    package let inputForm = InputForm.link
    package static let itemName = "file"

    package var unsigned: [UnsignedItem] {
        files.enumerated().filter { $1.kind == .fhir }.map { number, file in
            let app = file.attestation.flatMap { $0.status == .verified ? $0.app : nil }
            return UnsignedItem(item: number, content: file.content, version: file.fhirVersion, app: app)
        }
    }

    package func isOpened(_ item: Int) -> Bool { files.indices.contains(item) && files[item].reason == nil }

    package func isNoLongerValid(_ item: Int?) -> Bool {
        let ofFile = item.flatMap { files.indices.contains($0) ? files[$0].status : nil }
        return [status, ofFile].contains(Self.noLongerValid)
    }

    package func words(for item: Int) -> String {
        guard files.indices.contains(item) else { return words }
        let delivery = files[item].delivery.map { ", \($0.rawValue)" } ?? ""
        return "opened, file \(item + 1) of \(files.count)\(delivery)"
    }

    /// What the link held, in words: `opened, 3 files: 2 health cards, 1 FHIR Bundle that nobody signed`.
    package var words: String {
        if let reason, reason.code != .noSignedContent { return "not opened" }
        let count = files.count.counted("file")
        guard !files.isEmpty else { return "opened, no files" }
        return "opened, \(count): " + contents.joined(separator: ", ")
    }

    private var contents: [String] {
        let cards = files.reduce(0) { $0 + $1.cardCount }
        var counted: [(words: (one: String, many: String), count: Int)] = []
        for file in files where file.kind != .healthCard {
            let words = Self.words(for: file)
            if let index = counted.firstIndex(where: { $0.words.one == words.one }) {
                counted[index].count += 1
            } else {
                counted.append((words, 1))
            }
        }
        return (cards == 0 ? [] : [cards.counted("health card")])
            + counted.map { "\($0.count) \($0.count == 1 ? $0.words.one : $0.words.many)" }
    }

    /// The words for one and for several files of a kind that cannot be verified.
    private static func words(for file: File) -> (one: String, many: String) {
        switch file.kind {
        case .fhir where file.resourceType == UTF8Text("Bundle"):
            ("FHIR Bundle that nobody signed", "FHIR Bundles that nobody signed")
        case .fhir: ("FHIR resource that nobody signed", "FHIR resources that nobody signed")
        case .apiAccess: ("access token, which was not used", "access tokens, which were not used")
        case .healthCard, .other: ("file of another kind", "files of another kind")
        case nil: ("file that could not be read", "files that could not be read")
        }
    }
}
