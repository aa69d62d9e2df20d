import Cryptography
import Encodings
import Testing

/// Test case 16 of the paper that proposed GCM (McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B).
@Suite struct AES256GCMTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count, by: 2).map { place in
            UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16) ?? 0
        }
    }

    private static let key = bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    private static let vector = bytes("cafebabefacedbaddecaf888")
    private static let data = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    private static let plaintext = bytes(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
            + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
    private static let ciphertext = bytes(
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
            + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662")
    private static let tag = bytes("76fc6ece0f4e1768cddf8853bb2d551b")

    private static func open(
        _ ciphertext: [UInt8] = ciphertext, vector: [UInt8] = vector, tag: [UInt8] = tag, data: [UInt8] = data,
        key: [UInt8] = key
    ) -> [UInt8]? {
        var key = key
        return AES256GCM.open(
            ciphertext, initializationVector: vector, tag: tag, additionalData: data[...], key: SecretBytes(&key))
    }

    @Test func opensThePublishedVector() {
        #expect(Self.open() == Self.plaintext)
    }

    @Test func refusesEveryChangedBit() {
        for place in Self.ciphertext.indices {
            var changed = Self.ciphertext
            changed[place] ^= 1
            #expect(Self.open(changed) == nil)
        }
        for place in Self.tag.indices {
            var changed = Self.tag
            changed[place] ^= 0x80
            #expect(Self.open(tag: changed) == nil)
        }
        #expect(Self.open(data: Self.data + [0]) == nil && Self.open(data: []) == nil)
        #expect(Self.open(key: Self.key.reversed()) == nil)
    }

    /// OpenSSL would accept these lengths.
    @Test func refusesOtherLengths() {
        #expect(Self.open(tag: Array(Self.tag.prefix(12))) == nil && Self.open(tag: []) == nil)
        #expect(Self.open(tag: Self.tag + [0]) == nil && Self.open(tag: Self.tag + Self.tag) == nil)
        #expect(Self.open(vector: Self.vector + [0, 0, 0, 0]) == nil && Self.open(vector: []) == nil)
        #expect(Self.open(key: Array(Self.key.prefix(16))) == nil && Self.open(key: []) == nil)
        #expect(Self.open(Array(Self.ciphertext.dropLast())) == nil && Self.open([]) == nil)
    }

    @Test func takesOverTheBytesOfASecret() {
        var bytes: [UInt8] = [1, 2, 3]
        let secret = SecretBytes(&bytes)
        #expect(bytes.isEmpty && secret.count == 3)
    }
}
