import JSON

/// A FHIR Bundle, alone or in a payload.
struct BundleSubject: Sendable {
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
    let policy: LintPolicy
    /// How the Bundle departs from the structure of FHIR R4 and from the rules that keep cards small. One walk finds
    /// this for all rules. For another version, it finds only what is the same in every version.
    let structure: [StructureProblem]
    let entries: [Entry]
    /// The Vaccination & Testing guide; nil if it does not apply.
    let profile: VaccinationProfile?

    init(document: Document, value: JSONValue, fhirVersion: UTF8Text?, policy: LintPolicy) {
        self.document = document
        self.value = value
        self.fhirVersion = fhirVersion
        self.policy = policy
        structure = BundleWalk(value, fhirVersion: fhirVersion).problems
        entries = (value["entry"]?.elements).map { $0.filter { $0.kind == .object }.map { Entry($0) } } ?? []
        profile = VaccinationProfile(entries, isR4: BundleWalk.isR4(fhirVersion), policy: policy)
    }

    /// The departures of one kind that the walk found.
    func problems(of kind: StructureProblem.Kind) -> [Problem] {
        structure.compactMap { $0.kind == kind ? $0.problem : nil }
    }
}
