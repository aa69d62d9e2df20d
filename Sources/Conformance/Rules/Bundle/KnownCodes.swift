import Credentials
import FHIR
import JSON

/// Codes that are in no list.
extension Rule {
    static let knownCode = Rule(
        "code-unknown", "code-unknown", .fhir("terminologies"), severity: .warning,
        requirement:
            "A code of a vaccine, its maker or a laboratory test is in a list of its code system that is known here, if there is one.",
        remedy: "Check the code. If it is newer than the list, update the lists of codes.",
        check: .bundle { bundle in
            let names = bundle.policy.codeNames
            var problems: [Problem] = []
            let others = names.systemsOfOwnLists.subtracting(systems)
            for resource in bundle.entries.lazy.compactMap(\.resource) where problems.count < Bounds.problems {
                var found = codings(of: resource).prefix(Bounds.problems).filter {
                    $0.system.map(systems.contains) == true && !names.isKnown($0.code)
                }
                if !others.isEmpty, let element = judgedElement(of: resource) {
                    let judged = codings(of: resource, element)
                    // One known code is enough. A list may have only a part of its code system.
                    if !judged.contains(where: { names.isKnown($0.code) }) {
                        found += judged.filter { $0.system.map(others.contains) == true }
                    }
                }
                for coding in found {
                    guard let system = coding.system else { continue }
                    let date = names.newestDate(of: system).map { ", and the newest list is of \($0)" } ?? ""
                    problems.append(
                        Problem(
                            "the code \(coding.code.code.quoted(upTo: 40)) is in no list of \(system.quoted(upTo: 80)) that is known "
                                + "here\(date); it may be newer than the list", at: coding.value))
                }
            }
            return problems
        })

    /// The code systems of which there are whole lists. Their codes are looked for in all resources.
    private static let systems: Set<UTF8Text> = [Code.cvx, Code.mvx]

    /// The element by whose codes `--record-type` judges a resource. Codes of other systems are looked for only there.
    private static func judgedElement(of resource: JSONValue) -> String? {
        guard let resource = FHIRResource(resource) else { return nil }
        if resource.resourceType == "Immunization" { return "vaccineCode" }
        return resource.resourceType == "Observation" && resource.type == .laboratory ? "code" : nil
    }

    private struct FoundCoding {
        let value: JSONValue
        let code: Code
        var system: UTF8Text? { code.system }

        init?(_ value: JSONValue, system: String, code: String) {
            guard let text = value[code]?.string, !text.isEmpty else { return nil }
            self.value = value[code] ?? value
            self.code = Code(system: value[system]?.string, code: text)
        }
    }

    /// The codings of what a resource is about, and the code of a vaccine's maker.
    private static func codings(of resource: JSONValue) -> [FoundCoding] {
        var found: [FoundCoding] = []
        for element in ["vaccineCode", "code"] {
            found += codings(of: resource, element)
        }
        if let identifier = resource["manufacturer"]?["identifier"] {
            found += [FoundCoding(identifier, system: "system", code: "value")].compactMap(\.self)
        }
        return found
    }

    private static func codings(of resource: JSONValue, _ element: String) -> [FoundCoding] {
        guard let codings = resource[element]?["coding"]?.elements else { return [] }
        return codings.prefix(Bounds.problems).compactMap { FoundCoding($0, system: "system", code: "code") }
    }
}
