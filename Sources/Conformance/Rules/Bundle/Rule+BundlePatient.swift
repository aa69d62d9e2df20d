import JSON

extension Rule {
    /// Somebody is the patient.
    static let bundlePatient = Rule(
        "fhir-schema-error", "no-patient", .vaccinationProfile, severity: .warning,
        requirement: "The Bundle has a Patient, whose name and date of birth tell whose card it is.",
        remedy: "Add the Patient as an entry, and refer to it.",
        check: .bundle { subject in
            guard !subject.entries.isEmpty, !subject.entries.contains(where: { $0.isOf("Patient") }) else { return [] }
            return [Problem("no entry is a Patient: a verifier cannot tell whose card it is", at: subject.value)]
        })
}
