import Credentials
import Cryptography
import Encodings
import FHIR

/// How far the receiving system can rely on a resource.
enum HandoverTrust: String {
    /// The issuer has signed it, and somebody whom the verifier trusts vouches for the issuer.
    case issuerTrusted = "issuer-trusted"
    /// It is signed, but nobody checked who the signer is.
    case issuerNotChecked = "issuer-not-checked"
    /// The signer is only on a list of a test network, in which nobody vouches for the owners of keys.
    case testList = "test-list"
    /// Nobody has signed it.
    case unsigned

    init(_ verdict: Verdict) {
        switch verdict.issuerTrust {
        case _ where verdict.isOfTestList: self = .testList
        case .directory, .allowList, .certificate, .jwks: self = .issuerTrusted
        // A credential of an untrusted issuer does not pass, so it is not handed over.
        case .unchecked, .untrusted: self = .issuerNotChecked
        }
    }

    /// The security labels that say the same.
    var labels: [HandoverLabel] {
        switch self {
        case .issuerTrusted: [.signed]
        case .issuerNotChecked: [.signed, .uncertain]
        case .testList: [.test]
        case .unsigned: [.byPatient]
        }
    }
}

/// A card, a certificate, or unsigned content, from which resources are handed over.
struct HandoverSource {
    /// One entry of a source's Bundle.
    struct Entry {
        let id: NameBasedUUID
        /// The resource's type; nil if it is not handed over.
        let type: String?
        /// The resource.
        let resource: JSONValue?
    }

    /// The namespace of all ids.
    private static let namespace = NameBasedUUID(
        namespace: [0x28, 0x07, 0x09, 0x1E, 0xAD, 0xAC, 0x57, 0xE9, 0x9F, 0x4E, 0xD2, 0xD4, 0x10, 0x76, 0xB7, 0xFC])

    /// The id of the source. It is derived from the signed octets, so every form of a card has the same id.
    let id: NameBasedUUID
    let trust: HandoverTrust
    /// All entries of the Bundle, handed over or not.
    let entries: [Entry]
    /// What is said about the source in its Provenance.
    let origin: HandoverOrigin
    /// Who vouches for the identity of the persons; nil if nobody does in a way that can be compared with another source.
    let voucher: HandoverPatients.Voucher?
    /// The entries to which a reference can lead, by the text of the reference.
    private let places: [UTF8Text: [Int]]

    /// The source of a credential that passed; nil if it did not pass, or does not contain a Bundle.
    init?(_ verdict: Verdict, at time: VerificationTime, names: CodeNames = .builtIn) {
        guard let verified = verdict.verified, let signed = verdict.examined.signed,
            let bundle = verified.claims.storableBundle
        else { return nil }
        self.init(
            id: NameBasedUUID(signed.octets, in: Self.namespace), trust: HandoverTrust(verdict),
            bundle["entry"]?.elements.map(Array.init) ?? [], version: verified.claims.fhirVersion,
            origin: .signed(HandoverOrigin.Signed(verdict, signed, verified.claims, at: time, names: names)),
            voucher: HandoverPatients.Voucher(verdict, verified.claims))
    }

    /// The source of unsigned content.
    ///
    /// - Parameters:
    ///   - octets: the content, from which its id is derived.
    ///   - content: a Bundle, or one resource.
    ///   - version: the FHIR version that is claimed for it.
    ///   - kind: what kind of container it came in.
    ///   - app: the patient's app, if its attestation verified; nil if there is none.
    init(
        unsigned octets: [UInt8], _ content: JSONValue, version: UTF8Text?, kind: InputForm,
        app: UTF8Text? = nil
    ) {
        // A single resource is its own first entry.
        let isBundle = content["resourceType"]?.isString("Bundle") ?? false
        self.init(
            id: NameBasedUUID(octets, in: NameBasedUUID("unsigned".utf8, in: Self.namespace)), trust: .unsigned,
            isBundle ? content["entry"]?.elements.map(Array.init) ?? [] : [content], areEntries: isBundle,
            version: version, origin: .unsigned(kind, app: app))
    }

    /// - Parameters:
    ///   - elements: the entries of a Bundle, or resources.
    ///   - areEntries: whether they are entries.
    private init(
        id: NameBasedUUID, trust: HandoverTrust, _ elements: [JSONValue], areEntries: Bool = true, version: UTF8Text?,
        origin: HandoverOrigin, voucher: HandoverPatients.Voucher? = nil
    ) {
        self.id = id
        self.trust = trust
        self.origin = origin
        self.voucher = voucher
        let isR4 = version.map { Self.isR4($0) } ?? true
        var places: [UTF8Text: [Int]] = [:]
        entries = elements.enumerated().map { index, element in
            let resource = areEntries ? element["resource"] : element
            for name in Self.names(of: resource, fullURL: areEntries ? element["fullUrl"]?.string : nil) {
                places[name, default: []].append(index)
            }
            let type = isR4 ? resource.flatMap { HandoverTypes.type(of: $0) } : nil
            return Entry(
                id: NameBasedUUID("entry/\(index)".utf8, in: id), type: type, resource: type == nil ? nil : resource)
        }
        self.places = places
    }

    /// Whether a version is 4.0.x.
    private static func isR4(_ version: UTF8Text) -> Bool {
        let patch = version.utf8.dropFirst(4)
        return version.hasPrefix("4.0.") && !patch.isEmpty && patch.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The id of the source's Provenance.
    var provenanceID: NameBasedUUID { NameBasedUUID("provenance".utf8, in: id) }

    /// The number of entries that are not handed over.
    var leftOutCount: Int { entries.count { $0.type == nil } }

    /// Whether nothing is handed over.
    var isEmpty: Bool { entries.allSatisfy { $0.type == nil } }

    /// The entry that a reference names; nil if it names none or several, or one that is not handed over.
    func entry(for reference: UTF8Text) -> Int? {
        let parts = places[reference] == nil ? FHIRBundle.versioned(Array(reference.utf8)) : nil
        let name = parts.map { UTF8Text(decoding: Array($0.place)) } ?? reference
        guard let found = places[name], found.count == 1, entries[found[0]].type != nil else { return nil }
        guard parts.map({ FHIRBundle.isVersion($0.version, of: entries[found[0]].resource) }) ?? true else {
            return nil
        }
        return found[0]
    }

    /// All texts by which a reference can name an entry: its URL, `Type/id` at the end of the URL, and the resource's own type and id.
    private static func names(of resource: JSONValue?, fullURL: UTF8Text?) -> Set<UTF8Text> {
        var names: Set<UTF8Text> = []
        if let fullURL {
            names.insert(fullURL)
            let parts = Array(fullURL.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            if parts.count > 2 { names.formUnion(local(type: parts[parts.count - 2], id: parts[parts.count - 1])) }
        }
        if let type = resource?["resourceType"]?.stringBytes, let id = resource?["id"]?.stringBytes {
            names.formUnion(local(type: type[...], id: id[...]))
        }
        return names
    }

    /// `Type/id`, if FHIR allows both (R4 §2.24.0.1, `id`).
    private static func local(type: ArraySlice<UInt8>, id: ArraySlice<UInt8>) -> [UTF8Text] {
        let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte | 0x20) }
        guard !type.isEmpty, type.allSatisfy(isLetter), (1...64).contains(id.count),
            id.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E })
        else { return [] }
        return [UTF8Text(decoding: Array(type) + [UInt8(ascii: "/")] + Array(id))]
    }
}

/// The types of resource that are handed over. A signer chooses the content of a card, and a resource of another type, such as Subscription
/// or Consent, would cause the receiving server to act.
enum HandoverTypes {
    private static let types: Set<UTF8Text> = [
        "AllergyIntolerance", "CarePlan", "CareTeam", "Composition", "Condition", "Coverage", "Device",
        "DeviceUseStatement", "DiagnosticReport", "DocumentReference", "Encounter", "ExplanationOfBenefit",
        "FamilyMemberHistory", "Goal", "ImagingStudy", "Immunization", "ImmunizationRecommendation", "InsurancePlan",
        "Location", "Medication", "MedicationAdministration", "MedicationDispense", "MedicationRequest",
        "MedicationStatement", "Observation", "Organization", "Patient", "Practitioner", "PractitionerRole",
        "Procedure", "QuestionnaireResponse", "RelatedPerson", "ServiceRequest", "Specimen",
    ]

    /// The type of a resource that is handed over; nil for all others.
    static func type(of resource: JSONValue) -> String? {
        guard let type = resource["resourceType"]?.string, types.contains(type) else { return nil }
        return type.description
    }
}
