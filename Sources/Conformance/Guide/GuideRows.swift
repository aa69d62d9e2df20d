/// What the profiles of the Vaccination & Testing guide say, as rows. Each row is a constraint and the elements that it is for.
///
/// The rows follow the guide's own files: the allowable data profile (`-ad`) first, then what data minimization (`-dm`) adds. What
/// the guide only recommends to those who show cards (must support, short descriptions) is left out.
enum GuideRows {
    // MARK: Patient

    static let patientAD: [GuideRow] = [
        .required("name"), .each("name", .obeys(.vcNameInvariant)), .each("id", .obeys(.idShouldNotBePopulated)),
        .each("gender", .obeys(.useOnlyIfRequiredByLaw)), .single("gender"),
        .prohibited("photo contact address.text address.line"),
        .each(
            "telecom.value address.city address.district address.state address.postalCode",
            .obeys(.vcShouldBeOmittedPrivacy)),
    ]

    static let patientDM: [GuideRow] =
        patientAD + [
            .prohibited(
                """
                id meta implicitRules language text contained extension modifierExtension active name.id name.extension name.use telecom
                deceased[x] address maritalStatus multipleBirth[x] communication generalPractitioner managingOrganization link
                """),
            .single("name"),
        ]

    // MARK: Immunization

    static let immunizationAD: [GuideRow] = [
        .each("id", .obeys(.idShouldNotBePopulated)), .each("patient", .refersTo("Patient")),
        .required("patient.reference"), .prohibited("patient.type patient.identifier patient.display"),
        .single("meta.security"), .each("meta.security", .isFrom(.identityAssuranceLevel)),
        .types("occurrence[x]", "occurrenceDateTime"), .each("occurrenceDateTime", .obeys(.vcPolymorphicDateInvariant)),
        .required("vaccineCode vaccineCode.coding"), .each("vaccineCode", .hasVaccineCodings),
        .required("manufacturer.identifier.system manufacturer.identifier.value"),
        .each("manufacturer.identifier.system", .obeys(.knownVaccineManufacturerCodeSystem)),
        .each("lotNumber", .obeys(.vcShouldBeUnder20Chars)), .each("lotNumber", .obeys(.vcShouldNotIncludeStringLot)),
        .prohibited("protocolApplied statusReason"), .single("performer"),
        .each("performer.actor", .refersTo("Organization")), .required("performer.actor.display"),
        .each("performer.actor.display", .obeys(.vcShouldBeUnder30Chars)), .each("status", .equals("completed")),
        .each("isSubpotent", .obeys(.vcShallBeTrueIfPopulatedInvariant)),
    ]

    static let immunizationDM: [GuideRow] =
        immunizationAD + [
            .prohibited(
                """
                id meta.versionId meta.lastUpdated meta.source meta.profile meta.tag meta.id meta.extension identifier implicitRules language
                text contained extension modifierExtension encounter recorded primarySource reportOrigin location manufacturer expirationDate
                site route doseQuantity performer.function performer.id performer.extension performer.modifierExtension
                performer.actor.id performer.actor.extension performer.actor.reference performer.actor.type performer.actor.identifier
                note reasonCode reasonReference subpotentReason education fundingSource reaction programEligibility vaccineCode.id
                vaccineCode.extension vaccineCode.text vaccineCode.coding.id vaccineCode.coding.extension vaccineCode.coding.version
                vaccineCode.coding.display vaccineCode.coding.userSelected
                """)
        ]

    // MARK: Observation

    private static let observationAD: [GuideRow] = [
        .each("status", .isFrom(.completedObservationStatus)), .each("status", .obeys(.vcBundleLabStatusComplete)),
        .required("subject subject.reference"), .each("subject", .refersTo("Patient")),
        .prohibited("subject.type subject.identifier subject.display"), .required("effective[x]"),
        .types("effective[x]", "effectiveDateTime effectivePeriod"), .required("value[x]"),
        .types("value[x]", "valueCodeableConcept valueQuantity valueString"),
        .each("valueQuantity", .obeys(.vcObservationQuantityShouldHaveRange)),
        .each("valueString", .obeys(.vcShouldBeUnder20Chars)),
        .each("referenceRange", .obeys(.vcObservationRangeOnlyQuantityOrString)), .single("performer"),
        .each("performer", .refersTo("Organization")), .required("performer.display"),
        .each("performer.display", .obeys(.vcShouldBeUnder30Chars)), .each("id", .obeys(.idShouldNotBePopulated)),
        .single("meta.security"), .each("meta.security", .isFrom(.identityAssuranceLevel)),
    ]

    static let covid19LaboratoryAD: [GuideRow] =
        observationAD + [
            .each("code", .isFrom(.labQualitativeTestCovid)),
            .each("valueCodeableConcept", .isFrom(.labQualitativeResult)),
        ]

    static let infectiousDiseaseLaboratoryAD: [GuideRow] =
        observationAD + [
            .each("code", .isFrom(.observationCodes)), .each("valueCodeableConcept", .isFrom(.labResultFindings)),
        ]

    static let observationDM: [GuideRow] = [
        .required("code.coding code.coding.system code.coding.code"), .single("code.coding"),
        .required("valueCodeableConcept.coding valueCodeableConcept.coding.system valueCodeableConcept.coding.code"),
        .single("valueCodeableConcept.coding"),
        .prohibited(
            """
            code.id code.extension code.text code.coding.id code.coding.extension code.coding.version code.coding.display
            code.coding.userSelected id identifier meta.versionId meta.lastUpdated meta.source meta.profile meta.tag meta.id meta.extension
            implicitRules language text contained extension modifierExtension basedOn partOf category subject.id subject.extension
            encounter focus issued dataAbsentReason interpretation note bodySite method specimen device hasMember derivedFrom
            performer.id performer.extension performer.reference performer.type performer.identifier valueCodeableConcept.id
            valueCodeableConcept.extension valueCodeableConcept.text valueCodeableConcept.coding.id
            valueCodeableConcept.coding.extension valueCodeableConcept.coding.version valueCodeableConcept.coding.display
            valueCodeableConcept.coding.userSelected referenceRange.id referenceRange.extension referenceRange.modifierExtension
            referenceRange.appliesTo referenceRange.age referenceRange.type.id referenceRange.type.extension referenceRange.type.text
            valueQuantity.id valueString.id component.id component.extension component.modifierExtension component.dataAbsentReason
            component.interpretation component.referenceRange
            """),
        .single("component"),
    ]

    /// The component that says whether somebody supervised the collection of the specimen.
    static let supervisionAD: [GuideRow] = [
        .required("code.coding code.coding.system code.coding.code"), .single("code.coding"),
        .types("value[x]", "valueCodeableConcept"), .required("valueCodeableConcept"),
        .each("valueCodeableConcept", .isFrom(.specimenCollectionSupervisionStatus)),
        .prohibited("valueCodeableConcept.extension"), .required("valueCodeableConcept.coding"),
        .single("valueCodeableConcept.coding"),
        .required("valueCodeableConcept.coding.system valueCodeableConcept.coding.code"),
    ]

    static let supervisionDM: [GuideRow] =
        supervisionAD + [
            .prohibited(
                """
                code.id code.extension code.coding.id code.coding.extension code.coding.display code.coding.version code.coding.userSelected
                code.text valueCodeableConcept.id valueCodeableConcept.coding.id valueCodeableConcept.coding.extension
                valueCodeableConcept.coding.display valueCodeableConcept.coding.version valueCodeableConcept.coding.userSelected
                valueCodeableConcept.text
                """)
        ]

    // MARK: Bundle

    static let bundleAD: [GuideRow] = [
        .each("id", .obeys(.vcShouldBeOmitted)), .each("type", .equals("collection")),
        .required("entry.fullUrl entry.resource"), .each("entry.fullUrl", .obeys(.vcShallBeResourceURI)),
        .each("entry.id", .obeys(.idShouldNotBePopulated)),
    ]

    static let bundleDM: [GuideRow] =
        bundleAD + [
            .prohibited(
                """
                id identifier meta timestamp implicitRules language total link signature entry.id entry.extension
                entry.modifierExtension entry.link entry.search entry.request entry.response
                """)
        ]
}
