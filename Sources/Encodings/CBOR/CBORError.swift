/// Why bytes are not CBOR that is accepted, and where.
package struct CBORError: Error, Sendable, Hashable {
    /// What is wrong.
    package enum Reason: Sendable, Hashable {
        /// There are no bytes.
        case empty
        /// The bytes end inside an item.
        case truncated
        /// Bytes follow the item.
        case trailingBytes
        /// A head with a reserved value (RFC 8949 §3).
        case reservedHead(UInt8)
        /// A break outside an item of indefinite length.
        case strayBreak
        /// A map of indefinite length ends after a key.
        case keyWithoutValue
        /// A simple value below 32 that is written with two bytes (RFC 8949 §3.3).
        case badSimpleValue
        /// A chunk of a string of indefinite length is not a definite string of the same type (RFC 8949 §3.2.3).
        case badChunk
        /// A text is not UTF-8.
        case notUTF8
        /// A map has the same key twice.
        case duplicateKey
        /// Arrays, maps and tags are nested more deeply than allowed.
        case tooDeep(limit: Int)
        /// There are more items than allowed.
        case tooManyItems(limit: Int)
    }

    /// What is wrong.
    package let reason: Reason
    /// The offset of the wrong byte from the start of the bytes.
    package let offset: Int

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension CBORError: CustomStringConvertible {
    /// The reason and the offset in plain words.
    package var description: String {
        let words =
            switch reason {
            case .empty: "there are no bytes"
            case .truncated: "the bytes end in the middle of an item"
            case .trailingBytes: "bytes follow the end of the item"
            case .reservedHead(let byte): "the byte 0x\(String(byte, radix: 16)) begins no item"
            case .strayBreak: "a break is where an item is expected"
            case .keyWithoutValue: "a map ends after a key without its value"
            case .badSimpleValue: "a simple value below 32 takes two bytes"
            case .badChunk: "a part of a string is not a string of the same type with a length"
            case .notUTF8: "a text is not UTF-8"
            case .duplicateKey: "a map has the same key twice"
            case .tooDeep(let limit): "items are nested more than \(limit) levels deep"
            case .tooManyItems(let limit): "there are more than \(limit) items"
            }
        return "\(words) (byte \(offset))"
    }
}
