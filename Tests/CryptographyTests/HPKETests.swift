import Encodings
import Foundation
import TestSupport
import Testing

@testable import Cryptography

/// The receiver's side of HPKE, with the vectors of RFC 9180 A.3.1 and of others.
@Suite struct HPKETests {
    /// RFC 9180 A.3.1: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, base mode.
    private enum Published {
        static let info = bytes("4f6465206f6e2061204772656369616e2055726e")
        static let encapsulated = bytes(
            "04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac98536d7b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18c4"
        )
        static let receiver = bytes(
            "04fe8c19ce0905191ebc298a9245792531f26f0cece2460639e8bc39cb7f706a826a779b4cf969b8a0e539c7f62fb3d30ad6aa8f80e30f1d128aafd68a2ce72ea0"
        )
        static let secret = bytes("f3ce7fdae57e1a310d87f1ebbde6f328be0a99cdbcadf4d6589cf29de4b8ffd2")
        static let additional = bytes("436f756e742d30")
        static let plaintext = bytes("4265617574792069732074727574682c20747275746820626561757479")
        static let ciphertext = bytes(
            "5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f9076ac232e3ab2523f39513434")
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.utf8.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private static func key(_ secret: [UInt8], _ point: [UInt8]) throws -> P256AgreementKey? {
        var secret = secret
        let receiver = try P256PublicKey(x: Array(point[1...32]), y: Array(point[33...]))
        return P256AgreementKey(&secret, publicKey: receiver)
    }

    @Test func opensThePublishedMessage() throws {
        let key = try #require(try Self.key(Published.secret, Published.receiver))
        let opened = HPKE.open(
            Published.ciphertext, encapsulated: Published.encapsulated, info: Published.info, key: key,
            additionalData: Published.additional)
        #expect(opened == Published.plaintext)
    }

    @Test(arguments: 0..<4) func refusesWhatWasChanged(_ part: Int) throws {
        let key = try #require(try Self.key(Published.secret, Published.receiver))
        var parts = [Published.ciphertext, Published.encapsulated, Published.info, Published.additional]
        for place in [0, parts[part].count / 2, parts[part].count - 1] {
            parts[part][place] ^= 1
            #expect(
                HPKE.open(parts[0], encapsulated: parts[1], info: parts[2], key: key, additionalData: parts[3]) == nil)
            parts[part][place] ^= 1
        }
    }

    @Test func refusesMessagesThatAreTooShort() throws {
        let key = try #require(try Self.key(Published.secret, Published.receiver))
        for count in [0, 1, 15, 16] {
            #expect(
                HPKE.open(
                    Array(Published.ciphertext.prefix(count)), encapsulated: Published.encapsulated,
                    info: Published.info, key: key, additionalData: Published.additional) == nil)
        }
    }

    @Test func refusesPointsThatAreNotOnTheCurve() throws {
        let key = try #require(try Self.key(Published.secret, Published.receiver))
        let compressed = [0x02] + Published.encapsulated[1...32]
        for point in [[], [0], [UInt8](repeating: 0, count: 65), compressed, Published.encapsulated + [0]] {
            #expect(HPKE.open(Published.ciphertext, encapsulated: point, info: Published.info, key: key) == nil)
        }
    }

    @Test func importsOnlyTheTwoHalvesOfOneKey() throws {
        #expect(try Self.key(Published.secret, Published.encapsulated) == nil)
        #expect(try Self.key([UInt8](repeating: 0, count: 32), Published.receiver) == nil)
        #expect(try Self.key(Array(Published.secret.dropFirst()), Published.receiver) == nil)
        // The order of the curve and above.
        #expect(try Self.key([UInt8](repeating: 0xFF, count: 32), Published.receiver) == nil)
    }

    @Test func overwritesThePrivateNumber() throws {
        var secret = Published.secret
        let receiver = try P256PublicKey(
            x: Array(Published.receiver[1...32]), y: Array(Published.receiver[33...]))
        _ = P256AgreementKey(&secret, publicKey: receiver)
        #expect(secret.isEmpty)
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)")) func opensTheMessageOfOthers() throws {
        let file = SharedData.conformance.appendingPathComponent("desk/hpke.json")
        let one = try JSONDocument.parse(Array(try Data(contentsOf: file)))
        let text = { (name: String) in one[name]?.string?.description ?? "" }
        let coordinate = { (name: String) in
            try Base64URL.decode((one["recipient"]?[name]?.string?.description ?? "").utf8)
        }
        let key = try #require(try Self.key(coordinate("d"), [0x04] + coordinate("x") + coordinate("y")))
        let opened = HPKE.open(
            Self.bytes(text("ciphertext")), encapsulated: Self.bytes(text("enc")), info: Self.bytes(text("info")),
            key: key)
        #expect(opened == Self.bytes(text("plaintext")))
    }
}
