import Credentials
import Cryptography
import Encodings
import Foundation
import SMARTHealthCards
import TestSupport

/// The cards, key sets and lists in TestVectors/. Independent scripts create them, without code of this package.
enum TestVectors {
    /// The JWS in a file, without white space.
    static func jws(_ name: String) throws -> [UInt8] {
        Array(String(decoding: try VectorFiles.bytes("cards/\(name).jws"), as: UTF8.self).utf8.filter { $0 > 0x20 })
    }

    static func keySet(_ name: String) throws -> JWKSet { try JWKSet(VectorFiles.bytes("keys/\(name).jwks.json")) }

    static func list(_ name: String) throws -> RevocationList {
        try RevocationList(VectorFiles.bytes("crls/\(name).json"))
    }

    // MARK: Values for most tests

    /// The issuer of nearly all cards.
    static let issuer = Issuer(unchecked: "https://issuer-a.example/cards")
    static let otherIssuer = Issuer(unchecked: "https://issuer-b.example/cards")
    /// The ID of the issuer's key.
    static let keyID = KeyID("ot01SiUGLVqI7DwMxi3uihZCE8cXsxYaX-0g5jfICKo")
    /// When the cards were issued.
    static let issued = NumericDate(sinceEpoch: .seconds(1_750_000_000))
    /// A moment at which the cards are valid.
    static let now = NumericDate(sinceEpoch: .seconds(1_780_272_000))

    /// A card that passes.
    static func card() throws -> [UInt8] { try jws("inputs/jws") }
    /// A card that passes if no list revokes it. Its identifier is `TestRid-1`.
    static func revocableCard() throws -> [UInt8] { try jws("directory/snapshot-revoked") }
    /// The issuer's key.
    static func keys() throws -> JWKSet { try keySet("issuer-a") }
    /// A key set without keys.
    static let noKeys = JWKSet([JWK]())
    /// The same key, with a `crlVersion` of 1.
    static func keysWithList() throws -> JWKSet { try keySet("sets/revocation-listed") }
}
