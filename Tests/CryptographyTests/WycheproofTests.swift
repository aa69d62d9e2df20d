import Encodings
import TestSupport
import Testing

@testable import Cryptography

private let ecdsa = "wycheproof/ecdsa_secp256r1_sha256_p1363_test.json"
private let pss = "wycheproof/rsa_pss_2048_sha256_mgf1_32_test.json"
private let gcm = "wycheproof/aes_gcm_test.json"

/// The cases of Project Wycheproof, which cover the known mistakes in cryptography, and our own of the same classes.
@Suite struct WycheproofTests {
    @Test(.enabled(if: SharedData.isPresent(file: ecdsa), "\(SharedData.absence(of: ecdsa))"))
    func agreesOnEverySignature() throws {
        #expect(try judgeECDSA(WycheproofFile(shared: ecdsa)) == 262)
    }

    @Test func agreesOnOurSignatures() throws {
        #expect(try judgeECDSA(WycheproofFile(edges: "ecdsa_p256_sha256_p1363")) > 200)
    }

    @Test(.enabled(if: SharedData.isPresent(file: pss), "\(SharedData.absence(of: pss))"))
    func agreesOnEveryPSSSignature() throws {
        #expect(try judgePSS(WycheproofFile(shared: pss)) > 50)
    }

    @Test func agreesOnOurPSSSignatures() throws {
        #expect(try judgePSS(WycheproofFile(edges: "rsa_pss_sha256_mgf1_32")) > 70)
    }

    @Test(.enabled(if: SharedData.isPresent(file: gcm), "\(SharedData.absence(of: gcm))"))
    func opensEveryGCMCase() throws {
        #expect(try judgeGCM(WycheproofFile(shared: gcm)) > 100)
    }

    @Test func opensOurGCMCases() throws {
        #expect(try judgeGCM(WycheproofFile(edges: "aes_gcm")) > 100)
    }

    // MARK: ECDSA

    private func judgeECDSA(_ file: WycheproofFile) throws -> Int {
        let confirmation = try #require(SignatureConfirmation())
        let context = try #require(VerificationContext())
        for group in file.groups {
            let point = try hexadecimal(group.value["publicKey"]?["uncompressed"], of: "the point")
            try #require(point.count == 65 && point[0] == 4)
            let key = try? P256PublicKey(x: Array(point[1..<33]), y: Array(point[33...]))
            if let jwk = group.value["publicKeyJwk"] { #expect((try? JWK(jwk).publicKey()) == key) }
            let table = try key.map { try #require(P256KeyTable($0)) }
            for test in group.cases {
                let signature = try? ES256Signature(test.bytes("sig"))
                let message = try test.bytes("msg")
                var isValid = false
                if let key, let signature {
                    isValid = key.isValid(signature, for: message[...])
                    #expect(key.isValid(signature, for: message[...], in: context) == isValid, "\(test)")
                    for table in [nil, table] {
                        let known = try #require(confirmation.know(key, table: table))
                        let claim = DigestClaim(signature: signature, key: known, digest: SHA256.digest(message))
                        #expect(confirmation.confirm([claim]) == [isValid], "\(test)")
                    }
                }
                #expect(try isValid == test.isToBeAccepted([]), "\(test)")
            }
        }
        return file.cases.count
    }

    // MARK: RSASSA-PSS

    private static let pssRulings: [WycheproofFile.Ruling] = [
        .refuses("An exponent of more than 64 bits makes verifying slow, and no issuer has one.") {
            $0.has("LongExponent")
        }
    ]

    private func judgePSS(_ file: WycheproofFile) throws -> Int {
        let context = try #require(VerificationContext())
        for group in file.groups {
            let key = try? PS256PublicKey(
                modulus: hexadecimal(group.value["publicKey"]?["modulus"] ?? group.value["n"], of: "the modulus"),
                exponent: hexadecimal(
                    group.value["publicKey"]?["publicExponent"] ?? group.value["e"], of: "the exponent"))
            for test in group.cases {
                let (signature, message) = (try test.bytes("sig"), try test.bytes("msg"))
                let isValid = key?.isValid(signature[...], for: message[...]) ?? false
                if let key {
                    #expect(key.isValid(signature[...], for: message[...], in: context) == isValid, "\(test)")
                    let known = try MessageSignature(signature[...], by: .ps256)
                    #expect(VerificationKey.ps256(key).isValid(known, for: message[...]) == isValid, "\(test)")
                }
                #expect(try isValid == test.isToBeAccepted(Self.pssRulings), "\(test)")
            }
        }
        return file.cases.count
    }

    // MARK: AES-GCM

    private static let gcmRulings: [WycheproofFile.Ruling] = [
        .refuses("A256GCM has keys of 256 bits (RFC 7518 §5.3).") { $0.size("keySize") != 256 },
        .refuses("A256GCM has initialization vectors of 96 bits.") { $0.size("ivSize") != 96 },
        .refuses("A256GCM has tags of 128 bits. A shorter one is easier to forge.") { $0.size("tagSize") != 128 },
    ]

    private func judgeGCM(_ file: WycheproofFile) throws -> Int {
        for test in file.cases {
            func open(keyLength: Int) throws -> [UInt8]? {
                var key = try test.bytes("key")
                return AESGCM.open(
                    try test.bytes("ct"), initializationVector: try test.bytes("iv"), tag: try test.bytes("tag"),
                    additionalData: try test.bytes("aad")[...], key: SecretBytes(&key), keyLength: keyLength)
            }
            var key = try test.bytes("key")
            let opened = AES256GCM.open(
                try test.bytes("ct"), initializationVector: try test.bytes("iv"), tag: try test.bytes("tag"),
                additionalData: try test.bytes("aad")[...], key: SecretBytes(&key))
            let expected = try test.isToBeAccepted(Self.gcmRulings) ? try test.bytes("msg") : nil
            #expect(opened == expected, "\(test)")
            #expect(try open(keyLength: 32) == expected, "\(test)")
            // HPKE has keys of 128 bits too.
            let short = try test.isToBeAccepted(Array(Self.gcmRulings.dropFirst()))
            let isOfHPKE = short && test.size("keySize") == 128
            #expect(try open(keyLength: 16) == (isOfHPKE ? try test.bytes("msg") : nil), "\(test)")
            #expect(try open(keyLength: 24) == nil, "\(test)")
        }
        return file.cases.count
    }
}
