import JSON

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
