import JSON

extension JSONValue {
    /// The member's characters; nil if it is missing, no string, or empty (FHIR strings are never empty).
    func text(_ name: String) -> UTF8Text? {
        guard let text = self[name]?.string, !text.isEmpty else { return nil }
        return text
    }

    /// What an element that may repeat holds: the elements of an array, or the one value where DSTU2 (or an issuer)
    /// has no array. Nothing where it is missing or `null`.
    func all(_ name: String) -> RepeatedElement { RepeatedElement(self[name]) }
}
