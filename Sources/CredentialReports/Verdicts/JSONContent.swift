public import StrictJSON

/// Any JSON value, such as the FHIR Bundle of a card in a `VerdictReport`.
public indirect enum JSONContent: Sendable {
    case object([Member])
    case array([JSONContent])
    case string(UTF8Text)
    case integer(Int64)
    /// Any other number, as near as a `Double` is.
    case number(Double)
    case boolean(Bool)
    case null

    /// A member of an object, with its name.
    public struct Member: Sendable {
        /// The name. Names are compared byte by byte.
        public let name: UTF8Text
        /// The value.
        public let value: JSONContent
    }

    /// The content of a parsed value. A number that is too large becomes the largest that JSON encoders write.
    package init(_ value: JSONValue) {
        switch value.kind {
        case .object:
            self = .object(value.members.map { $0.map { Member(name: $0.name, value: JSONContent($0.value)) } } ?? [])
        case .array: self = .array(value.elements.map { $0.map { JSONContent($0) } } ?? [])
        case .string: self = .string(value.string ?? "")
        case .number:
            let most = Double.greatestFiniteMagnitude
            self =
                value.number?.integer.map { .integer($0) } ?? .number(max(-most, min(most, value.number?.double ?? 0)))
        case .boolean: self = .boolean(value.boolean == true)
        case .null: self = .null
        }
    }

    /// The value of the first member with this name; nil if there is none, or if it is no object.
    public subscript(name: UTF8Text) -> JSONContent? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}

extension JSONContent: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    /// Reads a value from any decoder.
    public init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            self = .object(
                try members.allKeys.map { key in
                    Member(name: UTF8Text(key.stringValue), value: try members.decode(JSONContent.self, forKey: key))
                })
        } else if var elements = try? decoder.unkeyedContainer() {
            var content: [JSONContent] = []
            while !elements.isAtEnd { content.append(try elements.decode(JSONContent.self)) }
            self = .array(content)
        } else {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let boolean = try? value.decode(Bool.self) {
                self = .boolean(boolean)
            } else if let integer = try? value.decode(Int64.self) {
                self = .integer(integer)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else {
                self = .string(UTF8Text(try value.decode(String.self)))
            }
        }
    }

    /// Writes the value to any encoder. Foundation's encoders keep no order, and take names as one that differ only in the way
    /// in which an accent is encoded.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for member in members {
                try container.encode(member.value, forKey: Name(stringValue: member.name.description))
            }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .string(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text.description)
        case .integer(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number)
        case .number(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number)
        case .boolean(let boolean):
            var container = encoder.singleValueContainer()
            try container.encode(boolean)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}
