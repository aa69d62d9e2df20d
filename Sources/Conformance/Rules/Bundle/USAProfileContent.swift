import Credentials
import FHIR
import SMARTHealthCards
import StrictJSON

extension Rule {
    static let patientName = Rule(
        "profile-error", "patient-name", .vaccinationProfile,
        requirement: "A Patient has one name, with a family name, given names or text.",
        remedy: "Write the name as in the patient's identity document.",
        check: .each(\.patients) { patient, profile in
            guard let names = patient["name"]?.elements, names.count > 0 else {
                return .found("the Patient has no `name`", at: patient, member: "name")
            }
            if names.count > 1 {
                return .found("the Patient has \(names.count) names, not one", at: patient["name"], severity: .warning)
            }
            return names.filter { $0["family"] == nil && $0["given"] == nil && $0["text"] == nil }.map {
                Problem("the name of the Patient has neither `family` nor `given` nor `text`", at: $0)
            }
        })

    // MARK: Vaccinations

    static let immunizationStatus = Rule(
        "profile-error", "immunization-status", .vaccinationProfile,
        requirement: "The `status` of an Immunization is completed.",
        remedy: "Do not issue a card for a vaccination that was not given or was recorded in error.",
        check: .each(\.immunizations) { immunization, profile in
            guard let status = immunization["status"], !status.isString("completed") else { return [] }
            return .found("the `status` of the Immunization is \(status.shown), not \"completed\"", at: status)
        })

    static let subpotent = Rule(
        "profile-error", "is-subpotent", .vaccinationProfile,
        requirement: "`isSubpotent` of an Immunization is true if the dose was too weak, and is left out otherwise.",
        remedy: "Remove `isSubpotent`.",
        check: .each(\.immunizations) { immunization, profile in
            guard let isSubpotent = immunization["isSubpotent"], isSubpotent.boolean == false else { return [] }
            return .found(
                "`isSubpotent` of the Immunization is false; health cards leave it out if it is", at: isSubpotent)
        })

    static let occurrenceDate = Rule(
        "profile-error", "occurrence-date", .vaccinationProfile,
        requirement: "An Immunization has `occurrenceDateTime`. It should be a day without a time: YYYY-MM-DD.",
        remedy: "Write the day of the vaccination in `occurrenceDateTime`.",
        check: .each(\.immunizations) { immunization, profile in
            if immunization["occurrenceDateTime"] == nil, let text = immunization["occurrenceString"] {
                return .found(
                    "the Immunization has `occurrenceString`, which is text, instead of `occurrenceDateTime`", at: text)
            }
            guard let date = immunization["occurrenceDateTime"], let text = date.stringBytes, !text.isEmpty,
                text.count != 10
            else { return [] }
            return .found(
                "`occurrenceDateTime` of the Immunization is \(date.shown), not a day YYYY-MM-DD", at: date,
                severity: .warning)
        })

    static let lotNumber = Rule(
        "profile-error", "lot-number", .vaccinationProfile, severity: .warning,
        requirement: "`lotNumber` of an Immunization has fewer than 20 characters, and does not contain the word lot.",
        remedy: "Write only the number, such as 0123L45A.",
        check: .each(\.immunizations) { immunization, profile in
            guard let lot = immunization["lotNumber"], let text = lot.stringBytes else { return [] }
            if text.count >= 20, text.count(where: { $0 & 0xC0 != 0x80 }) >= 20 {
                return .found("`lotNumber` of the Immunization is longer than 19 characters: \(lot.shown)", at: lot)
            }
            return GuideInvariant.saysLot(text)
                ? .found("`lotNumber` of the Immunization contains the word lot: \(lot.shown)", at: lot) : []
        })

    // MARK: Test results

    static let observationStatus = Rule(
        "profile-error", "observation-status", .vaccinationProfile,
        requirement: "The `status` of an Observation is final, amended or corrected.",
        remedy: "Issue the card when the result is final.",
        check: .each(\.observations) { observation, profile in
            guard let status = observation["status"],
                !["final", "amended", "corrected"].contains(where: { status.isString($0) })
            else { return [] }
            return .found(
                "the `status` of the Observation is \(status.shown), not final, amended or corrected", at: status)
        })

    static let observationContent = Rule(
        "profile-error", "observation-content", .vaccinationProfile,
        requirement: "An Observation has `subject`, `effectiveDateTime` or `effectivePeriod`, and a value that is a "
            + "concept, a quantity or a string.",
        remedy: "Add the element. Without it, the card does not prove the result.",
        check: .each(\.observations) { observation, profile in
            // One of the elements in a row is enough. The first is the usual one.
            let required = [
                ["subject"], ["effectiveDateTime", "effectivePeriod"],
                ["valueCodeableConcept", "valueQuantity", "valueString"],
            ]
            return required.filter { names in names.allSatisfy { observation[$0] == nil } }.map { names in
                Problem("the Observation has no `\(names[0])`", at: observation, member: names[0])
            }
        })

    // MARK: Performers

    static let performerDisplay = Rule(
        "profile-error", "performer", .vaccinationProfile,
        requirement:
            "An Immunization or Observation has at most one performer. Its `display` is the organization's name.",
        remedy: "Write the name of the organization in `display` of the Reference.",
        check: .usaProfile { profile, subject in
            profile.immunizations.problems { problems(withPerformersOf: $0, "Immunization") { $0["actor"] } }
                + profile.observations.problems { problems(withPerformersOf: $0, "Observation") { $0 } }
        })

    private static func problems(
        withPerformersOf resource: JSONValue, _ type: String, _ reference: (JSONValue) -> JSONValue?
    ) -> [Problem] {
        let performers = resource.list("performer")
        if performers.count > 1 {
            return .found("the \(type) has \(performers.count) performers, more than one", at: resource["performer"])
        }
        return performers.compactMap { reference($0) }.filter { $0["display"] == nil && $0.members?.count ?? 0 > 0 }
            .map { Problem("the performer of the \(type) has no `display`", at: $0, member: "display") }
    }

    // MARK: The profile usa-covid19-immunization

    static let profileBundle = Rule(
        "profile-error", "bundle-type", .vaccinationProfile,
        requirement: "In the profile usa-covid19-immunization, the `type` of the Bundle is collection.",
        remedy: "Write collection in `type` of the Bundle.",
        check: .usaProfile { profile, subject in
            guard let type = subject.value["type"], !type.isString("collection") else { return [] }
            return .found("the `type` of the Bundle is \(type.shown), not \"collection\"", at: type)
        })

    static let profileResources = Rule(
        "profile-error", "resources", .vaccinationProfile,
        requirement:
            "In the profile usa-covid19-immunization, a Bundle has one Patient, at least one Immunization and no "
            + "other resources.",
        remedy: "Issue other records on a card of their own.",
        check: .usaProfile { profile, subject in
            var problems: [Problem] = []
            if profile.patients.count != 1 {
                problems.add(
                    "the number of Patients in the Bundle is \(profile.patients.count), not 1", at: subject.value)
            }
            if profile.immunizations.isEmpty { problems.add("the Bundle has no Immunization", at: subject.value) }
            return problems
                + subject.entries.filter { !$0.isOf("Patient") && !$0.isOf("Immunization") }
                .prefix(Bounds.problems).compactMap { entry in
                    entry.resource.map {
                        Problem("a resource of the Bundle is neither a Patient nor an Immunization", at: $0)
                    }
                }
        })

    static let profileVaccineCode = Rule(
        "profile-error", "vaccine-code", .vaccinationProfile,
        requirement:
            "In the profile usa-covid19-immunization, `vaccineCode` of an Immunization is a CVX code of the CDC "
            + "for a COVID-19 vaccine.",
        remedy: "Use a code of http://hl7.org/fhir/sid/cvx. Issue other vaccinations on a card of their own.",
        check: .usaProfile { profile, subject in
            profile.immunizations.problems { immunization in
                guard let concept = immunization["vaccineCode"] else { return [] }
                let codings = concept.list("coding")
                guard codings.contains(where: { $0["system"]?.isString("http://hl7.org/fhir/sid/cvx") == true }) else {
                    let isOtherName = codings.contains {
                        Code(system: $0["system"]?.string, code: "").canonical.system == Code.cvx
                    }
                    let words = isOtherName ? "names CVX by its OID, and not by its URL" : "has no CVX code"
                    return .found("`vaccineCode` of the Immunization \(words)", at: concept)
                }
                let names = subject.policy.codeNames
                switch USAProfile.isAgainstCOVID19(codings, names) {
                case true?: return []
                case false?:
                    return .found(
                        "`vaccineCode` of the Immunization is not a COVID-19 vaccine in the CDC's list", at: concept)
                case nil:
                    return .found(
                        "it cannot be told whether `vaccineCode` of the Immunization is a COVID-19 vaccine: no list that is known here "
                            + "tells what its codes are\(KnownCodes.age(of: Code.cvx, names))", at: concept,
                        severity: .unchecked)
                }
            }
        })
}
