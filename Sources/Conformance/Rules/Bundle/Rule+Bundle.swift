extension Rule {
    /// The rules of the FHIR Bundle: its structure, what cards leave out, and the Vaccination & Testing guide.
    static let bundleRules: [Rule] = structureRules + smallnessRules + vaccinationRules

    /// FHIR R4's structure.
    private static let structureRules: [Rule] = [
        bundleResourceType, bundleEntries, entryResource, bundlePatient, resourceType, unknownElement, jsonType,
        cardinality, missingElement, choice, primitiveFormat, requiredCode, emptyValue, primitiveExtension,
        extensionValue, containedResource, narrativeContent,
    ]

    /// What keeps cards small.
    private static let smallnessRules: [Rule] = [
        resourceID, resourceMeta, resourceText, conceptText, codingDisplay, fullURL, repeatedFullURL, longReference,
        openReference,
    ]

    /// The Vaccination & Testing guide: warnings where the Bundle is such a card, errors where its profile is asked for.
    private static let vaccinationRules: [Rule] = [
        bundleElements, patientElements, patientName, immunizationElements, immunizationStatus, subpotent,
        occurrenceDate, lotNumber, observationElements, observationStatus, observationContent, performerDisplay,
        profileBundle, profileResources, profileVaccineCode,
    ]
}
