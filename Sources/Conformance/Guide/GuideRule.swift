/// The rules of the Vaccination & Testing guide. If the guide has a name for a rule, this is it.
enum GuideRule: String, CaseIterable, Sendable {
    // MARK: Cardinality, values and types

    case prohibitedElement = "prohibited-element"
    case requiredElement = "required-element"
    case repeatedElement = "repeated-element"
    case fixedValue = "fixed-value"
    case choiceOfTypes = "choice-of-types"
    case referenceType = "reference-type"
    case bundleEntries = "bundle-entries"
    case vaccineCoding = "vaccine-coding"
    case component = "component"
    case fhirVersion = "fhir-version"

    // MARK: Invariants

    case vcBundleLabStatusComplete = "vc-bundle-lab-status-complete"
    case vcNameInvariant = "vc-name-invariant"
    case vcPolymorphicDateInvariant = "vc-polymorphic-date-invariant"
    case vcShallBeTrueIfPopulatedInvariant = "vc-shall-be-true-if-populated-invariant"
    case vcShouldBeUnder30Chars = "vc-should-be-under-30-chars"
    case vcShouldBeUnder20Chars = "vc-should-be-under-20-chars"
    case vcShouldBeOmitted = "vc-should-be-omitted"
    case vcShouldBeOmittedPrivacy = "vc-should-be-omitted-privacy"
    case vcShallBeResourceURI = "vc-shall-be-resource-uri"
    case vcShouldNotIncludeStringLot = "vc-should-not-include-string-lot"
    case vcObservationQuantityShouldHaveRange = "vc-observation-quantity-should-have-range"
    case knownVaccineManufacturerCodeSystem = "shall-use-known-vaccine-manufacturer-code-system"
    case vcObservationRangeOnlyQuantityOrString = "vc-observation-range-only-quantity-or-string"
    case useOnlyIfRequiredByLaw = "use-only-if-required-by-law"
    case idShouldNotBePopulated = "id-should-not-be-populated"

    // MARK: Value sets

    case completedObservationStatus = "completed-observation-status"
    case identityAssuranceLevel = "identity-assurance-level"
    case immunizationAllCVX = "immunization-all-cvx"
    case snomedVaccineCodes = "SnomedVaccineCodes"
    case icd11Codes = "ICD11Codes"
    case labQualitativeResult = "lab-qualitative-result"
    case labQualitativeTestCovid = "lab-qualitative-test-covid"
    case labResultFindings = "lab-result-findings"
    case observationCodes = "observation-codes"
    case specimenCollectionSupervisionStatus = "specimen-collection-supervision-status"

    /// The severity in the guide.
    var severity: Severity {
        switch self {
        case .vcPolymorphicDateInvariant, .vcShouldBeUnder30Chars, .vcShouldBeUnder20Chars, .vcShouldBeOmitted,
            .vcShouldBeOmittedPrivacy, .vcShouldNotIncludeStringLot, .vcObservationQuantityShouldHaveRange,
            .vcObservationRangeOnlyQuantityOrString, .useOnlyIfRequiredByLaw, .idShouldNotBePopulated:
            .warning
        default: .error
        }
    }
}
