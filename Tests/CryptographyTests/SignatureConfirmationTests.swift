import CLibraries
import Encodings
import Foundation
import TestSupport
import Testing

@testable import Cryptography

/// The faster way to confirm signatures agrees with EVP.
@Suite struct SignatureConfirmationTests {
    /// Signatures over chosen digests, computed by another implementation.
    struct Case: Sendable, CustomTestStringConvertible {
        let why: String
        let isValid: Bool
        let x: [UInt8]
        let y: [UInt8]
        let digest: [UInt8]
        let signature: [UInt8]

        var testDescription: String { why }
    }

    static let cases: [Case] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("TestVectors/signatures.json")
        guard let data = try? Data(contentsOf: file), let index = try? JSONDocument.parse(Array(data)) else {
            return []
        }
        return index["vectors"]?.elements?.map { each in
            Case(
                why: each["why"]?.string?.description ?? "", isValid: each["valid"]?.boolean ?? false,
                x: bytes(each["x"]),
                y: bytes(each["y"]), digest: bytes(each["digest"]), signature: bytes(each["signature"]))
        } ?? []
    }()

    private static func bytes(_ hexadecimal: JSONValue?) -> [UInt8] {
        let digits = Array(hexadecimal?.string?.description ?? "")
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 }
    }

    /// Each case alone, with and without a table, compared with OpenSSL's verification of the digest.
    @Test func agreesOnChosenDigests() throws {
        #expect(Self.cases.count > 100)
        let confirmation = try #require(SignatureConfirmation())
        for each in Self.cases {
            let key = try P256PublicKey(x: each.x, y: each.y)
            let signature = try ES256Signature(each.signature)
            let table = try #require(P256KeyTable(key))
            #expect(Self.isValid(signature, over: each.digest, by: key) == each.isValid, "\(each.why)")
            for table in [nil, table] {
                let known = try #require(confirmation.know(key, table: table))
                let claim = DigestClaim(signature: signature, key: known, digest: each.digest)
                #expect(confirmation.confirm([claim]) == [each.isValid], "\(each.why)")
            }
        }
    }

    /// The cases share inversions, in all rotations, so no case may affect its neighbours.
    @Test func neighboursDoNotMatter() throws {
        let confirmation = try #require(SignatureConfirmation())
        let claims = try Self.cases.map { each in
            DigestClaim(
                signature: try ES256Signature(each.signature),
                key: try #require(confirmation.know(P256PublicKey(x: each.x, y: each.y))), digest: each.digest)
        }
        let expected = Self.cases.map(\.isValid)
        for start in stride(from: 0, to: claims.count, by: 7) {
            let rotated = Array(claims[start...] + claims[..<start])
            #expect(confirmation.confirm(rotated) == Array(expected[start...] + expected[..<start]))
        }
        #expect(confirmation.confirm([]).isEmpty)
    }

    /// Digests are numbers of 256 bits, some of which are not below n: 0, n − 1, n, n + 1, and the largest.
    @Test func agreesOnDigestsNearTheOrder() throws {
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25,
        ]
        let confirmation = try #require(SignatureConfirmation())
        let signer = try Signer()
        let known = try #require(confirmation.know(signer.key))
        let digests =
            [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32)]
            + [0x50, 0x51, 0x52].map { order + [$0] }
        for digest in digests {
            let signature = try signer.sign(digest: digest)
            for other in digests {
                let isValid = Self.isValid(signature, over: other, by: signer.key)
                let claim = DigestClaim(signature: signature, key: known, digest: other)
                #expect(confirmation.confirm([claim, claim]) == [isValid, isValid])
            }
            #expect(Self.isValid(signature, over: digest, by: signer.key))
        }
    }

    @Test func aTableOfAnotherKeyConfirmsNothing() throws {
        let confirmation = try #require(SignatureConfirmation())
        let each = try #require(Self.cases.first)
        let key = try P256PublicKey(x: each.x, y: each.y)
        let other = try P256PublicKey(x: each.x, y: Self.negative(of: each.y))
        let claim = DigestClaim(
            signature: try ES256Signature(each.signature),
            key: try #require(confirmation.know(key, table: P256KeyTable(other))), digest: each.digest)
        #expect(confirmation.confirm([claim]) == [false])
    }

    /// Valid signatures, and signatures with a bit changed in the message, in r or in s, or checked with another key.
    @Test(.timeLimit(.minutes(30))) func agreesWithEVPOnManySignatures() throws {
        var random = SystemRandomNumberGenerator()
        let confirmation = try #require(SignatureConfirmation())
        let context = try #require(VerificationContext())
        let signers = try (0..<6).map { _ in try Signer() }
        let known = try signers.map { try #require(confirmation.know($0.key)) }
        let tabled = try signers.map { try #require(confirmation.know($0.key, table: P256KeyTable($0.key))) }
        // A sanitizer is slow, and fewer signatures show it as much.
        let rounds = ProcessInfo.processInfo.environment["SANITIZE"] == nil ? 340 : 34
        var count = 0
        for round in 0..<rounds {
            var claims: [DigestClaim] = []
            var answers: [Bool] = []
            for (index, signer) in signers.enumerated() {
                for _ in 0..<10 {
                    var message = [UInt8](repeating: 0, count: 64).map { _ in UInt8.random(in: 0...255, using: &random)
                    }
                    let signature = try signer.sign(message)
                    for change in 0..<5 {
                        var bytes = signature.bytes
                        var key = index
                        switch change {
                        case 1:
                            message[Int.random(in: 0..<64, using: &random)] ^=
                                1 << UInt8.random(in: 0..<8, using: &random)
                        case 2:
                            bytes[Int.random(in: 0..<32, using: &random)] ^=
                                1 << UInt8.random(in: 0..<8, using: &random)
                        case 3:
                            bytes[Int.random(in: 32..<64, using: &random)] ^=
                                1 << UInt8.random(in: 0..<8, using: &random)
                        case 4: key = (index + 1) % signers.count
                        default: break
                        }
                        guard let changed = try? ES256Signature(bytes) else { continue }
                        claims.append(
                            DigestClaim(
                                signature: changed, key: round.isMultiple(of: 2) ? tabled[key] : known[key],
                                digest: SHA256.digest(message)))
                        answers.append(signers[key].key.isValid(changed, for: message[...], in: context))
                    }
                }
            }
            #expect(confirmation.confirm(claims) == answers)
            count += claims.count
        }
        #expect(count > 295 * rounds)
    }

    @Test func aKeyGetsATableAfterEnoughValidSignatures() throws {
        let tables = KeyTables()
        let signer = try Signer()
        #expect(tables.add(KeyTables.threshold - 1, to: signer.key) == nil)
        let table = try #require(tables.add(1, to: signer.key))
        #expect(tables.add(1, to: signer.key) === table)
        #expect(table.isOf(try P256PublicKey(x: signer.key.x, y: signer.key.y)))
    }

    /// Signatures are confirmed through the public type, before and after the table is made.
    @Test func confirmsWithTheTable() throws {
        let confirmer = try #require(TableConfirmer(tables: KeyTables()))
        let signer = try Signer()
        let messages = (0..<KeyTables.threshold * 2).map { Array("message \($0)".utf8) }
        let signatures = try messages.map { try signer.sign($0) }
        for start in stride(from: 0, to: messages.count, by: 100) {
            var claims: [SignatureClaim?] = (start..<start + 100).map { index in
                SignatureClaim(
                    signature: signatures[index], key: signer.key,
                    message: messages[index.isMultiple(of: 10) ? (index + 1) % messages.count : index][...])
            }
            claims.insert(nil, at: 50)
            confirmer.answer(&claims)
            #expect(
                claims.compactMap { $0.map { $0.answer == .confirmed } }
                    == (start..<start + 100).map { !$0.isMultiple(of: 10) })
        }
    }

    // MARK: With OpenSSL

    private static func negative(of y: [UInt8]) -> [UInt8] {
        let field: [UInt8] =
            [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 12)
            + [UInt8](repeating: 0xFF, count: 12)
        var result = [UInt8](repeating: 0, count: 32)
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(field[index]) - Int(y[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            result[index] = UInt8(truncatingIfNeeded: difference)
        }
        return result
    }

    private static func isValid(_ signature: ES256Signature, over digest: [UInt8], by key: P256PublicKey) -> Bool {
        key.withKey { key in
            guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
            defer { EVP_PKEY_CTX_free(context) }
            let der = signature.der
            return EVP_PKEY_verify_init(context) == 1
                && EVP_PKEY_verify(context, der, der.count, digest, digest.count) == 1
        }
    }
}
