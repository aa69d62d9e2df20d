extension Rule {
    /// The rules of HL7's Vaccination & Testing guide, which the profiles `shc-…-dm` and `shc-…-ad` consist of. If no profile was asked
    /// for, the contents of a card choose an `-ad` profile, and its errors are warnings: the guide does not bind issuers.
    static let guideRules: [Rule] = [
        guide(
            .fhirVersion, requirement: "A card of a profile of the guide is in FHIR R4: `fhirVersion` is 4.0.x.",
            remedy: "Issue the card in FHIR R4, or do not claim the profile."),
        guide(
            .prohibitedElement, requirement: "An element that the profile forbids (0..0) is not present.",
            remedy: "Remove the element. A verifier does not need it."),
        guide(
            .requiredElement, requirement: "An element that the profile requires (1..1 or 1..*) is present.",
            remedy: "Add the element."),
        guide(
            .repeatedElement, requirement: "An element that the profile allows once (0..1 or 1..1) does not repeat.",
            remedy: "Keep the value that a verifier needs, and remove the others."),
        guide(
            .fixedValue, requirement: "`Bundle.type` is collection, and `Immunization.status` is completed.",
            remedy: "Write that value. Do not issue a card for a vaccination that was not given."),
        guide(
            .choiceOfTypes,
            requirement:
                "A choice of types has a type that the profile allows: `occurrenceDateTime`; `effectiveDateTime` or "
                + "`effectivePeriod`; `valueCodeableConcept`, `valueQuantity` or `valueString`.",
            remedy: "Write the value with one of these types."),
        guide(
            .referenceType,
            requirement: "`patient` and `subject` refer to a Patient, and a performer is an Organization.",
            remedy: "Refer to a resource of that type. Of an organization, only its name in `display` is needed."),
        guide(
            .bundleEntries,
            requirement:
                "A Bundle has one Patient, at least one Immunization or Observation as the profile says, and no other resources.",
            remedy: "Issue other records on a card of their own."),
        guide(
            .vaccineCoding,
            requirement: "The codings of `vaccineCode` are from CVX, SNOMED CT or ICD-11, at most one from each.",
            remedy: "Keep one code of each of these code systems, and remove the others."),
        guide(
            .component,
            requirement:
                "An Observation has at most one component about the supervision of the specimen's collection. With data "
                + "minimization (`-dm`), it has no other components.",
            remedy: "Remove the other components. Issue results of their own as Observations of their own."),
        guide(
            .idShouldNotBePopulated, requirement: "A resource and an entry have no `id`.",
            remedy: "Remove `id`. References use the `fullUrl` of the entry."),
        guide(
            .vcNameInvariant, requirement: "A name of the Patient has either `family` and `given`, or `text`.",
            remedy: "Write family name and given names. If a name cannot be divided so, write it in `text` alone."),
        guide(
            .useOnlyIfRequiredByLaw, requirement: "A Patient has no `gender`, unless the law requires it.",
            remedy: "Remove `gender`. Name and date of birth are enough to compare the card with an identity document."),
        guide(.vcShouldBeOmitted, requirement: "A Bundle has no `id`.", remedy: "Remove `id` from the Bundle."),
        guide(
            .vcShouldBeOmittedPrivacy,
            requirement: "A Patient has no telephone number, mail address or place of residence.",
            remedy: "Remove the element, unless the card cannot be verified without it."),
        guide(
            .vcPolymorphicDateInvariant, requirement: "`occurrenceDateTime` is a day: YYYY-MM-DD.",
            remedy: "Write the day of the vaccination, without a time."),
        guide(
            .vcShallBeTrueIfPopulatedInvariant, requirement: "`isSubpotent` is true, or is left out.",
            remedy: "Remove `isSubpotent`."),
        guide(
            .vcShouldNotIncludeStringLot, requirement: "`lotNumber` does not contain the word lot.",
            remedy: "Write only the number, such as 0123L45A."),
        guide(
            .vcShouldBeUnder20Chars, requirement: "`lotNumber` and `valueString` have fewer than 20 characters.",
            remedy: "Shorten the text."),
        guide(
            .vcShouldBeUnder30Chars, requirement: "The name of a performer has fewer than 30 characters.",
            remedy: "Shorten the name."),
        guide(
            .vcShallBeResourceURI, requirement: "`fullUrl` of an entry has the form resource:0.",
            remedy: "Number the entries: resource:0, resource:1, and so on."),
        guide(
            .knownVaccineManufacturerCodeSystem,
            requirement: "The code system of a manufacturer is http://hl7.org/fhir/sid/mvx or https://www.gs1.org/gln.",
            remedy: "Use one of these, or remove the manufacturer: the vaccine's code usually implies it."),
        guide(
            .vcBundleLabStatusComplete, requirement: "The `status` of an Observation is final, or comes after that.",
            remedy: "Issue the card when the result is final."),
        guide(
            .completedObservationStatus, requirement: "The `status` of an Observation is final, amended or corrected.",
            remedy: "Issue the card when the result is final."),
        guide(
            .vcObservationQuantityShouldHaveRange,
            requirement: "A result that is a quantity has a `referenceRange`.",
            remedy: "Add the range, so that the number can be understood."),
        guide(
            .vcObservationRangeOnlyQuantityOrString,
            requirement: "An Observation has a `referenceRange` only if the result is a quantity or a text.",
            remedy: "Remove `referenceRange`."),
        guide(
            .identityAssuranceLevel,
            requirement:
                "`meta.security` is an identity assurance level: IAL1.2, IAL1.4, IAL2 or IAL3 of https://smarthealth.cards/ial.",
            remedy: "Write the level that applies, or remove `meta`."),
        guide(
            .immunizationAllCVX, requirement: "A code from CVX is in CDC's list.",
            remedy:
                "Use a code of CDC's list, with its leading zero. If the code is newer than the lists that are known here, update them."
        ),
        guide(
            .snomedVaccineCodes,
            requirement: "A code from SNOMED CT is the number of a concept, with a valid check digit.",
            remedy: "Use a concept below 787859002 (vaccine product)."),
        guide(
            .icd11Codes, requirement: "A code from ICD-11 has the form of such codes.",
            remedy: "Use a code of ICD-11 MMS, such as XM0GQ8."),
        guide(
            .labQualitativeTestCovid,
            requirement: "The `code` of a COVID-19 test is one of the guide's tests in LOINC.",
            remedy: "Use one of these codes, or the profile for infectious diseases, which takes any LOINC code."),
        guide(
            .labQualitativeResult,
            requirement: "The result of a COVID-19 test is one of the guide's findings in SNOMED CT.",
            remedy: "Use one of these codes, such as 260373001 (detected)."),
        guide(
            .observationCodes, requirement: "The `code` of a test is a LOINC code, with a valid check digit.",
            remedy: "Use a LOINC code."),
        guide(
            .labResultFindings,
            requirement: "The result of a test is a concept of SNOMED CT, with a valid check digit.",
            remedy: "Use a finding or a qualifier value of SNOMED CT."),
        guide(
            .specimenCollectionSupervisionStatus,
            requirement:
                "Supervision of the specimen's collection is 1208526009, 1208525008, 1208524007 or 1208523001 (SNOMED CT).",
            remedy: "Use one of these codes, or remove the component."),
    ]

    private static func guide(_ rule: GuideRule, requirement: String, remedy: String) -> Rule {
        Rule(
            "profile-error", rule.rawValue, .vaccinationProfile, severity: rule.severity, requirement: requirement,
            remedy: remedy,
            // The walk does not report the version of FHIR.
            check: .bundle(needing: rule == .fhirVersion ? .nothing : .guide) { $0.problems(with: rule) })
    }
}
