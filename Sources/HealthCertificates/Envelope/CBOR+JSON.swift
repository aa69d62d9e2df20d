import Bytes
package import CBOR
package import StrictJSON

extension CBORValue {
    /// The item as JSON, with members in the same order and numbers with the same value.
    ///
    /// Keys that are no texts become texts. Byte strings become base64url (RFC 8949 §6.1). Tags are dropped, and their
    /// values are kept. A value that JSON does not have becomes null.
    package var json: JSONValue? { json(isHeader: false) }

    /// The headers of a COSE message as JSON. The key ID is in the base64 with padding in which lists, reports and options have it.
    package var headerJSON: JSONValue? { json(isHeader: true) }

    private func json(isHeader: Bool) -> JSONValue? {
        var writer = JSONWriter()
        write(to: &writer, isHeader: isHeader)
        // Names may repeat after keys have become texts. Then there is no JSON that all readers read alike.
        return try? JSONDocument.parse(writer.bytes)
    }

    /// `kid` in a header (RFC 9052 §3.1).
    private static let keyID = "4"

    /// Writes the item. The recursion is as deep as the items are nested, which the parser limits.
    private func write(to writer: inout JSONWriter, isHeader: Bool = false) {
        switch kind {
        case .unsigned, .negative, .half, .single, .double:
            if let decimal { writer.number(decimal) } else { writer.value(nil as String?) }
        case .bytes: writer.value(byteString.map { Base64URL.encode($0) })
        case .text: writer.value(text.map { UTF8Text(decoding: $0) })
        case .array:
            writer.array { writer in
                for element in elements ?? [] { element.write(to: &writer) }
            }
        case .map:
            writer.object { writer in
                for member in members ?? [] {
                    writer.name(text: member.key.name)
                    if isHeader, member.key.decimal == Self.keyID, let keyID = member.value.byteString {
                        writer.value(Base64.encode(keyID))
                        continue
                    }
                    member.value.write(to: &writer)
                }
            }
        case .tag: tagged?.value.write(to: &writer)
        case .boolean: writer.value(boolean == true)
        case .null, .undefined, .simple: writer.value(nil as String?)
        }
    }

    /// The item as the name of a member.
    private var name: String {
        if let text { return String(decoding: text, as: UTF8.self) }
        if let byteString { return Base64URL.encode(byteString) }
        return decimal ?? boolean.map { "\($0)" } ?? "\(kind.rawValue) at byte \(offset)"
    }
}
