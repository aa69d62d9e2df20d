public import JSON

/// One thing that the card records: an immunization, a test, a problem, a medicine.
///
/// All text is the card's, as a stranger wrote it: a report escapes and shortens it. What is missing, empty or of a
/// wrong type is nil.
public struct Record: Sendable, Hashable {
    /// The FHIR resource type.
    public let resourceType: UTF8Text
    /// The clinical type; nil for a resource that has none.
    public let type: RecordType?
    /// What it is: words, where they come from, and codes.
    public let concept: CodedText
    /// When it happened, as given and as precise; words, where the card has no date.
    public let date: UTF8Text?
    /// Whether a date of the record is not known because it could not be read, or is given in words.
    public let hasUnreadableDate: Bool
    /// The status as a code. Where it is not `completed`, `final` or `active`, the record means something else.
    public let status: UTF8Text?
    /// `confirmed`, `refuted`, … of a condition or an allergy.
    public let verificationStatus: UTF8Text?
    /// Whether the record says that this was not done, not given or not taken (DSTU2 says so beside a status of
    /// `completed`).
    public let isNotDone: Bool
    /// Whether the vaccination may not have worked (R4 `isSubpotent`).
    public let isSubpotent: Bool?
    /// Who did or stated it.
    public let performer: UTF8Text?
    /// Lot of the vaccine.
    public let lotNumber: UTF8Text?
    /// Who made the vaccine: the code list's name for `manufacturerCode`, else the card's words.
    public let manufacturer: UTF8Text?
    /// Who made the vaccine, as a code.
    public let manufacturerCode: Code?
    /// The number of the dose in its series, where the card says it. (The profile of the framework forbids it.)
    public let doseNumber: UTF8Text?
    /// What was found: the resource's own result, then those of its components.
    public let results: [RecordResult]
    /// How well the issuer knew the person, where the record says it.
    public let identityAssurance: UTF8Text?
    /// The index, among the card's subjects, of the Patient that it is about; nil if it names none of them.
    public let subjectIndex: Int?
    /// The index of the resource's entry in the Bundle.
    public let entryIndex: Int
    /// Which of several vaccinations of one kind this is; nil if there is but one, it was not done, or has no date.
    public internal(set) var orderOnCard: OrderOnCard?

    /// What a person reads; nil if only codes are known.
    public var display: UTF8Text? { concept.display }
    /// Where `display` comes from.
    public var displaySource: DisplaySource? { concept.displaySource }
    /// The codes, in the order of the card.
    public var codes: [Code] { concept.codes }
    /// The resource's own result, not that of a component.
    public var result: RecordResult? { results.first { $0.label == nil } }
    /// The date as an interval of time; nil if it is no date.
    public var fhirDate: FHIRDate? { date.flatMap { FHIRDate($0) } }
}
