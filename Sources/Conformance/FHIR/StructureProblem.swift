import JSON

/// A departure that the walk of a Bundle found.
struct StructureProblem: Sendable {
    /// What it is about. There is a rule for each.
    enum Kind: Sendable, CaseIterable {
        /// `resourceType` is missing or unknown.
        case resourceType
        /// A member that the type does not have.
        case unknownElement
        /// A value of another kind than the type has in JSON.
        case jsonType
        /// An array where there is one value, or one value where there is an array.
        case cardinality
        /// A required element is missing.
        case missingElement
        /// A choice with more than one type.
        case choice
        /// A primitive that is not of its type's format.
        case format
        /// A code that is not of the list it is bound to.
        case code
        /// An empty string, array or object, or null.
        case empty
        /// A member of the form `_name` that extends no primitive, or in the wrong way.
        case primitiveExtension
        /// An extension with both a value and extensions, or with neither.
        case `extension`
        /// A resource contained in one that is contained itself.
        case contained
        /// A narrative's `div`.
        case narrative

        /// `Resource.id`.
        case resourceID
        /// `Resource.meta` with more than `security`.
        case resourceMeta
        /// `DomainResource.text`.
        case resourceText
        /// `CodeableConcept.text`.
        case conceptText
        /// `Coding.display`.
        case codingDisplay
        /// `Bundle.entry.fullUrl` that is missing or not short.
        case fullURL
        /// `Bundle.entry.fullUrl` that an earlier entry has as well.
        case repeatedFullURL
        /// `Reference.reference` that is not short.
        case longReference
        /// `Reference.reference` that leads to no entry.
        case openReference
    }

    let kind: Kind
    /// What was found, in plain words.
    let message: String
    /// The value it is about.
    let value: JSONValue
    /// The member of that value it is about, where it is missing.
    let member: String?
    /// Whether it is what FHIR says should not be, rather than shall not.
    let isAdvice: Bool

    var problem: Problem { Problem(message, at: value, member: member, severity: isAdvice ? .warning : nil) }
}
