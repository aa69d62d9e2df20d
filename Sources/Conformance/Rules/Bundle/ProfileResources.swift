import Credentials
import Encodings
import FHIR

// What the rules of profiles look at in a Bundle.

extension [BundleSubject.Entry] {
    /// The resources of a type.
    func resources(_ type: UTF8Text) -> [JSONValue] { filter { $0.isOf(type) }.compactMap(\.resource) }
}

extension [JSONValue] {
    /// The problems that a check finds in each of some resources, up to the limit.
    func problems(_ look: (JSONValue) -> [Problem]) -> [Problem] {
        var problems: [Problem] = []
        for resource in self where problems.count < Bounds.problems { problems += look(resource) }
        return problems
    }
}

extension FHIRBundle {
    /// Whether a reference leads to an entry of the Bundle with a resource of this type.
    func leads(_ reference: JSONValue?, toEntryOf type: UTF8Text) -> Bool {
        guard let address = reference?["reference"]?.string, case .entry(let index)? = target(of: address, from: nil)
        else { return false }
        return entries[index].resource?.resourceType == type
    }
}
