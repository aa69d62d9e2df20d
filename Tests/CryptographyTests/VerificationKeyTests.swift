import Cryptography
import Encodings
import Testing

/// A key verifies signatures of one algorithm.
@Suite struct VerificationKeyTests {
    /// The generator of P-256, which is the public key of the private key 1.
    private static func key() throws -> VerificationKey {
        let x: [UInt8] = try Base64URL.decode("axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY".utf8)
        let y: [UInt8] = try Base64URL.decode("T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU".utf8)
        return .es256(try P256PublicKey(x: x, y: y))
    }

    @Test func saysWhichAlgorithmItCannotVerify() throws {
        let key: Result<VerificationKey, Malformed> = .success(try Self.key())
        #expect(key.objection(to: .es256) == nil)
        #expect(key.objection(to: .ps256) == "an EC key, which cannot verify PS256")
        let none: Result<VerificationKey, Malformed> = .failure(Malformed("none"))
        #expect(none.objection(to: .es256) == "none" && none.objection(to: .ps256) == "none")
    }

    @Test func neverMakesASignatureOfAnotherAlgorithm() throws {
        let key = try Self.key()
        let zeros = [UInt8](repeating: 0, count: 256)
        #expect(!key.isValid(.ps256(zeros[...]), for: [1]) && key.claim(.ps256(zeros[...]), over: [1]) == nil)
    }

    /// Of an ECDSA signature, s can be changed by anybody. So a list of revoked signatures has only r.
    @Test func knowsWhatOfASignatureNobodyCanChange() {
        let signature = Array(UInt8(0)..<64)
        #expect(Array(SignatureAlgorithm.es256.fixedPart(of: signature[...])) == Array(0..<32))
        #expect(Array(SignatureAlgorithm.ps256.fixedPart(of: signature[...])) == signature)
    }
}
