import CLibraries
import TestSupport
import Testing

@testable import Cryptography

/// OpenSSL's state is reused for keys that come and go. No verdict depends on earlier ones.
@Suite struct VerificationContextTests {
    /// Many objects for a few keys. Each object counts as a key of its own.
    private static func copies(of signers: [Signer], _ count: Int) throws -> [P256PublicKey] {
        try (0..<count).map { index in
            let key = signers[index % signers.count].key
            return try P256PublicKey(x: key.x, y: key.y)
        }
    }

    private static let message = Array("a message".utf8)[...]

    @Test func aVerdictDoesNotDependOnTheOneBefore() throws {
        let (signer, other) = (try Signer(), try Signer())
        let right = try signer.sign(Array(Self.message))
        let wrong = try other.sign(Array(Self.message))
        let context = try #require(VerificationContext())
        for isRight in [true, false, false, true, true, false, true] {
            #expect(signer.key.isValid(isRight ? right : wrong, for: Self.message, in: context) == isRight)
            #expect(other.key.isValid(isRight ? right : wrong, for: Self.message, in: context) == !isRight)
            #expect(!signer.key.isValid(right, for: Self.message.dropLast(), in: context))
            #expect(!signer.key.isValid(right, for: [], in: context))
            #expect(ERR_peek_error() == 0)
        }
        #expect(context.keyCount == 2)
    }

    /// Valid signatures, and ones with an error in r, in s, in the message or in the key, verified with and without
    /// kept state.
    @Test func agreesWithEVPThatKeepsNothing() throws {
        var random = SystemRandomNumberGenerator()
        let signers = try (0..<5).map { _ in try Signer() }
        let context = try #require(VerificationContext())
        var counts = (valid: 0, invalid: 0)
        for round in 0..<2000 {
            var message = (0..<Int.random(in: 0..<200, using: &random)).map { UInt8(truncatingIfNeeded: $0 &* round) }
            var bytes = try signers[round % 5].sign(message).bytes
            var verifier = signers[round % 5]
            switch round % 4 {
            case 1: bytes[Int.random(in: 0..<64, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: message.append(0)
            case 3: verifier = signers[Int.random(in: 0..<5, using: &random)]
            default: break
            }
            guard let signature = try? ES256Signature(bytes) else { continue }
            let isValid = verifier.isValid(signature, for: message)
            #expect(verifier.key.isValid(signature, for: message[...], in: context) == isValid)
            if isValid { counts.valid += 1 } else { counts.invalid += 1 }
        }
        #expect(counts.valid >= 500 && counts.invalid > 500)
    }

    /// Messages of all lengths around the blocks of SHA-256, with longer ones after shorter ones and the reverse.
    @Test func digestsAnyNumberOfMessagesInOneContext() throws {
        let context = try #require(SHA256Context())
        var digest = [UInt8](repeating: 0, count: SHA256.digestLength)
        for count in Array(0..<200) + (0..<200).reversed() {
            let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            #expect(context.digest(message[...], into: &digest))
            #expect(digest == SHA256.digest(message))
        }
        var short = [UInt8](repeating: 0, count: 31)
        #expect(!context.digest(Self.message, into: &short))
    }

    @Test func signaturesOfEveryLengthShareTheirMemory() throws {
        let small = [UInt8](repeating: 0, count: 31) + [1]
        let large = [UInt8](repeating: 0x80, count: 32)
        var der: [UInt8] = []
        for bytes in [large + large, small + small, small + large, large + small, large + large] {
            let signature = try ES256Signature(bytes)
            der.removeAll(keepingCapacity: true)
            signature.appendDER(to: &der)
            #expect(der == signature.der)
        }
        try ES256Signature(small + small).appendDER(to: &der)
        #expect(der.suffix(8) == [0x30, 6, 2, 1, 1, 2, 1, 1])
    }

    /// More keys than are kept. Dropped keys are used again, after their objects may have been freed elsewhere.
    @Test func droppedKeysCanBeUsedAgain() throws {
        let signers = try (0..<3).map { _ in try Signer() }
        let signatures = try signers.map { try $0.sign(Array(Self.message)) }
        let context = try #require(VerificationContext())
        let first = try Self.copies(of: signers, VerificationContext.maximumKeys)
        for round in 0..<2 {
            for (index, key) in first.enumerated() {
                #expect(key.isValid(signatures[index % 3], for: Self.message, in: context))
            }
            #expect(context.keyCount <= VerificationContext.maximumKeys)
            // No other object keeps these alive, so their memory may be reused for other keys.
            for index in 0..<40 {
                let key = try P256PublicKey(x: signers[index % 3].key.x, y: signers[index % 3].key.y)
                #expect(key.isValid(signatures[index % 3], for: Self.message, in: context))
                #expect(!key.isValid(signatures[(index + 1) % 3], for: Self.message, in: context), "\(round)")
            }
            #expect(context.keyCount <= VerificationContext.maximumKeys)
        }
    }

    @Test func confirmersUseDroppedKeysAgain() throws {
        let signers = try (0..<3).map { _ in try Signer() }
        let signatures = try signers.map { try $0.sign(Array(Self.message)) }
        let confirmer = try #require(TableConfirmer(tables: KeyTables()))
        let keys = try Self.copies(of: signers, TableConfirmer.maximumKnown + 100)
        for start in [0, 4000, 4100, 0] {
            var claims: [SignatureClaim?] = keys[start...].prefix(start == 0 ? keys.count : 96).indices.map { index in
                SignatureClaim(
                    signature: signatures[(index.isMultiple(of: 5) ? index + 1 : index) % 3], key: keys[index],
                    message: Self.message)
            }
            confirmer.answer(&claims)
            for (offset, claim) in claims.enumerated() {
                #expect((claim?.answer == .confirmed) == !(start + offset).isMultiple(of: 5))
            }
            #expect(confirmer.keyCount <= TableConfirmer.maximumKnown)
        }
    }

    /// One key in two contexts on two threads, each with valid and invalid signatures.
    @Test func oneKeyServesContextsOfSeveralThreads() async throws {
        let signer = try Signer()
        let right = try signer.sign(Array(Self.message))
        let wrong = try Signer().sign(Array(Self.message))
        let key = signer.key
        let mistakes = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    guard let context = VerificationContext() else { return 1 }
                    return (0..<300).count { index in
                        let isRight = index.isMultiple(of: 3)
                        return key.isValid(isRight ? right : wrong, for: Self.message, in: context) != isRight
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(mistakes == 0)
    }

    /// A context may live longer than the objects that made its keys.
    @Test func aContextKeepsItsKeysAlive() throws {
        let context = try #require(VerificationContext())
        var signer: Signer? = try Signer()
        let signature = try #require(try signer?.sign(Array(Self.message)))
        let (x, y) = (try #require(signer?.key.x), try #require(signer?.key.y))
        #expect(signer?.key.isValid(signature, for: Self.message, in: context) == true)
        signer = nil
        for _ in 0..<20 {
            let other = try Signer()
            #expect(!other.key.isValid(signature, for: Self.message, in: context))
        }
        #expect(try P256PublicKey(x: x, y: y).isValid(signature, for: Self.message, in: context))
    }
}
