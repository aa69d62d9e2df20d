package import Cryptography
package import Encodings

/// An entry with a key in WHO's list of signers, as it is written. `SignerList` takes the entries that it can rely on.
package struct ListedKey: Sendable {
    /// The entry.
    package let value: JSONValue
    /// Its key (`publicKeyJwk`).
    package let jwk: JSONValue

    package init(value: JSONValue, jwk: JSONValue) {
        self.value = value
        self.jwk = jwk
    }

    /// The certificate beside the key; nil if there is none, or if it cannot be read.
    package var certificate: Certificate? {
        guard let text = (jwk["x5c"]?.elements?.first { _ in true } ?? jwk["x5c"])?.stringBytes,
            let der = try? Base64.decode(text)
        else { return nil }
        return try? Certificate(listed: der)
    }

    /// A member of the key in base64 of any alphabet, such as a coordinate.
    package func bytes(_ name: String) -> [UInt8]? {
        jwk[name]?.stringBytes.flatMap { SignerList.bytes(ofBase64: $0) }
    }

    /// The key ID after the number sign of the entry's ID.
    package var keyID: [UInt8]? {
        guard let id = value["id"]?.stringBytes, let sign = id.firstIndex(of: UInt8(ascii: "#")),
            let fragment = PercentEncoding.decode(id[(sign + 1)...])
        else { return nil }
        return SignerList.bytes(ofBase64: fragment)
    }

    /// The key ID that the key itself has (`kid`).
    package var ownKeyID: [UInt8]? { bytes("kid") }

    /// The key IDs, each once.
    var keyIDs: [[UInt8]] {
        let labels = [ownKeyID, keyID].compactMap(\.self)
        return labels.count == 2 && labels[0] == labels[1] ? [labels[0]] : labels
    }

    /// Whether the entry is for a key that signs certificates.
    package var isOfSigner: Bool { value["keyusage"].map { $0["code"]?.isString("#DSC") == true } ?? true }
}
