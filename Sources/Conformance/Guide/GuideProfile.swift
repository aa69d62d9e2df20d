import Encodings

/// A profile of the Vaccination & Testing guide for a Bundle: what it says of the Bundle, of its Patient and of its records.
struct GuideProfile: Sendable {
    let name: LintPolicy.Profile
    let bundle: GuideNode
    let patient: GuideNode
    /// The type of the records: Immunization or Observation.
    let recordType: UTF8Text
    let record: GuideNode

    /// The guide's profile of this name; nil if the name is that of another profile.
    static func named(_ name: LintPolicy.Profile) -> GuideProfile? { all.first { $0.name == name } }

    /// All profiles of the guide.
    static let all: [GuideProfile] = {
        let supervision = { (rows: [GuideRow], isClosed: Bool) in
            GuideElement.Slice(
                system: GuideCodes.snomed, code: "1208522006",
                node: GuideNode(GuideElement("Observation.component", rows)), isClosed: isClosed)
        }
        let allowed = supervision(GuideRows.supervisionAD, false)
        let minimal = supervision(GuideRows.supervisionDM, true)
        let (bundleAD, bundleDM) = (
            GuideNode(GuideElement("Bundle", GuideRows.bundleAD)), GuideNode(GuideElement("Bundle", GuideRows.bundleDM))
        )
        let (patientAD, patientDM) = (
            GuideNode(GuideElement("Patient", GuideRows.patientAD)),
            GuideNode(GuideElement("Patient", GuideRows.patientDM))
        )
        let laboratory = { (rows: [GuideRow], slice: GuideElement.Slice) in
            GuideNode(GuideElement("Observation", rows).with(components: slice))
        }
        return [
            GuideProfile(
                name: .vaccinationDM, bundle: bundleDM, patient: patientDM, recordType: "Immunization",
                record: GuideNode(GuideElement("Immunization", GuideRows.immunizationDM))),
            GuideProfile(
                name: .vaccinationAD, bundle: bundleAD, patient: patientAD, recordType: "Immunization",
                record: GuideNode(GuideElement("Immunization", GuideRows.immunizationAD))),
            GuideProfile(
                name: .covid19LaboratoryDM, bundle: bundleDM, patient: patientDM, recordType: "Observation",
                record: laboratory(GuideRows.covid19LaboratoryAD + GuideRows.observationDM, minimal)),
            GuideProfile(
                name: .covid19LaboratoryAD, bundle: bundleAD, patient: patientAD, recordType: "Observation",
                record: laboratory(GuideRows.covid19LaboratoryAD, allowed)),
            GuideProfile(
                name: .infectiousDiseaseLaboratoryDM, bundle: bundleDM, patient: patientDM, recordType: "Observation",
                record: laboratory(GuideRows.infectiousDiseaseLaboratoryAD + GuideRows.observationDM, minimal)),
            GuideProfile(
                name: .infectiousDiseaseLaboratoryAD, bundle: bundleAD, patient: patientAD, recordType: "Observation",
                record: laboratory(GuideRows.infectiousDiseaseLaboratoryAD, allowed)),
        ]
    }()

    /// The profiles that the contents of a Bundle choose, if none was asked for: allowable data (`-ad`) for vaccinations, for COVID-19
    /// tests, and for other tests with a result that is a finding. None if the Bundle has resources of other types, so that it is
    /// not of the guide's kind.
    static func chosen(for entries: [BundleSubject.Entry]) -> [GuideProfile] {
        var names: [LintPolicy.Profile] = []
        for entry in entries {
            guard let resource = entry.resource, !entry.isOf("Patient") else { continue }
            guard entry.isOf("Immunization") || entry.isOf("Observation") else { return [] }
            let name = entry.isOf("Immunization") ? .vaccinationAD : chosen(for: resource)
            if let name, !names.contains(name) { names.append(name) }
        }
        return names.compactMap(named)
    }

    /// The profile for an Observation, if none was asked for; nil if it is no test of the guide's kind.
    static func chosen(for observation: JSONValue) -> LintPolicy.Profile? {
        if GuideCodes.holds(.labQualitativeTestCovid, observation["code"]) { return .covid19LaboratoryAD }
        let isOfTest =
            GuideCodes.holds(.observationCodes, observation["code"])
            && GuideCodes.holds(.labQualitativeResult, observation["valueCodeableConcept"])
        return isOfTest ? .infectiousDiseaseLaboratoryAD : nil
    }
}
