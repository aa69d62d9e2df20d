import CLibraries
import Encodings
import Testing

@testable import Cryptography

@Suite struct PS256PublicKeyTests {
    private static let message = Array("a message to sign".utf8)
    private static let f4: [UInt8] = [1, 0, 1]

    private func key(_ modulus: String = PS256Vectors.rsa2048, exponent: [UInt8] = f4) throws -> PS256PublicKey {
        try PS256PublicKey(modulus: Base64.decode(Array(modulus.utf8)), exponent: exponent)
    }

    private func isValid(_ signature: [UInt8], by key: PS256PublicKey) -> Bool {
        key.isValid(signature[...], for: Self.message[...])
    }

    // MARK: Keys

    @Test func ignoresLeadingZeros() throws {
        let modulus = try Base64.decode(Array(PS256Vectors.rsa2048.utf8))
        let key = try PS256PublicKey(modulus: [0, 0] + modulus, exponent: [0] + Self.f4)
        #expect(key.modulus == modulus)
        #expect(key.exponent == Self.f4)
        #expect(try key == self.key())
        #expect(try Set([key, self.key(), self.key(PS256Vectors.rsa3072)]).count == 2)
        #expect(try key != self.key(exponent: [3]))
    }

    @Test func rejectsModuliOfOtherSizes() throws {
        func error(_ modulus: [UInt8]) -> String? {
            #expect(throws: Malformed.self) { try PS256PublicKey(modulus: modulus, exponent: Self.f4) }?.description
        }
        let notAKey = "a pair of numbers that is no RSA key"
        #expect(
            error(try Base64.decode(Array(PS256Vectors.rsa1024.utf8)))
                == "an RSA key of 1024 bits, and at least 2048 are required")
        #expect(
            error([0x7F] + [UInt8](repeating: 0xFF, count: 255))
                == "an RSA key of 2047 bits, and at least 2048 are required")
        #expect(
            error([1] + [UInt8](repeating: 0xFF, count: 1024))
                == "an RSA key of 8193 bits, and at most 8192 are supported")
        #expect(error([]) == notAKey)
        #expect(error([0, 0]) == notAKey)
        #expect(error([0xFF] + [UInt8](repeating: 0xFE, count: 255)) == notAKey)
        #expect(ERR_peek_error() == 0)
    }

    @Test(arguments: [[], [0], [1], [0, 1], [2], [1, 0], [1, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 1]] as [[UInt8]])
    func rejectsBadExponents(_ exponent: [UInt8]) {
        #expect(throws: Malformed("an RSA key whose public exponent is even, 1, or longer than 64 bits")) {
            try key(exponent: exponent)
        }
    }

    // MARK: Signatures

    @Test(arguments: [
        (PS256Vectors.rsa2048, f4, PS256Vectors.signedRsa2048), (PS256Vectors.rsa2048, f4, PS256Vectors.leadingZero),
        (PS256Vectors.rsa2049, f4, PS256Vectors.signedRsa2049), (PS256Vectors.rsa3072, f4, PS256Vectors.signedRsa3072),
        (PS256Vectors.rsaE3, [3], PS256Vectors.signedRsaE3),
    ])
    func verifiesSignatures(_ modulus: String, _ exponent: [UInt8], _ signature: String) throws {
        let key = try key(modulus, exponent: exponent)
        let signature = try Base64.decode(Array(signature.utf8))
        #expect(signature.count == key.modulus.count)
        #expect(isValid(signature, by: key))
        #expect(key.isValid(([9, 9] + signature)[2...], for: ([7] + Self.message)[1...]))
        #expect(!key.isValid(signature[...], for: Self.message.dropLast()))
        #expect(!key.isValid(signature[...], for: []))
        for bit in stride(from: 0, to: signature.count * 8, by: 37) {
            var changed = signature
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(!isValid(changed, by: key), "bit \(bit)")
        }
        #expect(ERR_peek_error() == 0)
    }

    @Test(arguments: [
        PS256Vectors.salt0, PS256Vectors.salt20, PS256Vectors.salt31, PS256Vectors.salt33, PS256Vectors.saltMaximal,
        PS256Vectors.pkcs1, PS256Vectors.sha512, PS256Vectors.mask1,
    ])
    func rejectsOtherKindsOfSignatures(_ signature: String) throws {
        let signature = try Base64.decode(Array(signature.utf8))
        #expect(signature.count == 256)
        #expect(try !isValid(signature, by: key()))
        #expect(ERR_peek_error() == 0)
    }

    /// The signature is a number, which has only one form.
    @Test func rejectsSignaturesOfOtherLengths() throws {
        let key = try key()
        let signature = try Base64.decode(Array(PS256Vectors.leadingZero.utf8))
        #expect(signature.first == 0)
        for other in [[], Array(signature.dropFirst()), [0] + signature, signature + [0], signature.dropLast()] {
            #expect(!isValid(other, by: key), "\(other.count)")
        }
        // The number plus the modulus, which has the same length if it does not overflow.
        var sum = signature
        var carry = 0
        for index in sum.indices.reversed() {
            carry += Int(sum[index]) + Int(key.modulus[index])
            sum[index] = UInt8(carry & 0xFF)
            carry >>= 8
        }
        #expect(carry == 1 || !isValid(sum, by: key))
        #expect(!isValid([UInt8](repeating: 0, count: 256), by: key))
        #expect(!isValid(key.modulus, by: key))
    }

    @Test func aVerdictDoesNotDependOnTheOneBefore() throws {
        let context = try #require(VerificationContext())
        let (key, other) = (try key(), try self.key(PS256Vectors.rsa3072))
        let right = try Base64.decode(Array(PS256Vectors.signedRsa2048.utf8))
        let wrong = try Base64.decode(Array(PS256Vectors.salt20.utf8))
        let others = try Base64.decode(Array(PS256Vectors.signedRsa3072.utf8))
        for isRight in [true, false, false, true, true, false, true] {
            #expect(key.isValid((isRight ? right : wrong)[...], for: Self.message[...], in: context) == isRight)
            #expect(other.isValid((isRight ? others : right)[...], for: Self.message[...], in: context) == isRight)
            #expect(!key.isValid(right[...], for: [], in: context))
        }
        #expect(context.keyCount == 2)
    }

    @Test func droppedKeysCanBeUsedAgain() throws {
        let context = try #require(VerificationContext())
        let signature = try Base64.decode(Array(PS256Vectors.signedRsa2048.utf8))
        for round in 0..<VerificationContext.maximumKeys + 50 {
            let key = try key(exponent: round.isMultiple(of: 2) ? Self.f4 : [3])
            #expect(key.isValid(signature[...], for: Self.message[...], in: context) == round.isMultiple(of: 2))
        }
        #expect(context.keyCount <= VerificationContext.maximumKeys)
    }

    /// Anybody can write 1, 0, or the modulus itself beside another's modulus.
    @Test func trivialNumbersAreNoPrivateHalf() throws {
        let modulus = try Base64.decode(Array(PS256Vectors.rsa2048.utf8))
        for trivial in [[], [0], [1], [0, 1], [0, 0]] as [[UInt8]] {
            #expect(RSAPrivateKey.product(trivial, modulus) == nil && RSAPrivateKey.product(modulus, trivial) == nil)
            #expect(!RSAPrivateKey.isFactor(trivial, of: modulus))
            for exponent in [[1, 0, 1], [1], [0, 1], [0], []] as [[UInt8]] {
                #expect(!RSAPrivateKey.isPrivate(exponent: trivial, ofModulus: modulus, publicExponent: exponent))
            }
        }
        for same in [modulus, [0] + modulus] {
            #expect(!RSAPrivateKey.isFactor(same, of: modulus) && !RSAPrivateKey.isFactor(modulus, of: same))
            for exponent in [[1, 0, 1], [0, 1]] as [[UInt8]] {
                #expect(!RSAPrivateKey.isPrivate(exponent: same, ofModulus: modulus, publicExponent: exponent))
                #expect(!RSAPrivateKey.isPrivate(exponent: [1], ofModulus: same, publicExponent: exponent))
            }
        }
        // An even modulus has a factor that everybody knows, but is nobody's.
        #expect(!RSAPrivateKey.isPrivate(exponent: [1], ofModulus: modulus.dropLast() + [0], publicExponent: [3]))
        #expect(RSAPrivateKey.product([0, 3], [5]) == [15] && RSAPrivateKey.isFactor([0, 3], of: [15]))
    }

    /// The number of points of P-256, and its multiples, belong to no point.
    @Test func noPointBelongsToTheOrderOfTheCurve() {
        let order =
            [255, 255, 255, 255, 0, 0, 0, 0] + [UInt8](repeating: 255, count: 8)
            + [0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51]
        #expect(P256Point.firstCoordinate(ofPrivateKey: order) == nil)
        #expect(P256Point.firstCoordinate(ofPrivateKey: [UInt8](repeating: 0, count: 32)) == nil)
        let one = P256Point.firstCoordinate(ofPrivateKey: [1])
        #expect(one != nil && one == P256Point.firstCoordinate(ofPrivateKey: order.dropLast() + [0x50]))
        #expect(one == P256Point.firstCoordinate(ofPrivateKey: order.dropLast() + [0x52]))
    }
}
