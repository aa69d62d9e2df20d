import JSON

/// A FHIR Bundle, alone or in a payload.
struct BundleSubject: Sendable {
    /// A resource that stands in an entry.
    struct Entry: Sendable {
        let entry: JSONValue
        /// The resource, or whatever is there instead; nil if there is none.
        let resource: JSONValue?
        /// Its type; empty if it has none.
        let type: UTF8Text

        init(_ entry: JSONValue) {
            self.entry = entry
            resource = entry["resource"]
            type = resource?["resourceType"]?.string ?? ""
        }

        func isOf(_ type: UTF8Text) -> Bool { self.type == type }
    }

    /// The text that the Bundle stands in.
    let document: Document
    /// The Bundle, or whatever stands in its place.
    let value: JSONValue
    /// The version that the payload claims; nil if there is no payload.
    let fhirVersion: UTF8Text?
    /// What the card was carried by, where that is known: rules for cards that become QR codes apply to all others
    /// too, since any card may.
    let policy: LintPolicy
    /// How it departs from the structure of FHIR R4, and from what cards leave out, found in one walk for all rules. Where
    /// the version is another, what is the same in every version alone.
    let structure: [StructureProblem]
    /// Its entries.
    let entries: [Entry]
    /// The Vaccination & Testing guide, where it applies.
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

    /// What the walk found of one kind.
    func problems(of kind: StructureProblem.Kind) -> [Problem] {
        structure.compactMap { $0.kind == kind ? $0.problem : nil }
    }
}
