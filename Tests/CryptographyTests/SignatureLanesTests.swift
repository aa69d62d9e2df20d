import Encodings
import Foundation
import TestSupport
import Testing

@testable import Cryptography

/// crypto_mb confirms exactly the signatures that EVP says are good, in every lane and at every size of a group; but for those over a
/// digest that is 0 modulo n, which no message has that anybody could find.
@Suite(.enabled(if: LaneLibrary.path != nil, "\(LaneLibrary.absence)"))
struct SignatureLanesTests {
    private let lanes: SignatureLanes
    private let group: LaneGroup

    init() throws {
        lanes = try SignatureLanes(path: #require(LaneLibrary.path)) { _ in
            Issue.record("the library was found to be wrong")
        }
        group = try #require(LaneGroup(lanes))
    }

    /// Compares with what is expected, in groups of every size and with each case in every lane.
    private func expect(_ cases: [(claim: LaneClaim, isGood: Bool)], _ why: String = "") {
        for size in 1...LaneGroup.size {
            for start in cases.indices {
                let part = (start..<start + size).map { cases[$0 % cases.count] }
                #expect(group.confirmed(part.map(\.claim)) == part.map(\.isGood), "\(why) at \(start), \(size) lanes")
            }
        }
    }

    @Test func saysItsVersion() {
        #expect(lanes.version.contains(/^[0-9]+\.[0-9]+\.[0-9]+$/))
        #expect(lanes.isInUse)
    }

    /// The library does not confirm good signatures over a digest of 0. EVP does.
    @Test func agreesOnChosenDigests() throws {
        let missed = "a digest of 0"
        let cases = try SignatureConfirmationTests.cases.map { each in
            let key = try P256PublicKey(x: each.x, y: each.y)
            return (
                claim: LaneClaim(signature: try ES256Signature(each.signature), key: key, digest: each.digest),
                isGood: each.isValid && each.why != missed
            )
        }
        #expect(cases.count > 100)
        #expect(SignatureConfirmationTests.cases.contains { $0.why == missed && $0.isValid })
        expect(cases)
        for (each, made) in zip(SignatureConfirmationTests.cases, cases) {
            #expect(group.confirmed([made.claim]) == [made.isGood], "\(each.why)")
        }
    }

    /// Digests that are not below n, which the library itself would refuse.
    @Test func agreesOnDigestsNearTheOrder() throws {
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25,
        ]
        let signer = try Signer()
        let digests =
            [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32)]
            + [0x50, 0x51, 0x52].map { order + [$0] }
        var cases: [(claim: LaneClaim, isGood: Bool)] = []
        for signed in digests {
            let signature = try signer.sign(digest: signed)
            for other in digests {
                let claim = LaneClaim(signature: signature, key: signer.key, digest: other)
                // n is 0 too.
                let isZero = [digests[0], digests[3]].contains(other)
                cases.append((claim, signed == other && !isZero))
            }
        }
        expect(cases)
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)")) func agreesWithWycheproof() throws {
        let file = try JSONDocument.parse(SharedData.bytes("wycheproof/ecdsa_secp256r1_sha256_p1363_test.json"))
        var cases: [(claim: LaneClaim, isGood: Bool)] = []
        for each in try #require(file["testGroups"]?.elements) {
            let point = try hexadecimal(each["publicKey"]?["uncompressed"], of: "the point")
            let key = try P256PublicKey(x: Array(point[1..<33]), y: Array(point[33...]))
            for test in try #require(each["tests"]?.elements) {
                // The others are refused before any arithmetic.
                guard let signature = try? ES256Signature(hexadecimal(test["sig"], of: "the signature")) else {
                    continue
                }
                let digest = SHA256.digest(try hexadecimal(test["msg"], of: "the message"))
                cases.append(
                    (LaneClaim(signature: signature, key: key, digest: digest), test["result"]?.string == "valid"))
            }
        }
        #expect(cases.count == 191)
        expect(cases)
    }

    /// Good signatures, and ones with a bit changed in the message, in r or in s, or of another key, in groups of every size.
    @Test(.timeLimit(.minutes(60))) func agreesWithEVPOnManySignatures() throws {
        let environment = ProcessInfo.processInfo.environment
        let count =
            environment["SHCVERIFY_LANES_COUNT"].flatMap { Int($0) } ?? (BuiltProduct.sanitizer == nil ? 100_000 : 5000)
        var random = SystemRandomNumberGenerator()
        let signers = try (0..<40).map { _ in try Signer() }
        let context = try #require(VerificationContext())
        var (done, good, size) = (0, 0, 1)
        var claims: [LaneClaim] = []
        var answers: [Bool] = []
        func flip(_ bytes: inout [UInt8], _ range: Range<Int>) {
            bytes[Int.random(in: range, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        while done < count {
            let index = Int.random(in: signers.indices, using: &random)
            var message = (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
            let signature = try signers[index].sign(message)
            for change in [0, 1, 2, 3, 4].shuffled(using: &random) {
                var (bytes, key) = (signature.bytes, index)
                let unchanged = message
                switch change {
                case 1: flip(&message, 0..<64)
                case 2: flip(&bytes, 0..<32)
                case 3: flip(&bytes, 32..<64)
                case 4: key = (index + 1) % signers.count
                default: break
                }
                if let changed = try? ES256Signature(bytes) {
                    claims.append(LaneClaim(signature: changed, key: signers[key].key, digest: SHA256.digest(message)))
                    answers.append(signers[key].key.isValid(changed, for: message[...], in: context))
                }
                message = unchanged
                guard claims.count >= size else { continue }
                let asked = Array(claims.prefix(size))
                let expected = Array(answers.prefix(size))
                if group.confirmed(asked) != expected { Issue.record("\(size) lanes: not \(expected)") }
                claims.removeFirst(size)
                answers.removeFirst(size)
                done += size
                good += expected.count { $0 }
                size = size % LaneGroup.size + 1
            }
        }
        #expect(good > count / 6 && good < count / 4)
    }

    /// For a key that comes often, three at a time, a table takes less time than lanes that are mostly empty. For eight, lanes do.
    @Test func keysGetTablesIfFewComeAtATime() throws {
        let signer = try Signer()
        let message = Array("a message".utf8)
        let claim = SignatureClaim(signature: try signer.sign(message), key: signer.key, message: message[...])
        for (count, getsTable) in [(2, true), (3, true), (6, true), (7, false), (8, false), (32, false)] {
            let tables = try #require(TableConfirmer(tables: KeyTables()))
            let confirmer = try #require(LaneConfirmer(lanes, rest: tables))
            for _ in 0..<(KeyTables.threshold / count + 50) {
                #expect(confirmer.confirmed(Array(repeating: claim, count: count)).count == count)
            }
            #expect(tables.hasTable(of: signer.key) == getsTable, "\(count) at a time")
        }
    }

    /// Through the type that the verifiers use, with places that claim nothing, and with any number of claims.
    @Test func confirmsThroughTheProtocol() throws {
        let confirmer = try #require(LaneConfirmer(lanes, rest: TableConfirmer(tables: KeyTables())))
        let signers = try (0..<5).map { _ in try Signer() }
        for count in 0...40 {
            var expected: [Bool?] = []
            var claims: [SignatureClaim?] = try (0..<count).map { index in
                guard index % 7 != 5 else {
                    expected.append(nil)
                    return nil
                }
                let message = Array("message \(count) \(index)".utf8)
                let signature = try signers[index % 5].sign(message)
                expected.append(index % 6 != 4)
                let signer = signers[index % 6 == 4 ? (index + 1) % 5 : index % 5]
                return SignatureClaim(signature: signature, key: signer.key, message: message[...])
            }
            confirmer.answer(&claims)
            #expect(claims.map { $0.map { $0.answer == .confirmed } } == expected, "\(count) claims")
        }
        #expect(lanes.isInUse)
    }
}
