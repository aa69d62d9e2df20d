import Encodings

/// The meaning of a text, to compare it with that of another text or with the expected one.
///
/// Strings are compared by their scalars, because Swift's `==` regards canonically equivalent strings as equal.
indirect enum JSONTree: Equatable, Sendable {
    case null
    case boolean(Bool)
    case number(String)
    case string([Unicode.Scalar])
    case array([JSONTree])
    case object([Member])

    struct Member: Equatable, Sendable {
        let name: [Unicode.Scalar]
        let value: JSONTree

        init(_ name: String, _ value: JSONTree) {
            self.name = Array(name.unicodeScalars)
            self.value = value
        }
    }

    init(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .boolean: self = .boolean(value.boolean!)
        case .number: self = .number(value.number!.digits)
        case .string: self = .string(Array(value.string!.unicodeScalars))
        case .array: self = .array(value.elements!.map { JSONTree($0) })
        case .object: self = .object(value.members!.map { Member($0.name.description, JSONTree($0.value)) })
        }
    }
}
