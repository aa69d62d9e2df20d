public import JSON

/// What was found: a value with its unit, or a concept, and what the issuer says about it.
public struct RecordResult: Sendable, Hashable {
    /// What was measured, where an observation has several parts (systolic, diastolic); nil for the observation's own
    /// result.
    public let label: CodedText?
    /// The value in words and digits, digits as signed: `6.30 mg/dL`. Nil where the value is a concept.
    public let value: UTF8Text?
    /// The value, where it is a concept.
    public let coded: CodedText?
    /// `high`, `normal`, …, as concepts.
    public let interpretation: [CodedText]
    /// What is usual, `3.5 to 5.0 mmol/L`; several ranges are separated by `; `.
    public let referenceRange: UTF8Text?
    /// Why there is no value.
    public let absentReason: CodedText?

    /// The result in one line, without interpretation: the value, else the concept's words, else its code.
    public var text: UTF8Text? { value ?? coded?.text }
}
