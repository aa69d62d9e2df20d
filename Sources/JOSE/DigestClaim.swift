/// A signature claim as the arithmetic takes it: the message digested, with the multiples of the key that there are.
struct DigestClaim: Sendable {
    let signature: ES256Signature
    let key: P256PublicKey
    /// SHA-256 of the message.
    let digest: [UInt8]
    /// Multiples of the key; nil where there are none.
    let table: P256KeyTable?
}
