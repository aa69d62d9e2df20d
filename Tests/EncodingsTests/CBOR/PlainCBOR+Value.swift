import Encodings

extension PlainCBOR {
    /// Whether the parser of the package reads the same value, in the same order.
    func isSame(as value: CBORValue) -> Bool {
        switch self {
        case .integer(let isNegative, let number):
            let integer = Int64(exactly: number).map { isNegative ? -1 - $0 : $0 }
            return value.kind == (isNegative ? .negative : .unsigned) && value.integer == integer
                && value.float == nil && value.decimal != nil
        case .bytes(let bytes): return value.byteString.map { $0.elementsEqual(bytes) } ?? false
        case .text(let bytes): return value.text.map { $0.elementsEqual(bytes) } ?? false
        case .array(let elements):
            guard let read = value.elements, read.count == elements.count else { return false }
            return zip(elements, read).allSatisfy { $0.isSame(as: $1) }
        case .map(let members):
            guard let read = value.members, read.count == members.count else { return false }
            return zip(members, read).allSatisfy { $0.key.isSame(as: $1.key) && $0.value.isSame(as: $1.value) }
        case .tag(let number, let inside):
            guard let (readNumber, readValue) = value.tagged else { return false }
            return number == readNumber && inside.isSame(as: readValue)
        case .simple(20): return value.boolean == false
        case .simple(21): return value.boolean == true
        case .simple(22): return value.isNull && value.boolean == nil
        case .simple(23): return value.kind == .undefined
        case .simple: return value.kind == .simple && value.boolean == nil
        case .float(let number):
            guard let read = value.float, value.integer == nil else { return false }
            return number.isNaN ? read.isNaN : read.bitPattern == number.bitPattern
        }
    }
}
