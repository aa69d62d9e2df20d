import Crypto
import Cryptography
import Foundation
import Testing

/// Compares verdicts on signatures with those of swift-crypto.
@Suite struct VerdictTests {
    /// The verdict of this project.
    private func verdict(_ signature: [UInt8], _ message: [UInt8], by key: P256.Signing.PublicKey) throws -> Bool {
        let point = Array(key.rawRepresentation)
        let ours = try P256PublicKey(x: Array(point[..<32]), y: Array(point[32...]))
        guard let signature = try? ES256Signature(signature) else { return false }
        return ours.isValid(signature, for: message[...])
    }

    /// The verdict of swift-crypto.
    private func expected(_ signature: [UInt8], _ message: [UInt8], by key: P256.Signing.PublicKey) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
        return key.isValidSignature(signature, for: message)
    }

    /// n, the order of the base point of P-256 (FIPS 186-5).
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// n minus a number below n. For the s of a valid signature, this is the other s that is valid too.
    private func negated(_ number: ArraySlice<UInt8>) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        var borrow = 0
        for (place, byte) in number.enumerated().reversed() {
            let difference = Int(Self.order[place]) - Int(byte) - borrow
            borrow = difference < 0 ? 1 : 0
            result[place] = UInt8(truncatingIfNeeded: difference)
        }
        return result
    }

    /// The signature itself, damaged copies of it, and signatures at the edges of the range.
    private func variants(of signature: [UInt8]) -> [[UInt8]] {
        let (r, s) = (Array(signature[..<32]), Array(signature[32...]))
        let zero = [UInt8](repeating: 0, count: 32)
        let last = negated(zero[..<31] + [1])
        var variants = [
            signature, r + negated(s[...]), negated(r[...]) + s, s + r, zero + s, r + zero, zero + zero, Self.order + s,
            r + Self.order, last + s, r + last, zero.dropLast() + [1] + s, signature + [0], signature.dropLast(), [],
        ]
        for bit in stride(from: 0, to: 512, by: 37) {
            var damaged = signature
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            variants.append(damaged)
        }
        return variants
    }

    @Test func verdictsAgreeOnSignaturesOfManyKeys() throws {
        var valid = 0
        for number in 0..<200 {
            let key = P256.Signing.PrivateKey()
            let message = Array("message \(number)".utf8)
            let signature = Array(try key.signature(for: message).rawRepresentation)
            for variant in variants(of: signature) {
                let isValid = expected(variant, message, by: key.publicKey)
                valid += isValid ? 1 : 0
                #expect(try verdict(variant, message, by: key.publicKey) == isValid, "\(variant)")
            }
            #expect(try !verdict(signature, message + [0], by: key.publicKey))
        }
        // Of each key, the signature itself and the one with the other s.
        #expect(valid == 400)
    }

    @Test func verdictsAgreeOnTheCardsOfTheVectors() throws {
        let vectors = URL(filePath: #filePath).appending(path: "../../../../../TestVectors").standardizedFileURL
        let set = try JWKSet(Array(Data(contentsOf: vectors.appending(path: "keys/issuer-a.jwks.json"))))
        let keys = try set.allUsable.map { try P256.Signing.PublicKey(rawRepresentation: $0.key.x + $0.key.y) }
        // Some cards are files, the others texts in the index.
        let files = FileManager.default.enumerator(
            at: vectors.appending(path: "cards"), includingPropertiesForKeys: nil)
        let index = try JSONSerialization.jsonObject(with: Data(contentsOf: vectors.appending(path: "vectors.json")))
        var cards: [String: Data] = [:]
        for (path, text) in (index as? [String: Any])?["texts"] as? [String: Any] ?? [:] {
            cards[path] = (text as? String).map { Data($0.utf8) }
        }
        while let file = files?.nextObject() as? URL { cards[file.path] = try? Data(contentsOf: file) }
        var valid = 0
        for (path, content) in cards {
            guard path.hasSuffix(".jws"), let jws = try? CompactJWS(Array(content)) else { continue }
            for key in keys {
                let isValid = expected(jws.signature, Array(jws.signingInput), by: key)
                valid += isValid ? 1 : 0
                #expect(try verdict(jws.signature, Array(jws.signingInput), by: key) == isValid, "\(path)")
            }
        }
        #expect(valid > 100)
    }
}
