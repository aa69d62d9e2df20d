import JSON

/// Where the resources of one type keep what a record shows: the names of elements, best first.
///
/// One row serves R4 and DSTU2. Where the releases differ they use other names, so the row lists both and the one that
/// is there is read; no name means two things. That also reads a card whose `fhirVersion` is unknown or wrong.
struct ResourceShape: Sendable {
    /// The resource type.
    let resourceType: UTF8Text
    /// The clinical type of its records, before the category has its say.
    let type: RecordType?
    /// Concepts that say what the record is of.
    var code = ["code"]
    /// A reference to the resource that has the code.
    var codeReference: String?
    /// Words that say what the record is of, where no concept has any.
    var title: [String] = []
    /// Dates, times and periods: when it happened, or applies; not when it was written down, where that differs and a
    /// visitor's admission could hang on it.
    let date: [String]
    /// Codes or concepts.
    var status = ["status"]
    /// References, or objects with an `actor` or `agent` that is one.
    var performer = ["performer"]
    /// Booleans that turn the record into its opposite.
    var negations: [String] = []
}
