import Foundation
import TestSupport

/// The source of HL7's Vaccination & Testing guide, in FHIR Shorthand, as far as it constrains elements.
struct GuideSource {
    /// A constraint on an element.
    struct Constraint: Hashable, CustomStringConvertible {
        /// The path below the resource, without slices: `vaccineCode.coding.id`.
        let path: String
        /// The rest of the line: `0..0`, `obeys vc-name-invariant`.
        let words: String
        /// The slice that the path went through; nil if there is none.
        let slice: String?

        var description: String { "\(path) \(words)" }

        /// The bounds of a cardinality; nil if the constraint is another one.
        var cardinality: (least: Int, most: Int?)? {
            guard let match = words.firstMatch(of: /^([0-9]*)\.\.([0-9]+|\*)?/) else { return nil }
            return (Int(match.1) ?? 0, match.2.flatMap { Int($0) })
        }
    }

    private struct Definition {
        var parameters: [String] = []
        var parent: String?
        var lines: [String] = []
    }

    private var ruleSets: [String: Definition] = [:]
    private var profiles: [String: Definition] = [:]
    /// The severities of the invariants, by name.
    private(set) var severities: [String: String] = [:]

    static var folder: URL {
        SharedData.folder.appendingPathComponent("data/vaccination-ig")
    }

    init() throws {
        for file in try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "fsh" {
            read(try String(contentsOf: file, encoding: .utf8))
        }
    }

    private mutating func read(_ text: String) {
        let text = text.replacing(/\/\*[\s\S]*?\*\//, with: "")
        var name: (kind: String, id: String)?
        var definition = Definition()
        func finish(_ source: inout GuideSource) {
            guard let name else { return }
            if name.kind == "RuleSet" {
                source.ruleSets[name.id] = definition
            } else {
                source.profiles[name.id] = definition
            }
        }
        for match in text.matches(of: /Invariant:\s*(\S+)(?:(?!Invariant:)[\s\S])*?Severity:\s*#(\w+)/) {
            severities[String(match.1)] = String(match.2)
        }
        for line in text.split(separator: "\n") {
            let line = line.replacing(/(^|\s)\/\/.*$/, with: "").trimmingCharacters(in: .whitespaces)
            if let match = line.firstMatch(
                of: /^(RuleSet|Profile|Invariant|ValueSet|CodeSystem|Alias):\s*([^\s(]+)\s*(\(([^)]*)\))?/)
            {
                finish(&self)
                definition = Definition()
                definition.parameters = (match.4 ?? "").split(separator: ",").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                name = ["RuleSet", "Profile"].contains(match.1) ? (String(match.1), String(match.2)) : nil
            } else if let match = line.firstMatch(of: /^Parent:\s*(\S+)/) {
                definition.parent = String(match.1)
            } else if let match = line.firstMatch(of: /^Id:\s*(\S+)/) {
                // A parent is named by its name or by its id.
                if let current = name { name = (current.kind, String(match.1)) }
            } else if line.hasPrefix("* ") {
                definition.lines.append(String(line.dropFirst(2)))
            }
        }
        finish(&self)
    }

    /// All constraints of a profile, with those of the profiles that it is derived from.
    func constraints(of id: String) -> [Constraint] {
        let known = [
            "SHCVaccinationAD": "shc-vaccination-ad",
            "SHCCovid19LaboratoryResultObservationAD": "shc-covid19-laboratory-result-observation-ad",
            "SHCInfectiousDiseaseLaboratoryResultObservationAD":
                "shc-infectious-disease-laboratory-result-observation-ad",
        ]
        guard let profile = profiles[known[id] ?? id] else { return [] }
        let inherited = profile.parent.map { constraints(of: $0) } ?? []
        return inherited + profile.lines.flatMap { constraints(in: $0) }
    }

    private func constraints(in line: String) -> [Constraint] {
        if let match = line.firstMatch(of: /^insert ([^\s(]+)\s*(\(([^)]*)\))?/) {
            guard let rules = ruleSets[String(match.1)] else { return [] }
            let values = (match.3 ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            return rules.lines.flatMap { line in
                var line = line
                for (parameter, value) in zip(rules.parameters, values) {
                    line = line.replacing("{\(parameter)}", with: value)
                }
                return constraints(in: line)
            }
        }
        guard let match = line.firstMatch(of: /^(\S+) +(([0-9]*\.\.|only |from |= |obeys ).*)$/) else { return [] }
        let slice = match.1.firstMatch(of: /\[([^\]]+)\]/).map { String($0.1) }.flatMap { $0 == "x" ? nil : $0 }
        let path = slice == nil ? String(match.1) : String(match.1.replacing(/\[[^\]]+\]/, with: ""))
        return [Constraint(path: path, words: String(match.2), slice: slice)]
    }
}
