import Cryptography
import Foundation

/// The card that is measured (one of TestVectors/), and its parts.
struct Vector {
    /// The compact JWS.
    let text: [UInt8]
    /// The three parts of the JWS, and the bytes that are signed.
    let jws: CompactJWS
    let signature: ES256Signature
    /// The issuer's keys. The first one signed the card.
    let keys: JWKSet
    let key: P256PublicKey

    init() throws {
        let vectors = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../TestVectors")
        text = [UInt8](try Data(contentsOf: vectors.appending(path: "cards/inputs/jws.jws"))).filter { $0 > 0x20 }
        keys = try JWKSet([UInt8](try Data(contentsOf: vectors.appending(path: "keys/issuer-a.jwks.json"))))
        jws = try CompactJWS(text)
        signature = try ES256Signature(jws.signature)
        guard let first = keys.keys.first else { throw CocoaError(.coderValueNotFound) }
        key = try first.publicKey()
        guard key.isValid(signature, for: jws.signingInput) else { throw CocoaError(.coderInvalidValue) }
    }
}
