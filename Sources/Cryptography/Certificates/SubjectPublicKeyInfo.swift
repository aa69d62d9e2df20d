package import Encodings

extension Certificate {
    /// The certificate's public key, if signatures can be verified with it. It is imported each time, which takes 10 to
    /// 150 µs, so keep it.
    ///
    /// Keys on P-256 are accepted if the curve is given by its name, with a compressed or uncompressed point. Explicit
    /// parameters of a curve are refused, even if they are those of P-256 (RFC 5480 §2.1.1; with CVE-2020-0601, a
    /// parser took the curve for P-256 that an attacker had made). RSA keys are accepted as by `PS256PublicKey`, and
    /// those for RSASSA-PSS only if they allow PS256.
    package var publicKey: Result<VerificationKey, Malformed> { keyNumbers.key }

    /// The numbers of the certificate's key.
    var keyNumbers: PublicKeyNumbers {
        guard let fields else { return .unreadable }
        return PublicKeyNumbers(subjectPublicKeyInfo: fields.publicKey)
    }
}

/// The parts of a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7). What they mean depends on the kind of key.
struct SubjectPublicKeyInfo {
    /// The identifier of the kind of key.
    let kind: ArraySlice<UInt8>
    /// The parameters of the kind of key; nil if there are none.
    let parameters: DERReader.Element?
    /// The key.
    let key: ArraySlice<UInt8>

    /// Reads the parts. Nil if they cannot be read.
    init?(_ content: ArraySlice<UInt8>) {
        var info = DERReader(content)
        guard let algorithm = info.next(DERReader.Tag.sequence), let bits = info.next(DERReader.Tag.bitString),
            info.isAtEnd, bits.content.first == 0
        else { return nil }
        var parts = DERReader(algorithm.content)
        guard let kind = parts.next(DERReader.Tag.objectIdentifier)?.content else { return nil }
        self.kind = kind
        parameters = parts.next()
        key = bits.content.dropFirst()
    }

    /// The key, if it is of no kind that is supported.
    var unsupported: PublicKeyNumbers {
        guard let dotted = DERReader.dotted(objectIdentifier: kind) else { return .unreadable }
        return .other("\(Self.kinds[dotted] ?? "a key of the kind \(dotted)"), which is not supported")
    }

    /// Kinds of keys by their identifiers, for messages.
    private static let kinds = [
        "1.3.101.110": "an X25519 key", "1.3.101.111": "an X448 key", "1.3.101.112": "an Ed25519 key",
        "1.3.101.113": "an Ed448 key", "1.2.840.10040.4.1": "a DSA key", "1.2.840.10046.2.1": "a Diffie-Hellman key",
        "1.2.840.113549.1.3.1": "a Diffie-Hellman key", "1.2.840.113549.1.1.7": "an RSA key for encryption (OAEP)",
        "1.3.132.1.12": "an EC key for key agreement",
    ]
}
