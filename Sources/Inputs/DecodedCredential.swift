import Credentials
package import Encodings

/// A credential as a program shows it that decodes it. Its signature is over the text before that, so nothing of it can be verified.
package enum DecodedCredential {
    /// What a JSON object is if it is a card or a certificate that was decoded, in words; nil for other objects.
    package static func describe(_ object: JSONValue) -> String? {
        if object["header"]?.kind == .object, object["payload"]?.kind == .object {
            return
                "this is a card that was decoded into its header and payload, and it cannot be verified without the signature over its "
                + "text: give the JWS itself, or the picture of its code"
        }
        if isCertificate(object) {
            return
                "this is a health certificate that was decoded to JSON, and it cannot be verified without its signature: give the text of "
                + "its code (HC1:…), or the picture of it"
        }
        return nil
    }

    /// Whether an object has what an EU certificate has, or holds one as claims do: by number, or by the names that decoders give.
    private static func isCertificate(_ object: JSONValue, within depth: Int = 3) -> Bool {
        if object["nam"]?.kind == .object, ["ver", "dob", "v", "t", "r"].contains(where: { object[$0] != nil }) {
            return true
        }
        return depth > 0
            && ["-260", "1", "hcert", "payload"].contains {
                object[$0].map { isCertificate($0, within: depth - 1) } ?? false
            }
    }

    /// What a text is if it has the octets of a certificate in hexadecimal, in words; nil for other texts.
    package static func describe(_ content: ArraySlice<UInt8>) -> String? {
        let text = content.starts(with: "0x".utf8) ? content.dropFirst(2) : content
        var digits: [UInt8] = []
        for byte in text where byte != 0x20 && byte != 0x0A && byte != 0x0D {
            guard let digit = byte.hexDigitValue else { return nil }
            digits.append(digit)
        }
        // Shorter than any certificate, and longer than most numbers.
        guard digits.count >= 80, digits.count.isMultiple(of: 2) else { return nil }
        let octets = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        guard InputForm.isCWT(octets[...]) else { return nil }
        return
            "these are the octets of a health certificate (CBOR Web Token) in hexadecimal: give the octets themselves, as \"xxd -r -p\" "
            + "makes them, or the text of its code (HC1:…)"
    }
}
