/// Where the words for a code come from.
public enum DisplaySource: String, Sendable, Hashable {
    /// CDC's lists of vaccines and their manufacturers; of COVID-19 vaccines, in words made from them.
    case cvx
    /// LOINC.
    case loinc
    /// Words of this project's own, for what laboratories answer.
    case builtIn = "built-in"
    /// A file that the user gave.
    case codesFile = "codes-file"
    /// The card itself: signed by its issuer, and as true as the issuer is.
    case issuer
}
