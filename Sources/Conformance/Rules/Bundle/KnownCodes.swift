import Credentials
import FHIR
import JSON

/// Codes that are in no list.
extension Rule {
    static let knownCode = Rule(
        "code-unknown", "code-unknown", .fhir("terminologies"), severity: .warning,
        requirement: "A code of a vaccine or its maker is in the newest list of its code system that is known here.",
        remedy: "Check the code. If it is newer than the list, update the lists of codes.",
        check: .bundle { bundle in
            let names = bundle.policy.codeNames
            var problems: [Problem] = []
            for resource in bundle.entries.lazy.compactMap(\.resource) where problems.count < Bounds.problems {
                for coding in codings(of: resource).prefix(Bounds.problems) {
                    guard let system = coding.system, systems.contains(system), !names.isKnown(coding.code) else {
                        continue
                    }
                    let date = names.newestDate(of: system).map { ", and the newest list is of \($0)" } ?? ""
                    problems.append(
                        Problem(
                            "the code \(coding.code.code.quoted(upTo: 40)) is in no list of \(system) that is known here\(date); it may "
                                + "be newer than the list", at: coding.value))
                }
            }
            return problems
        })

    /// The code systems of which there are whole lists.
    private static let systems: Set<UTF8Text> = [Code.cvx, Code.mvx]

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
            guard let codings = resource[element]?["coding"]?.elements else { continue }
            found += codings.prefix(Bounds.problems).compactMap { FoundCoding($0, system: "system", code: "code") }
        }
        if let identifier = resource["manufacturer"]?["identifier"] {
            found += [FoundCoding(identifier, system: "system", code: "value")].compactMap(\.self)
        }
        return found
    }
}
