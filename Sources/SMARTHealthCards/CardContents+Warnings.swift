public import FHIR

extension CardContents {
    /// What a reader of the records should know, beside the warnings of the verdict: records that name nobody.
    public var warnings: [CardWarning] {
        let unattributed = records.filter { $0.subjectIndex == nil }
        guard let first = unattributed.first else { return [] }
        let which =
            records.count == 1
            ? "the record names" : "\(unattributed.count) of \(records.count) records name"
        return [
            CardWarning(
                .recordWithoutSubject,
                "\(which) no Patient of the Bundle, so nothing says whose \(unattributed.count == 1 ? "it is" : "they are")",
                path: "vc.credentialSubject.fhirBundle.entry[\(first.entryIndex)].resource")
        ]
    }
}
