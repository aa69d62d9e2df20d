import Cryptography
import Encodings

extension Rule {
    /// With thumbprints as ids, no two keys of any issuers have the same id.
    static let keyID = Rule("invalid-key-wrong-kid/thumbprint", RuleCheck.key) { key in
        guard key.isForCards else { return [] }
        guard let found = key.value["kid"] else {
            return .found("the key has no `kid`, so no card can name it", at: key.value, member: "kid")
        }
        guard let written = key.key.keyID, let point = key.point, key.value["kty"] != nil, key.value["crv"] != nil,
            written != point.thumbprint
        else { return [] }
        var words = "`kid` is \(found.excerpt), but the thumbprint of the key is \"\(point.thumbprint)\""
        if let hint = key.thumbprintHint { words += "; \(hint)" }
        if key.sharesID { words += "; another key of the set has the same `kid`" }
        return .found(words, at: found)
    }

    /// Libraries that use numbers drop leading zeros, which one key in 128 has.
    static let keyCoordinates = Rule("invalid-key-schema/coordinates", RuleCheck.key) { key in
        guard key.isForCards else { return [] }
        return [("x", key.x), ("y", key.y)].compactMap { name, coordinate in
            switch coordinate {
            case nil, .ofOtherType: return nil
            case .missing: return Problem("the key has no `\(name)`", at: key.value, member: name)
            case .notBase64URL(let error, _):
                return Problem("`\(name)` of the key is not base64url: \(error)", at: key.value[name])
            case .bytes(let bytes):
                guard bytes.count != P256Point.coordinateLength else { return nil }
                var words = "`\(name)` of the key has \(bytes.count) bytes, not 32"
                if bytes.count == P256Point.coordinateLength - 1, key.point != nil {
                    words += "; the leading zero is missing"
                }
                if bytes.count == P256Point.coordinateLength + 1, bytes.first == 0 {
                    words += "; there is one leading zero too many"
                }
                return Problem(words, at: key.value[name])
            }
        }
    }

    static let keyPoint = Rule("invalid-key-schema/point", RuleCheck.key) { key in
        guard key.isForCards, key.point == nil, let x = key.x?.padded, let y = key.y?.padded else { return [] }
        let isSwapped = (try? P256PublicKey(x: y, y: x)) != nil
        return .found(
            "`x` and `y` of the key are not a point on P-256" + (isSwapped ? "; they are exchanged" : ""),
            at: key.value)
    }
}

extension KeySubject {
    /// What the key's id is instead of the thumbprint; nil if that is unknown.
    fileprivate var thumbprintHint: String? {
        guard let keyID = key.keyID, let thumbprint = point?.thumbprint, keyID.bytes.count <= 128,
            let x = value["x"]?.string, let y = value["y"]?.string
        else { return nil }
        let digest = Base64URL.decodeLeniently(thumbprint.bytes[...])
        let letters = keyID.bytes.filter { $0 != UInt8(ascii: ":") }.map { (0x41...0x46).contains($0) ? $0 | 0x20 : $0 }
        if letters.elementsEqual(digest.hexadecimal.utf8) {
            return "`kid` is the thumbprint in hexadecimal, not in base64url"
        }
        if Base64URL.decodeLeniently(keyID.bytes[...]) == digest {
            return "`kid` is the thumbprint in base64 or with padding, not in base64url without padding"
        }
        let written = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        if keyID == KeyID(Base64URL.encode(SHA256.digest(Array(written.utf8)))) {
            return "`kid` was computed over coordinates in the wrong form"
        }
        return nil
    }
}
