import CData
import Credentials
import Encodings
import FHIR
import SMARTHealthCards

/// What rows cannot say of HL7's Vaccination & Testing guide (Sources/CData/data/profile-guide.txt has the rest).
enum VaccinationGuide {
    static let code = ProfileCode(
        checks: [
            "fhir-version": .bundle { subject in
                guard !BundleWalk.isR4(subject.fhirVersion),
                    subject.policy.profiles.contains(where: ProfileFile.guide.names.contains)
                else { return [] }
                return [Problem("the card is not in FHIR R4, which the profiles are for", at: subject.value)]
            }
        ],
        judges: [
            "name-parts": ProfileJudge { name, _ in
                let hasParts = name.has("family") && name.has("given")
                guard name.kind == .object, hasParts == name.has("text") else { return [] }
                let words =
                    hasParts
                    ? "` has `text` beside `family` and `given`" : "` needs `family` and `given`, or else `text`"
                return [.init(words: words, value: name)]
            },
            "vaccine-codings": ProfileJudge { concept, _ in violations(ofCodings: concept) },
            "cvx-coding": ProfileJudge(violations: violations(ofCVX:_:)),
            "supervision-once": ProfileJudge { observation, _ in violations(ofComponents: observation, isAlone: false)
            },
            "supervision-alone": ProfileJudge { observation, _ in violations(ofComponents: observation, isAlone: true)
            },
        ])

    /// The code systems of vaccines, with their names in messages.
    private static let systems: [(system: String, name: String)] = [
        ("http://hl7.org/fhir/sid/cvx", "CVX"), ("http://snomed.info/sct", "SNOMED CT"),
        ("http://id.who.int/icd/release/11/mms", "ICD-11"),
    ]

    /// Each coding is of one of three code systems, and each code system has one coding at most.
    private static func violations(ofCodings concept: JSONValue) -> [ProfileJudge.Violation] {
        guard let codings = concept["coding"]?.elements else { return [] }
        var found: [ProfileJudge.Violation] = []
        var seen = 0
        for coding in codings where coding.kind == .object {
            let system = coding["system"]
            guard let index = systems.firstIndex(where: { system?.isString($0.system) == true }) else {
                found.append(
                    .init(words: ".coding` has a code that is not from CVX, SNOMED CT or ICD-11", value: coding))
                continue
            }
            if seen & 1 << index != 0 {
                found.append(.init(words: ".coding` has several codes from \(systems[index].name)", value: coding))
            }
            seen |= 1 << index
        }
        return found
    }

    private static func violations(
        ofCVX concept: JSONValue, _ context: ProfileWalk.Context
    ) -> [ProfileJudge.Violation] {
        guard let codings = concept["coding"]?.elements else { return [] }
        var found: [ProfileJudge.Violation] = []
        for coding in codings where coding["system"]?.isString(systems[0].system) == true {
            switch membership(of: coding, context.names) {
            case .member: continue
            case .other: found.append(.init(words: ".coding` has a code that is not a code of CVX", value: coding))
            // Another rule says so of all cards.
            case .unknown where !context.isAskedFor: continue
            case .unknown:
                let code = coding["code"]?.string?.quoted(upTo: 40) ?? ""
                let words =
                    ".coding` has the code \(code), of which it cannot be told whether it is a code of CVX: it is in no list that is known "
                    + "here\(KnownCodes.age(of: Code.cvx, context.names))"
                found.append(.init(words: words, value: coding, isOpen: true))
            }
        }
        return found
    }

    /// At most one component is about the supervision of the specimen's collection. With `isAlone`, there are no others.
    private static func violations(ofComponents observation: JSONValue, isAlone: Bool) -> [ProfileJudge.Violation] {
        var count = 0
        return observation.list("component").compactMap { component in
            guard supervision.holds(component["code"]) else {
                return isAlone
                    ? .init(
                        words: ".component` has a component with another code than 1208522006 (SNOMED CT)",
                        value: component) : nil
            }
            count += 1
            return count == 2
                ? .init(words: ".component` has several components with the code 1208522006", value: component) : nil
        }
    }

    private static let supervision = CodeSet(parts: [.init(system: "http://snomed.info/sct", codes: ["1208522006"])])

    // MARK: Codes of CVX

    /// Whether a coding of a vaccine has a code of CVX.
    enum Membership {
        case member, other
        /// No list that is known here has the code, and the code may be newer than all of them.
        case unknown
    }

    /// Whether a coding of CVX has a code of it. Codes are judged by all lists in use, since the guide's value set is what CDC's list was on
    /// one day.
    static func membership(of coding: JSONValue, _ names: CodeNames) -> Membership {
        guard let text = coding["code"]?.string, !text.isEmpty else { return .other }
        let code = Code(system: Code.cvx, code: text)
        // The guide's copy lacks the codes that begin with 0. It is one list, so it is asked first.
        let canonical = code.canonical
        guard CodeForms.isListed(canonical.code, in: "immunization-all-cvx") || names.isKnown(code) else {
            // CDC gives numbers alone.
            return text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? .unknown : .other
        }
        return canonical == code ? .member : .other
    }
}

/// The profiles of the guide that the contents of a Bundle choose, if none was asked for: allowable data (`-ad`) for vaccinations, for
/// COVID-19 tests, and for other tests with a result that is a finding.
struct GuideChoice {
    private(set) var compared: [Profile] = []
    var profiles: [LintPolicy.Profile] { compared.compactMap(\.name) }
    /// The profile for each entry; nil for a Patient, and for a test that is not of the guide's kind.
    private(set) var ofEntries: [LintPolicy.Profile?] = []

    /// The profiles that may be chosen, of which only errors are found, and not what other rules find in any card.
    private static let all = [LintPolicy.Profile.vaccinationAD, .covid19LaboratoryAD, .infectiousDiseaseLaboratoryAD]
        .map(ProfileFile.guide.chosen)

    /// - Returns: nil if the Bundle has resources of other types, so that it is not of the guide's kind.
    init?(for entries: [BundleSubject.Entry]) {
        ofEntries.reserveCapacity(entries.count)
        for entry in entries {
            var profile: LintPolicy.Profile?
            if let resource = entry.resource, !entry.isOf("Patient") {
                guard entry.isOf("Immunization") || entry.isOf("Observation") else { return nil }
                profile = entry.isOf("Immunization") ? .vaccinationAD : Self.profile(for: resource)
            }
            ofEntries.append(profile)
            if let profile, !compared.contains(where: { $0.name == profile }) {
                compared += Self.all.filter { $0.name == profile }
            }
        }
    }

    /// The profile for an Observation; nil if it is no test of the guide's kind.
    private static func profile(for observation: JSONValue) -> LintPolicy.Profile? {
        if covid19Tests.holds(observation["code"]) { return .covid19LaboratoryAD }
        let isOfTest = tests.holds(observation["code"]) && results.holds(observation["valueCodeableConcept"])
        return isOfTest ? .infectiousDiseaseLaboratoryAD : nil
    }

    private static func set(_ system: UTF8Text, _ form: @escaping CodeForm) -> CodeSet {
        CodeSet(parts: [.init(system: system, form: form)])
    }

    private static let covid19Tests = set("http://loinc.org") {
        CodeForms.isListed($0, in: "lab-qualitative-test-covid")
    }
    private static let tests = set("http://loinc.org", CodeForms.isLOINC)
    private static let results = set("http://snomed.info/sct") {
        CodeForms.isListed($0, in: "lab-qualitative-result")
    }
}
