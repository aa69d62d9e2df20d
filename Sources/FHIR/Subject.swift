public import JSON

/// A person on the card (FHIR `Patient`).
public struct Subject: Sendable, Hashable {
    /// The name, as the card gives it.
    public let name: UTF8Text?
    /// The date of birth, as precise as given.
    public let birthDate: UTF8Text?
    /// How well the issuer knew the person, `IAL1.2`: as the Patient says, else the Bundle, else this person's records,
    /// where those that say it agree.
    public internal(set) var identityAssurance: UTF8Text?
    /// The index of the Patient's entry in the Bundle.
    public let entryIndex: Int
}
