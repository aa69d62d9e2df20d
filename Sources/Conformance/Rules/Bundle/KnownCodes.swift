import Credentials
import Encodings
import FHIR

/// Codes that are in no list.
extension Rule {
    static let knownCode = Rule("code-unknown/code-unknown", RuleCheck.bundle) { bundle in
        var codes = KnownCodes(names: bundle.policy.codeNames)
        var problems: [Problem] = []
        for resource in bundle.entries.lazy.compactMap(\.resource) where problems.count < Bounds.problems {
            problems += codes.problems(in: resource)
        }
        return problems
    }

    /// The rules of the FHIR Bundle: its structure, what cards leave out, and profiles.
    static let bundleRules: [Rule] =
        [bundleResourceType, bundleEntries, entryResource, bundlePatient] + structureRules + [knownCode]
        + ProfileFile.all.flatMap { $0.rules } + [attestationSignature]

    /// The structure of FHIR R4, and what keeps cards small: the walk of a Bundle finds no problem of a kind.
    private static let structureRules = StructureProblem.Kind.allCases.map { kind in
        Rule("fhir-schema-error/\(kind.rawValue)", RuleCheck.bundle, needing: .structure) { $0.problems(of: kind) }
    }

    // MARK: The Bundle and its entries

    static let bundleResourceType = Rule("fhir-schema-error/bundle", RuleCheck.bundle) { subject in
        guard subject.value.kind == .object else {
            // For a Bundle in a payload, the rule of `fhirBundle` says so.
            return subject.document.layer == .payload
                ? [] : .found("the Bundle is not a JSON object but \(subject.value.described)", at: subject.value)
        }
        guard let type = subject.value["resourceType"], !type.isString("Bundle") else { return [] }
        return .found("`resourceType` of the Bundle is \(type.shown), not \"Bundle\"", at: type)
    }

    static let bundleEntries = Rule("fhir-schema-error/no-entries", RuleCheck.bundle) { subject in
        let entry = subject.value["entry"]
        guard subject.value.kind == .object, entry == nil || entry?.elements?.count == 0 else { return [] }
        return .found("the Bundle has no entries", at: subject.value, member: "entry")
    }

    static let entryResource = Rule("fhir-schema-error/entry-resource", RuleCheck.bundle) { subject in
        subject.entries.filter { $0.resource == nil }
            .map { Problem("an entry of the Bundle has no `resource`", at: $0.entry, member: "resource") }
    }

    static let bundlePatient = Rule("fhir-schema-error/no-patient", RuleCheck.bundle) { subject in
        guard !subject.entries.isEmpty, !subject.entries.contains(where: { $0.isOf("Patient") }) else { return [] }
        return .found("the Bundle has no Patient, so a verifier cannot tell who the holder is", at: subject.value)
    }
}

/// Looks for codes of known code systems that are in no list in use.
struct KnownCodes {
    /// What the lists in use have of a code system.
    private enum Coverage {
        /// Nothing.
        case none
        /// A list that was installed or given, or a whole built-in one.
        case listed
        /// A part of its codes, which is built in.
        case extract
    }

    private let names: CodeNames
    /// A list may have any number of code systems, and a card any number of codes.
    private var coverages: [UTF8Text: Coverage] = [:]
    private var ages: [UTF8Text: String] = [:]
    /// Whether the last few codes are known. Several resources of a card often have the same code.
    private var latest: [(code: Code, isKnown: Bool)] = []

    /// How many codes are remembered.
    private static let remembered = 4

    init(names: CodeNames) {
        self.names = names
    }

    /// Whether the codes of a code system are looked for in all resources: those of CDC.
    private static func isOfCDC(_ system: UTF8Text) -> Bool { system == Code.cvx || system == Code.mvx }

    /// The date of the newest list of a code system, as the end of a sentence about a code that is in no list.
    static func age(of system: UTF8Text, _ names: CodeNames) -> String {
        (names.newestDate(of: system).map { ", and the newest list is of \($0)" } ?? "")
            + "; it may be newer than the list"
    }

    mutating func problems(in resource: JSONValue) -> [Problem] {
        let codings = (vaccine: Self.codings(of: resource, "vaccineCode"), code: Self.codings(of: resource, "code"))
        let maker = resource["manufacturer"]?["identifier"].flatMap {
            FoundCoding($0, system: "system", code: "value")
        }
        let all = codings.vaccine + codings.code + (maker.map { [$0] } ?? [])
        guard !all.isEmpty else { return [] }
        var found = all.prefix(Bounds.problems).filter { $0.system.map(Self.isOfCDC) == true && !isKnown($0.code) }
        // By these codes `--record-type` judges a resource. Codes of other systems are looked for only there.
        let type = resource["resourceType"]
        let judged =
            type?.isString("Immunization") == true
            ? codings.vaccine
            : type?.isString("Observation") == true && FHIRResource(resource)?.type == .laboratory ? codings.code : []
        // One known code is enough. A list may have only a part of its code system.
        if !judged.contains(where: { isKnown($0.code) }) {
            found += judged.filter { $0.system.map(Self.isOfCDC) == false }
        }
        return found.compactMap { problem(with: $0) }
    }

    /// Whether a list in use has the code.
    private mutating func isKnown(_ code: Code) -> Bool {
        if let known = latest.first(where: { $0.code == code }) { return known.isKnown }
        let isKnown = names.isKnown(code)
        if latest.count == Self.remembered { latest.removeFirst() }
        latest.append((code, isKnown))
        return isKnown
    }

    /// - Returns: nil if nothing is known of the code's system.
    private mutating func problem(with coding: FoundCoding) -> Problem? {
        guard let system = coding.system else { return nil }
        let words =
            "the code \(coding.code.code.quoted(upTo: 40)) is in no known list of \(system.quoted(upTo: 80))"
        switch coverage(of: system) {
        case .none: return nil
        case .listed: return Problem(words + age(of: system), at: coding.value)
        case .extract:
            let date = names.newestDate(of: system).map { ", of \($0)" } ?? ""
            return Problem(
                "\(words); only a part of that code system is built in\(date), so the code may be right, or newer than the list",
                at: coding.value, severity: .unchecked,
                remedy: "Nothing has to be done. To have the code checked, install a list of its code system.")
        }
    }

    private mutating func coverage(of system: UTF8Text) -> Coverage {
        if let known = coverages[system] { return known }
        let coverage: Coverage =
            system == Code.cvx || names.hasOwnList(of: system)
            ? .listed : names.hasBuiltInList(of: system) ? .extract : .none
        coverages[system] = coverage
        return coverage
    }

    private mutating func age(of system: UTF8Text) -> String {
        if let known = ages[system] { return known }
        let age = Self.age(of: system, names)
        ages[system] = age
        return age
    }

    private struct FoundCoding {
        let value: JSONValue
        let code: Code
        /// The code system, in its canonical form.
        let system: UTF8Text?

        init?(_ value: JSONValue, system: String, code: String) {
            guard let member = value[code], let text = member.string, !text.isEmpty else { return nil }
            self.value = member
            self.code = Code(system: value[system]?.string, code: text)
            self.system = self.code.canonical.system
        }
    }

    /// The codings of an element that says what a resource is about.
    private static func codings(of resource: JSONValue, _ element: String) -> [FoundCoding] {
        guard let codings = resource[element]?["coding"]?.elements else { return [] }
        return codings.prefix(Bounds.problems).compactMap { FoundCoding($0, system: "system", code: "code") }
    }
}
