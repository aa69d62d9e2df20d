import Foundation
import JOSE

/// The card that is measured, one of TestVectors/, and what it is made of.
struct Vector {
    /// The compact JWS.
    let text: [UInt8]
    /// Its three parts, and what is signed.
    let jws: CompactJWS
    let signature: ES256Signature
    /// The issuer's keys, of which the first is the card's.
    let keys: JWKSet
    let key: P256PublicKey

    init() throws {
        let vectors = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../TestVectors")
        text = [UInt8](try Data(contentsOf: vectors.appending(path: "cards/inputs/jws.jws"))).filter { $0 > 0x20 }
        keys = try JWKSet([UInt8](try Data(contentsOf: vectors.appending(path: "keys/issuer-a.jwks.json"))))
        jws = try CompactJWS(text)
        signature = try ES256Signature(jws.signature)
        guard let first = keys.keys.first else { throw CocoaError(.coderValueNotFound) }
        key = try first.publicKey()
        guard key.isValid(signature, for: jws.signingInput) else { throw CocoaError(.coderInvalidValue) }
    }
}
