/// An element of a type: what may stand in a member of that name.
struct FHIRElement: Sendable {
    /// What its values are.
    enum Kind: Sendable {
        /// A primitive; `isAttribute` where it can have no extensions.
        case primitive(Primitive, isAttribute: Bool)
        /// A type of this name, or a code of the list of this name.
        case named(String)
        /// Any resource.
        case resource
    }

    /// What the definition calls it: `status`, `occurrence[x]`.
    let name: String
    let kind: Kind
    /// Whether its values stand in an array.
    let repeats: Bool
    /// Which of the type's marks says that it is there; nil if it may be missing.
    let mark: Int?
}
