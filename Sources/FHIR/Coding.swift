public import JSON

/// A code with the words that came with it (FHIR `Coding`).
public struct Coding: Sendable, Hashable {
    /// The code system's URI.
    public let system: UTF8Text?
    /// The code in that system.
    public let code: UTF8Text?
    /// What the issuer calls it. Nothing says that it is what the code means.
    public let display: UTF8Text?

    /// Nil where the value is no object, or has none of the three.
    public init?(_ value: JSONValue) {
        system = value.text("system")
        code = value.text("code")
        display = value.text("display")
        if system == nil && code == nil && display == nil { return nil }
    }
}
