import Cryptography
import Encodings
import TestSupport
import Testing

struct P521PublicKeyTests {
    private func key() throws -> P521PublicKey { try P521PublicKey(certificate: MadeChains.signed("certificate")) }

    private func bytes(_ name: String) throws -> [UInt8] { try Base64.decode(MadeChains.signed(name)) }

    @Test func verifiesItsOwnSignatures() throws {
        let (signature, message) = (try bytes("signature"), try bytes("message"))
        #expect(throws: Never.self) { try key().verify(signature, over: message) }
        let same = try P521PublicKey(subjectPublicKeyInfo: bytes("key"))
        #expect(throws: Never.self) { try same.verify(signature, over: message) }
        #expect(try key().fingerprint == SHA256.digest(bytes("key")))
    }

    @Test func rejectsAChangedMessageOrSignature() throws {
        let (key, signature, message) = (try key(), try bytes("signature"), try bytes("message"))
        for index in message.indices {
            var changed = message
            changed[index] ^= 1
            #expect(throws: P521PublicKey.notVerified) { try key.verify(signature, over: changed) }
        }
        for message in [[], message + [0], message.dropLast()] {
            #expect(throws: P521PublicKey.notVerified) { try key.verify(signature, over: Array(message)) }
        }
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(throws: Malformed.self) { try key.verify(changed, over: message) }
        }
    }

    @Test func rejectsTheSignatureOfAnotherKeyOrDigest() throws {
        let (signature, message) = (try bytes("signature"), try bytes("message"))
        let other = try P521PublicKey(certificate: MadeChains.signed("other"))
        #expect(throws: P521PublicKey.notVerified) { try other.verify(signature, over: message) }
        let weaker = try bytes("SHA-256")
        #expect(throws: P521PublicKey.notVerified) { try key().verify(weaker, over: message) }
    }

    @Test func recognisesBytesThatAreNotASignature() throws {
        let (key, signature, message) = (try key(), try bytes("signature"), try bytes("message"))
        for (bytes, looksLikeText) in [
            ([], false), (try bytes("raw"), false), (signature + [0], false), (Array(signature.dropLast()), false),
            (try MadeChains.signed("signature"), true), (Array("<html>\n404".utf8), true), ([0x30, 0], false),
        ] {
            let words =
                bytes.isEmpty
                ? "the signature is empty"
                : looksLikeText
                    ? "the signature is text, expected an ECDSA signature in DER"
                    : "the signature's \(bytes.count) bytes are not an ECDSA signature in DER"
            #expect(throws: Malformed(words)) { try key.verify(bytes, over: message) }
        }
    }

    /// BER has several encodings for one signature. Only DER is accepted.
    @Test func rejectsSignaturesThatAreNotDER() throws {
        let (key, signature, message) = (try key(), try bytes("signature"), try bytes("message"))
        #expect(signature.starts(with: [0x30, 0x81]))
        let longLength = [0x30, 0x82, 0x00] + signature[2...]
        let indefinite = [0x30, 0x80] + signature[3...] + [0, 0]
        for bytes in [longLength, indefinite] {
            #expect(throws: Malformed.self) { try key.verify(Array(bytes), over: message) }
        }
    }

    @Test func rejectsNumbersOutOfRange() throws {
        let (key, message) = (try key(), try bytes("message"))
        let zero: [UInt8] = [0x30, 6, 2, 1, 0, 2, 1, 0]
        let negative: [UInt8] = [0x30, 6, 2, 1, 0xFF, 2, 1, 1]
        for bytes in [zero, negative] {
            #expect(throws: Malformed.self) { try key.verify(bytes, over: message) }
        }
    }

    @Test(arguments: [("P-256", "prime256v1"), ("P-384", "secp384r1"), ("RSA", "RSA")])
    func rejectsKeysOfAnotherKind(_ name: String, kind: String) throws {
        let error = #expect(throws: Malformed.self) {
            try P521PublicKey(certificate: MadeChains.signed(name))
        }
        #expect(error?.description == "the certificate's key is of the kind \(kind), expected a key on P-521")
    }

    @Test func rejectsFilesWithoutExactlyOneCertificate() throws {
        let several = #expect(throws: Malformed.self) {
            try P521PublicKey(certificate: MadeChains.signed("two"))
        }
        #expect(several?.description.contains("expected one") == true)
        let none = #expect(throws: Malformed.self) { try P521PublicKey(certificate: []) }
        #expect(none?.description.contains("no line -----BEGIN CERTIFICATE") == true)
    }

    @Test func rejectsBytesThatAreNotAKey() throws {
        let key = try bytes("key")
        var offCurve = key
        offCurve[offCurve.count - 1] ^= 1
        for bytes in [[], key + [0], Array(key.dropLast()), offCurve, Array("key".utf8)] {
            let error = #expect(throws: Malformed.self) { try P521PublicKey(subjectPublicKeyInfo: bytes) }
            #expect(error?.description.contains("cannot be read") == true)
        }
    }
}
