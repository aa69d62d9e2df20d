import JSON
import SMARTHealthCards

extension Rule {
    /// A Bundle is a Bundle.
    static let bundleResourceType = Rule(
        "fhir-schema-error", "bundle", .p2,
        requirement: "The fhirBundle is a Bundle resource.",
        remedy: "Put the resources into the entries of a Bundle.",
        check: .bundle { subject in
            guard subject.value.kind == .object else {
                // In a payload it is the payload's rule that says so.
                return subject.document.layer == .payload
                    ? [] : [Problem("\(subject.value.described) where the Bundle belongs", at: subject.value)]
            }
            guard let type = subject.value["resourceType"], !type.isString("Bundle") else { return [] }
            return [Problem("the resource is no Bundle: its resourceType is \(type.shown)", at: type)]
        })
}
