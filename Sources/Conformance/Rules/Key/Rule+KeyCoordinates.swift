import JSON

extension Rule {
    /// Libraries that handle numbers leave zeros at the front out, for one key in 128.
    static let keyCoordinates = Rule(
        "invalid-key-schema", "coordinates", .rfc(7518, "6.2.1.2"),
        requirement: "\"x\" and \"y\" are the coordinates in base64url, each 32 bytes, with the zeros at their front.",
        remedy: "Write each coordinate as exactly 32 bytes, big-endian, in base64url without padding: 43 characters.",
        check: .key { key in
            guard key.isForCards else { return [] }
            return [("x", key.x), ("y", key.y)].compactMap { name, coordinate in
                switch coordinate {
                case nil, .ofOtherType: return nil
                case .missing: return Problem(#"the key has no "\#(name)""#, at: key.value, member: name)
                case .notBase64URL(let error):
                    return Problem(#"the key's "\#(name)" is not base64url: \#(error)"#, at: key.value[name])
                case .bytes(let bytes):
                    guard bytes.count != KeyCoordinate.length else { return nil }
                    var words = #"the key's "\#(name)" has \#(bytes.count) bytes; on P-256 it has 32"#
                    if bytes.count == KeyCoordinate.length - 1, key.point != nil {
                        words += ", the zero at its front was left out"
                    }
                    if bytes.count == KeyCoordinate.length + 1, bytes.first == 0 {
                        words += ", there is a zero too many at its front"
                    }
                    return Problem(words, at: key.value[name])
                }
            }
        })
}
