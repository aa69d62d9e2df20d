/// Where the words for a code come from.
public enum DisplaySource: String, Sendable, Hashable {
    /// CDC's list of vaccines.
    case cvx
    /// LOINC.
    case loinc
    /// A file that the user gave.
    case codesFile = "codes-file"
    /// The card itself: signed by its issuer, and as true as the issuer is.
    case issuer
}
