import Encodings
import SMARTHealthCards

/// A FHIR Bundle, alone or in a payload.
final class BundleSubject: Sendable {
    /// An entry and its resource.
    struct Entry: Sendable {
        let entry: JSONValue
        /// The JSON that should be a resource; nil if there is none.
        let resource: JSONValue?
        /// The type of the resource; empty if it has none.
        let type: UTF8Text

        init(_ entry: JSONValue) {
            self.entry = entry
            resource = entry["resource"]
            type = resource?["resourceType"]?.string ?? ""
        }

        func isOf(_ type: UTF8Text) -> Bool { self.type == type }
    }

    /// The text that contains the Bundle.
    let document: Document
    /// The JSON, which should be a Bundle.
    let value: JSONValue
    /// The FHIR version of the payload; nil if there is none.
    let fhirVersion: UTF8Text?
    private let settings: LintSettings
    var policy: LintPolicy { settings.policy }
    /// How the Bundle violates the structure of FHIR R4 and the rules that keep cards small. One walk finds
    /// this for all rules. For another version, it finds only what is the same in every version.
    let structure: [StructureProblem]
    let entries: [Entry]
    /// Whether a patient's app shares it, by the profile ktc.
    let isShared: Bool
    /// The attestation of that app; nil if there is none.
    let attestation: AppAttestation?
    /// How the Bundle violates the rows of profiles, by the IDs of the rules.
    private let rowProblems: [String: [Problem]]
    /// The profiles of HL7's guide that the contents have chosen, since none was asked for.
    let chosenProfiles: [LintPolicy.Profile]

    init(document: Document, value: JSONValue, fhirVersion: UTF8Text?, settings: LintSettings) {
        self.document = document
        self.value = value
        self.fhirVersion = fhirVersion
        self.settings = settings
        let profiles = settings.policy.profiles
        structure =
            BundleWalk(value, fhirVersion: fhirVersion, allowsProfileInMeta: profiles.contains(.insuranceCard)).problems
        entries = (value["entry"]?.elements).map { $0.filter { $0.kind == .object }.map { Entry($0) } } ?? []
        isShared = profiles.contains(.patientApp) && document.layer == .bundle
        attestation = isShared ? AppAttestation(ofBundle: value, at: settings.policy.now) : nil
        let choice =
            settings.policy.asksForProfiles || !BundleWalk.isR4(fhirVersion) ? nil : GuideChoice(for: entries)
        chosenProfiles = choice?.profiles ?? []
        let compared = choice?.compared ?? settings.profiles(isShared: isShared)
        rowProblems =
            compared.isEmpty
            ? [:]
            : ProfileWalk(
                value, entries: entries, profiles: compared, choice: choice, names: settings.policy.codeNames
            ).problems
    }

    /// Whether the Bundle violates rows of profiles.
    var departsFromRows: Bool { !rowProblems.isEmpty }

    /// The violations of the rows of a rule.
    func problems(withRowsOf rule: String) -> [Problem] { rowProblems[rule] ?? [] }

    /// The violations of one kind that the walk found.
    func problems(of kind: StructureProblem.Kind) -> [Problem] {
        structure.compactMap { $0.kind == kind ? $0.problem : nil }
    }
}
