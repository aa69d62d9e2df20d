/// A second reader of CBOR (RFC 8949), as simple as possible and without code of the package. It decides in other ways: by
/// recursion, and with values that are compared two by two.
///
/// The fuzzer uses it too.
indirect enum PlainCBOR {
    case integer(isNegative: Bool, UInt64)
    case bytes([UInt8])
    case text([UInt8])
    case array([PlainCBOR])
    case map([(key: PlainCBOR, value: PlainCBOR)])
    case tag(UInt64, PlainCBOR)
    case simple(UInt8)
    case float(Double)

    /// Reads one item, with nothing after it.
    ///
    /// - Returns: nil if the bytes must be refused.
    static func read(_ bytes: [UInt8], maximumDepth: Int = 32, maximumItems: Int = 20_000) -> PlainCBOR? {
        var reader = PlainCBORReader(bytes: bytes, maximumDepth: maximumDepth, maximumItems: maximumItems)
        guard let value = try? reader.item(in: 0), reader.position == bytes.count else { return nil }
        return value
    }
}

/// Values are the same if a reader of another program would take them for the same, however they are written.
extension PlainCBOR: Equatable {
    static func == (left: PlainCBOR, right: PlainCBOR) -> Bool {
        switch (left, right) {
        case (.integer(let one, let first), .integer(let other, let second)): one == other && first == second
        case (.bytes(let one), .bytes(let other)), (.text(let one), .text(let other)): one == other
        case (.array(let one), .array(let other)): one == other
        case (.map(let one), .map(let other)):
            // The keys of a map differ, so each can have one partner only.
            one.count == other.count
                && one.allSatisfy { member in other.contains { $0.key == member.key && $0.value == member.value } }
        case (.tag(let one, let first), .tag(let other, let second)): one == other && first == second
        case (.simple(let one), .simple(let other)): one == other
        case (.float(let one), .float(let other)):
            one.isNaN ? other.isNaN : one == other && one.sign == other.sign
        default: false
        }
    }
}

private struct PlainCBORReader {
    let bytes: [UInt8]
    let maximumDepth: Int
    let maximumItems: Int
    var position = 0
    private var items = 0

    private struct Refusal: Error {}

    init(bytes: [UInt8], maximumDepth: Int, maximumItems: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.maximumItems = maximumItems
    }

    private mutating func take(_ count: UInt64) throws -> [UInt8] {
        guard count <= UInt64(bytes.count - position) else { throw Refusal() }
        let start = position
        position += Int(count)
        return Array(bytes[start..<position])
    }

    private mutating func number(of count: UInt64) throws -> UInt64 {
        try take(count).reduce(0) { $0 * 256 + UInt64($1) }
    }

    /// Reads the head of an item: its type, the low bits, and its number. The number is nil if the length is indefinite.
    private mutating func head() throws -> (major: UInt8, low: UInt8, number: UInt64?) {
        let first = try take(1)[0]
        items += 1
        guard items <= maximumItems else { throw Refusal() }
        let low = first % 32
        switch low {
        case 0...23: return (first / 32, low, UInt64(low))
        case 24: return (first / 32, low, try number(of: 1))
        case 25: return (first / 32, low, try number(of: 2))
        case 26: return (first / 32, low, try number(of: 4))
        case 27: return (first / 32, low, try number(of: 8))
        case 31: return (first / 32, low, nil)
        default: throw Refusal()
        }
    }

    private var isAtBreak: Bool { position < bytes.count && bytes[position] == 0xFF }

    /// Reads an item.
    ///
    /// - Parameter depth: how many arrays, maps and tags it is in.
    mutating func item(in depth: Int) throws -> PlainCBOR {
        let (major, low, number) = try head()
        switch major {
        case 0, 1:
            guard let number else { throw Refusal() }
            return .integer(isNegative: major == 1, number)
        case 2: return .bytes(try string(major, number))
        case 3: return .text(try string(major, number))
        case 4, 5:
            guard depth < maximumDepth else { throw Refusal() }
            var inside: [PlainCBOR] = []
            if let number {
                let count = number.multipliedReportingOverflow(by: major == 5 ? 2 : 1)
                guard !count.overflow else { throw Refusal() }
                while UInt64(inside.count) < count.partialValue { inside.append(try item(in: depth + 1)) }
            } else {
                while !isAtBreak { inside.append(try item(in: depth + 1)) }
                position += 1
            }
            return major == 4 ? .array(inside) : try map(inside)
        case 6:
            guard depth < maximumDepth, let number else { throw Refusal() }
            return .tag(number, try item(in: depth + 1))
        default:
            guard let number else { throw Refusal() }
            switch low {
            case 24:
                guard number > 31 else { throw Refusal() }
                return .simple(UInt8(number))
            case 25: return .float(Double(Float16(bitPattern: UInt16(number))))
            case 26: return .float(Double(Float(bitPattern: UInt32(number))))
            case 27: return .float(Double(bitPattern: number))
            default: return .simple(UInt8(number))
            }
        }
    }

    private mutating func string(_ major: UInt8, _ length: UInt64?) throws -> [UInt8] {
        if let length { return try checked(major, take(length)) }
        var joined: [UInt8] = []
        while !isAtBreak {
            let chunk = try head()
            guard chunk.major == major, let length = chunk.number else { throw Refusal() }
            joined += try checked(major, take(length))
        }
        position += 1
        return joined
    }

    /// Texts must be UTF-8. A repaired text differs from what was read.
    private func checked(_ major: UInt8, _ content: [UInt8]) throws -> [UInt8] {
        guard major == 2 || String(decoding: content, as: UTF8.self).utf8.elementsEqual(content) else {
            throw Refusal()
        }
        return content
    }

    private func map(_ inside: [PlainCBOR]) throws -> PlainCBOR {
        guard inside.count % 2 == 0 else { throw Refusal() }
        let members = stride(from: 0, to: inside.count, by: 2).map { (key: inside[$0], value: inside[$0 + 1]) }
        for (place, member) in members.enumerated() where members[..<place].contains(where: { $0.key == member.key }) {
            throw Refusal()
        }
        return .map(members)
    }
}
