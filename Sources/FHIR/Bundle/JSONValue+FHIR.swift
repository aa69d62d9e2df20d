import Encodings

extension JSONValue {
    /// The member's string. Nil if it is missing, not a string, or empty (FHIR strings are never empty).
    func text(_ name: String) -> UTF8Text? {
        guard let text = self[name]?.string, !text.isEmpty else { return nil }
        return text
    }

    /// The values of an element that may repeat: the elements of an array, or a single value. DSTU2 (or an issuer) may
    /// have no array here. Empty if the element is missing or `null`.
    func all(_ name: String) -> RepeatedElement { RepeatedElement(self[name]) }
}

/// The values of an element that may repeat, in the order of the text.
struct RepeatedElement: Sequence, IteratorProtocol {
    private var single: JSONValue?
    private var elements: JSONValue.Elements.Iterator?

    init(_ value: JSONValue?) {
        if let array = value?.elements {
            elements = array.makeIterator()
        } else if let value, !value.isNull {
            single = value
        }
    }

    mutating func next() -> JSONValue? {
        defer { single = nil }
        return single ?? elements?.next()
    }
}
