import StrictJSON
import TestSupport
import Testing

@testable import Cryptography
@testable import JOSE

/// The signatures of Project Wycheproof, which cover the known mistakes of ECDSA verifiers.
@Suite(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
struct WycheproofTests {
    @Test func agreesOnEverySignature() throws {
        let file = try JSONDocument.parse(
            SharedData.bytes("wycheproof/ecdsa_secp256r1_sha256_p1363_test.json"))
        let confirmation = try #require(SignatureConfirmation())
        let context = try #require(VerificationContext())
        var count = 0
        for group in try #require(file["testGroups"]?.elements) {
            let point = try Self.hexadecimal(group["publicKey"]?["uncompressed"])
            #expect(point.count == 65 && point[0] == 4)
            let key = try P256PublicKey(x: Array(point[1..<33]), y: Array(point[33...]))
            let table = try #require(P256KeyTable(key))
            if let jwk = group["publicKeyJwk"] { #expect(try JWK(jwk).publicKey() == key) }
            for test in try #require(group["tests"]?.elements) {
                let signature = try? ES256Signature(Self.hexadecimal(test["sig"]))
                let message = try Self.hexadecimal(test["msg"])
                let isValid = signature.map { key.isValid($0, for: message[...]) } ?? false
                if let signature {
                    #expect(key.isValid(signature, for: message[...], in: context) == isValid)
                    for table in [nil, table] {
                        let known = try #require(confirmation.know(key, table: table))
                        let claim = DigestClaim(signature: signature, key: known, digest: SHA256.digest(message))
                        #expect(confirmation.confirm([claim]) == [isValid])
                    }
                }
                #expect(isValid == (test["result"]?.string == "valid"), "test \(test["tcId"]?.number?.digits ?? "")")
                count += 1
            }
        }
        #expect(count == 262)
    }

    static func hexadecimal(_ value: JSONValue?) throws -> [UInt8] {
        let digits = try #require(value?.stringBytes)
        try #require(digits.count.isMultiple(of: 2))
        return try stride(from: 0, to: digits.count, by: 2).map {
            try #require(UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16))
        }
    }
}
