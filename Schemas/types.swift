extension Root {
    /// Any JSON value.
    public indirect enum JSON: Codable, Sendable {
        case object([String: JSON])
        case array([JSON])
        case string(String)
        case integer(Int64)
        /// Any other number, as near as a `Double` is.
        case number(Double)
        case boolean(Bool)
        case null
        /// What the decoder cannot hold, such as the number 1e400. It is written as null.
        case unreadable

        public init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let members = try? value.decode([String: JSON].self) {
                self = .object(members)
            } else if let elements = try? value.decode([JSON].self) {
                self = .array(elements)
            } else if let boolean = try? value.decode(Bool.self) {
                self = .boolean(boolean)
            } else if let integer = try? value.decode(Int64.self) {
                self = .integer(integer)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let text = try? value.decode(String.self) {
                self = .string(text)
            } else {
                self = .unreadable
            }
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .object(let members): try container.encode(members)
            case .array(let elements): try container.encode(elements)
            case .string(let text): try container.encode(text)
            case .integer(let number): try container.encode(number)
            case .number(let number): try container.encode(number)
            case .boolean(let boolean): try container.encode(boolean)
            case .null, .unreadable: try container.encodeNil()
            }
        }
    }

    /// A member that is always there, and null if there is no value.
    @propertyWrapper public struct Nullable<Value: Codable & Sendable>: Codable, Sendable {
        public var wrappedValue: Value?

        public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
        }
    }

    /// A member that may be missing. If it is there, it may be null.
    @propertyWrapper public struct NullableIfPresent<Value: Codable & Sendable>: Codable, Sendable {
        public let wrappedValue: Value?
        fileprivate let isPresent: Bool

        fileprivate init(_ wrappedValue: Value?, isPresent: Bool) {
            self.wrappedValue = wrappedValue
            self.isPresent = isPresent
        }

        public init(from decoder: any Decoder) throws {
            self.init(try Nullable(from: decoder).wrappedValue, isPresent: true)
        }

        public func encode(to encoder: any Encoder) throws {
            try Nullable(wrappedValue: wrappedValue).encode(to: encoder)
        }
    }
}

// The code that the compiler makes for `Codable` calls these for members that may be missing.

extension KeyedDecodingContainer {
    fileprivate func decode<Value>(
        _ type: Root.NullableIfPresent<Value>.Type, forKey key: Key
    ) throws -> Root.NullableIfPresent<Value> {
        guard contains(key) else { return Root.NullableIfPresent(nil, isPresent: false) }
        return Root.NullableIfPresent(try decode(Root.Nullable<Value>.self, forKey: key).wrappedValue, isPresent: true)
    }
}

extension KeyedEncodingContainer {
    fileprivate mutating func encode<Value>(_ member: Root.NullableIfPresent<Value>, forKey key: Key) throws {
        guard member.isPresent else { return }
        try encode(Root.Nullable(wrappedValue: member.wrappedValue), forKey: key)
    }
}
