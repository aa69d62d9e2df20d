package import Encodings

/// What is known of a SMART Health Check-in and of its artifacts, as reports show it. It holds no key.
package final class CheckIn: Container {
    /// One artifact of a response.
    package struct Artifact: Sendable {
        /// The kind of an artifact's content. What FHIR artifacts are is decided as for the files of a link.
        package enum Kind: String, Sendable {
            /// Health cards, which can be verified.
            case healthCard = "health-card"
            /// FHIR that nobody signed.
            case fhir
            /// Anything else.
            case other
        }

        /// Why an artifact is disregarded (SMART Health Check-in, XV-4 to XV-10), in the order in which it is looked for.
        package enum Defect: String, Sendable, CaseIterable {
            /// It has no id, that of another one, or one of more than `Bounds.checkInIDLength` octets.
            case id
            /// Its media type is not one of the two that are known.
            case mediaType = "media-type"
            /// It fulfills no item, or something that is no item.
            case fulfills
            /// An item that it fulfills does not accept its media type.
            case notAccepted = "not-accepted"
            /// Its FHIR version is missing or was not asked for, or a health card has one.
            case fhirVersion = "fhir-version"
            /// It holds no FHIR resource, or no health cards.
            case value
            /// It answers another questionnaire.
            case questionnaire
        }

        /// The id; nil if it has none, or one that is too long.
        package let id: UTF8Text?
        /// The media type, as written; nil if it has none.
        package let mediaType: UTF8Text?
        /// The kind of its content.
        package let kind: Kind
        /// The items that it is meant for.
        package let fulfills: [UTF8Text]
        /// The FHIR version; nil if it names none.
        package let fhirVersion: UTF8Text?
        /// The type of its FHIR resource; nil if it has none.
        package let resourceType: UTF8Text?
        /// Why it is disregarded; nil if it is not.
        package let disregarded: Defect?
        /// Its value as it is written, without white space outside strings.
        package let value: [UInt8]
        /// The credentials in it, each as an input of its own. Those in FHIR are judged whatever else is wrong with it.
        package let credentials: [[UInt8]]

        package init(
            id: UTF8Text?, mediaType: UTF8Text?, kind: Kind, fulfills: [UTF8Text], fhirVersion: UTF8Text?,
            resourceType: UTF8Text?, disregarded: Defect?, value: [UInt8], credentials: [[UInt8]]
        ) {
            self.id = id
            self.mediaType = mediaType
            self.kind = kind
            self.fulfills = fulfills
            self.fhirVersion = fhirVersion
            self.resourceType = resourceType
            self.disregarded = disregarded
            self.value = value
            self.credentials = credentials
        }
    }

    /// What became of one item of the request.
    package struct Item: Sendable {
        /// What the wallet says of an item.
        package enum Status: String, Sendable, CaseIterable {
            case fulfilled, partial, unavailable, declined, unsupported, error
        }

        /// The id of the item.
        package let item: UTF8Text
        /// What the wallet says of it; nil if it does not say exactly one thing that is known.
        package let status: Status?
        /// Whether an artifact that counts stands for it.
        package let isMet: Bool
        /// The ids of the artifacts that stand for it and are not disregarded.
        package let artifacts: [UTF8Text]
        /// What the wallet writes to a person. It is shown and never judged.
        package let message: UTF8Text?

        package init(item: UTF8Text, status: Status?, isMet: Bool, artifacts: [UTF8Text], message: UTF8Text?) {
            self.item = item
            self.status = status
            self.isMet = isMet
            self.artifacts = artifacts
            self.message = message
        }
    }

    /// The form of a check-in.
    package enum Form: String, Sendable {
        /// The response of the wallet, after it was decrypted by somebody else.
        case response
        /// The wallet's encrypted answer.
        case envelope
    }

    /// The place in the list of the run's check-ins, from 0.
    package let index: Int
    /// The name of the input.
    package let source: String
    /// The form.
    package let form: Form
    /// The id of the request that it answers, as it says; nil if it cannot be read.
    package let requestID: UTF8Text?
    /// Who called the wallet; nil if it is not an encrypted answer, or if nobody said.
    package let origin: String?
    /// Until when the wallet's envelope is valid; nil if there is none.
    package let validUntil: NumericDate?
    /// Why it could not be opened, or holds nothing that can be verified; nil if neither is so.
    package let reason: VerificationFailure?
    /// The artifacts, in their order.
    package let artifacts: [Artifact]
    /// The items of the request, in its order; without it, those of which the response says something, in their order.
    package let items: [Item]
    /// What is wrong with the envelope, each code once, in the order in which they count. It gives the cards no trust, and takes none
    /// from them.
    package let findings: [CredentialWarning]
    /// What is unusual about it.
    package let warnings: [CredentialWarning]

    package init(
        index: Int, source: String, form: Form, requestID: UTF8Text? = nil, origin: String? = nil,
        validUntil: NumericDate? = nil, reason: VerificationFailure? = nil, artifacts: [Artifact] = [],
        items: [Item] = [], findings: [CredentialWarning] = [], warnings: [CredentialWarning] = []
    ) {
        self.index = index
        self.source = source
        self.form = form
        self.requestID = requestID
        self.origin = origin
        self.validUntil = validUntil
        self.reason = reason
        self.artifacts = artifacts
        self.items = items
        self.findings = findings
        self.warnings = warnings
    }

    package let inputForm = InputForm.checkIn
    package static let itemName = "artifact"

    package var unsigned: [UnsignedItem] {
        artifacts.enumerated().filter { $1.kind == .fhir && $1.disregarded == nil }.map { number, artifact in
            UnsignedItem(item: number, content: artifact.value, version: artifact.fhirVersion, app: nil)
        }
    }

    /// What the wallet says of the items of the request. The words are a stranger's.
    package var remarks: [String] {
        items.map { item in
            let message = item.message.map { ": says \($0.quoted(upTo: 200))" } ?? ""
            let met = item.isMet || item.status != .fulfilled && item.status != .partial ? "" : " (not met)"
            return "\(item.item.quoted(upTo: 80)) \(item.status?.rawValue ?? "without a status")\(met)\(message)"
        }
    }

    /// What it held, in words: `opened, 2 artifacts: 1 with health cards, 1 that nobody signed`.
    package var words: String {
        if let reason, reason.code != .noSignedContent { return "not opened" }
        let opened = findings.isEmpty ? "opened" : "opened, with faults in its envelope (see the warnings)"
        let valid = artifacts.filter { $0.disregarded == nil }
        let cards = valid.count { $0.kind == .healthCard }
        let others = valid.count - cards
        let disregarded = artifacts.count - valid.count
        let parts = [
            cards > 0 ? "\(cards) with health cards" : nil, others > 0 ? "\(others) that nobody signed" : nil,
            disregarded > 0 ? "\(disregarded) disregarded" : nil,
        ].compactMap(\.self)
        let count = artifacts.count == 1 ? "1 artifact" : "\(artifacts.count) artifacts"
        return "\(opened), \(artifacts.isEmpty ? "no artifacts" : "\(count): \(parts.joined(separator: ", "))")"
    }
}
