import JOSE
import JSON

extension Rule {
    /// The id is the thumbprint, so that no two keys of any issuers have the same.
    static let keyID = Rule(
        "invalid-key-wrong-kid", "thumbprint", .k2,
        requirement: "A key's \"kid\" is its SHA-256 JWK thumbprint (RFC 7638) in base64url.",
        remedy: "Compute kid over {\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"…\",\"y\":\"…\"}, without white space "
            + "and in this order.",
        check: .key { key in
            guard key.isForCards else { return [] }
            guard let found = key.value["kid"] else {
                return [
                    Problem(#"the key has no "kid", so no card can name it"#, at: key.value, member: "kid")
                ]
            }
            guard let written = key.key.keyID, let point = key.point, key.value["kty"] != nil, key.value["crv"] != nil,
                written != point.thumbprint
            else { return [] }
            var words =
                #""kid" is \#(found.excerpt), and the key's thumbprint is "\#(point.thumbprint)""#
            if let hint = key.thumbprintHint { words += "; \(hint)" }
            if key.sharesID { words += "; another key of the set has the same kid" }
            return [Problem(words, at: found)]
        })
}

extension KeySubject {
    /// What the id is instead of the thumbprint, where that can be told.
    fileprivate var thumbprintHint: String? {
        guard let keyID = key.keyID, let thumbprint = point?.thumbprint, keyID.bytes.count <= 128,
            let x = value["x"]?.string, let y = value["y"]?.string
        else { return nil }
        let digest = Base64URL.decodeLeniently(thumbprint.bytes[...])
        let hexadecimal = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let letters = keyID.bytes.filter { $0 != UInt8(ascii: ":") }.map { (0x41...0x46).contains($0) ? $0 | 0x20 : $0 }
        if letters.elementsEqual(hexadecimal.utf8) {
            return "it is written in hexadecimal, not in base64url"
        }
        if Base64URL.decodeLeniently(keyID.bytes[...]) == digest {
            return "it is written in base64 or padded, not in base64url without padding"
        }
        let written = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        if keyID == KeyID(Base64URL.encode(SHA256.digest(Array(written.utf8)))) {
            return "it was computed over coordinates that are not written as they should be"
        }
        return nil
    }
}
