/// A signature claim as the arithmetic takes it: the message digested, the key with what is kept of it.
struct DigestClaim {
    let signature: ES256Signature
    let key: KnownKey
    /// SHA-256 of the message.
    let digest: [UInt8]
}
