package import Encodings

extension CBORValue {
    /// The item as JSON, with members in the same order and numbers with the same value.
    ///
    /// Keys that are no texts become texts. Byte strings become base64url (RFC 8949 §6.1). Tags are dropped, and their
    /// values are kept. A value that JSON does not have becomes null.
    package var json: JSONValue? { json(.content) }

    /// The headers of a COSE message as JSON. The key ID is in the base64 with padding in which lists, reports and options have it.
    package var headerJSON: JSONValue? { json(.header) }

    /// The claims as JSON, to look at. Of a health link, only the scheme is shown, because the key of its files is in it.
    package var inspectionJSON: JSONValue? { json(.claims) }

    /// What an item is a part of.
    private enum Place {
        /// A header.
        case header
        /// The claims, the claim with health certificates, and a health link in it.
        case claims, certificates, link
        /// Anything else.
        case content

        /// The place of a value in an item at this place.
        func inside(_ key: CBORValue) -> Place {
            let isNumber = { (number: Int64) in
                key.integer == number || key.text.map { $0.elementsEqual("\(number)".utf8) } == true
            }
            return switch self {
            case .claims: isNumber(CWTClaims.Claim.healthCertificate) ? .certificates : .claims
            case .certificates: isNumber(WrappedLink.kind.number) ? .link : .claims
            case .link: .link
            case .header, .content: .content
            }
        }

        /// Whether links are hidden.
        var hidesLinks: Bool { [.claims, .certificates, .link].contains(self) }
    }

    private func json(_ place: Place) -> JSONValue? {
        var writer = JSONWriter()
        write(to: &writer, in: place)
        // Names may repeat after keys have become texts. Then there is no JSON that all readers read alike.
        return try? JSONDocument.parse(writer.bytes)
    }

    /// `kid` in a header (RFC 9052 §3.1).
    private static let keyID = "4"

    /// Writes the item. The recursion is as deep as the items are nested, which the parser limits.
    private func write(to writer: inout JSONWriter, in place: Place) {
        if place.hidesLinks, let shown = shownLink(isAlwaysHidden: place == .link) { return writer.value(shown) }
        switch kind {
        case .unsigned, .negative, .half, .single, .double:
            if let decimal { writer.number(decimal) } else { writer.value(nil as String?) }
        case .bytes: writer.value(byteString.map { Base64URL.encode($0) })
        case .text: writer.value(text.map { UTF8Text(decoding: $0) })
        case .array:
            writer.array { writer in
                for element in elements ?? [] { element.write(to: &writer, in: place == .header ? .content : place) }
            }
        case .map:
            writer.object { writer in
                for member in members ?? [] {
                    writer.name(
                        text: place.hidesLinks
                            ? member.key.shownLink(isAlwaysHidden: false) ?? member.key.name : member.key.name)
                    if place == .header, member.key.decimal == Self.keyID, let keyID = member.value.byteString {
                        writer.value(Base64.encode(keyID))
                        continue
                    }
                    member.value.write(to: &writer, in: place.inside(member.key))
                }
            }
        case .tag: tagged?.value.write(to: &writer, in: place)
        case .boolean: writer.value(boolean == true)
        case .null, .undefined, .simple: writer.value(nil as String?)
        }
    }

    /// What is shown in the place of the text of a link; nil if this is none.
    ///
    /// - Parameter isAlwaysHidden: whether any text may hold a key here.
    private func shownLink(isAlwaysHidden: Bool) -> String? {
        guard let bytes = text ?? byteString else { return nil }
        let lower = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let scheme = WrappedLink.Scheme.allCases.first {
            lower[...].firstRange(of: Array("\($0.rawValue):".utf8)) != nil
        }
        return scheme.map { "\($0.rawValue):/…" } ?? (isAlwaysHidden ? "…" : nil)
    }

    /// The item as the name of a member.
    private var name: String {
        if let text { return String(decoding: text, as: UTF8.self) }
        if let byteString { return Base64URL.encode(byteString) }
        return decimal ?? boolean.map { "\($0)" } ?? "\(kind.rawValue) at byte \(offset)"
    }
}
