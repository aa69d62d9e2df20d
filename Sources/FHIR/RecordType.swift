/// The clinical type of a record, as HealthKit tells them apart.
public enum RecordType: String, Sendable, Hashable, CaseIterable {
    case allergy, condition, coverage, immunization, laboratory, medication, procedure
    case vitalSign = "vital-sign"
}
