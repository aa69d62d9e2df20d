import StrictJSON

/// Decodes values of the parser of this package, so that a report can be read without Foundation, and as strictly as everything
/// else: `"a":1,"a":2` is an error, and names are compared byte by byte.
struct JSONValueDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: JSONValue, at path: [any CodingKey] = []) {
        self.value = value
        codingPath = path
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard value.kind == .object else { throw mismatch("an object") }
        return KeyedDecodingContainer(Members<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.elements else { throw mismatch("an array") }
        return Elements(decoder: self, elements: Array(elements))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    private func mismatch(_ what: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: "it is not \(what)"))
    }

    fileprivate func integer<Number: FixedWidthInteger>() throws -> Number {
        guard let number = value.number?.integer.flatMap({ Number(exactly: $0) }) else {
            throw mismatch("such a number")
        }
        return number
    }

    fileprivate func under(_ value: JSONValue, _ key: any CodingKey) -> JSONValueDecoder {
        JSONValueDecoder(value, at: codingPath + [key])
    }

    fileprivate func any<Content: Decodable>(_ type: Content.Type) throws -> Content {
        if type == JSONContent.self, let content = JSONContent(value) as? Content { return content }
        return try Content(from: self)
    }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }
    func decode(_ type: Bool.Type) throws -> Bool {
        guard let boolean = value.boolean else { throw mismatch("true or false") }
        return boolean
    }
    func decode(_ type: String.Type) throws -> String {
        guard let text = value.string else { throw mismatch("a string") }
        return text.description
    }
    func decode(_ type: Double.Type) throws -> Double {
        guard let number = value.number?.double else { throw mismatch("a number") }
        return number
    }
    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
    func decode<Content: Decodable>(_ type: Content.Type) throws -> Content { try any(type) }
}

/// The members of an object.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: JSONValueDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] {
        decoder.value.members.map { members in members.compactMap { Key(stringValue: $0.name.description) } } ?? []
    }

    private func member(_ key: Key) throws -> JSONValueDecoder {
        guard let value = decoder.value[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(codingPath: codingPath, debugDescription: "it has no member \(key.stringValue)"))
        }
        return decoder.under(value, key)
    }

    func contains(_ key: Key) -> Bool { decoder.value[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try member(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try member(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try member(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try member(key).integer() }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try member(key).integer() }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try member(key).integer() }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try member(key).integer() }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try member(key).integer() }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try member(key).integer() }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try member(key).integer() }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try member(key).integer() }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try member(key).integer() }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try member(key).integer() }
    func decode<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content {
        try member(key).any(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try member(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
}

/// The elements of an array, one after the other.
private struct Elements: UnkeyedDecodingContainer {
    let decoder: JSONValueDecoder
    let elements: [JSONValue]
    private(set) var currentIndex = 0

    init(decoder: JSONValueDecoder, elements: [JSONValue]) {
        self.decoder = decoder
        self.elements = elements
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    /// The place of an element in its array.
    private struct Place: CodingKey {
        let intValue: Int?
        var stringValue: String { intValue.map { "\($0)" } ?? "" }
        init(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { return nil }
    }

    private func current() throws -> JSONValueDecoder {
        let place = Place(intValue: currentIndex)
        guard !isAtEnd else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath + [place], debugDescription: "the array has no more elements"))
        }
        return decoder.under(elements[currentIndex], place)
    }

    private mutating func next<Content>(_ read: (JSONValueDecoder) throws -> Content) throws -> Content {
        let content = try read(try current())
        currentIndex += 1
        return content
    }

    mutating func decodeNil() throws -> Bool {
        guard try current().decodeNil() else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.decode(type) } }
    mutating func decode(_ type: String.Type) throws -> String { try next { try $0.decode(type) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.decode(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.integer() } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.integer() } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try $0.integer() } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try $0.integer() } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try $0.integer() } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.integer() } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try $0.integer() } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try $0.integer() } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try $0.integer() } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try $0.integer() } }
    mutating func decode<Content: Decodable>(_ type: Content.Type) throws -> Content { try next { try $0.any(type) } }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        try next { try $0.container(keyedBy: type) }
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }
    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}
