import Cryptography
import Encodings
import TestSupport
import Testing

/// Messages that are accepted, and what is read from them.
@Suite struct COSESign1Tests {
    @Test func readsAMessage() throws {
        let message = try MadeMessage().parsed()
        #expect(message.algorithm == .es256 && message.algorithm.name == "ES256")
        #expect(!message.isAlgorithmUnprotected)
        #expect(message.keyID == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(Array(message.parts.payload) == [0xA1, 0x01, 0x02])
        #expect(Array(message.parts.signature) == [UInt8](repeating: 7, count: 64))
        #expect(message.parts.protected?.members?.count == 2)
        #expect(message.parts.unprotected.members?.isEmpty == true)
    }

    /// C2: the tag of COSE_Sign1 may be missing, and that of a CBOR Web Token may stand outside.
    @Test(arguments: [[], [18], [61, 18], [61]] as [[UInt64]]) func acceptsTheTagsOfAToken(_ tags: [UInt64]) throws {
        for style in MadeCBOR.Style.allCases {
            #expect(try MadeMessage.with { $0.tags = tags }.parsed(style).keyID.count == 8)
        }
    }

    @Test func readsPS256() throws {
        let message = try MadeMessage.with { $0.protected = [1: -37, 4: .bytes([9])] }.parsed()
        #expect(message.algorithm == .ps256 && message.algorithm.name == "PS256")
        #expect(message.keyID == [9])
    }

    /// C6: the algorithm counts also if only the unprotected header has it, which is remembered.
    @Test func readsTheAlgorithmOfEitherHeader() throws {
        let unprotected = try MadeMessage.with {
            $0.protected = [4: .bytes([9])]
            $0.unprotected = [1: -37]
        }.parsed()
        #expect(unprotected.algorithm == .ps256 && unprotected.isAlgorithmUnprotected)
        let both = try MadeMessage.with { $0.unprotected = [1: -7] }.parsed()
        #expect(both.algorithm == .es256 && !both.isAlgorithmUnprotected)
        let nothingSigned = try MadeMessage.with {
            $0.protected = nil
            $0.unprotected = [1: -7, 4: .bytes([9])]
        }.parsed()
        #expect(nothingSigned.parts.protected == nil && nothingSigned.isAlgorithmUnprotected)
        #expect(nothingSigned.parts.protectedBytes.isEmpty)
    }

    /// C7: the key ID of the protected header counts if both headers have one.
    @Test func readsTheKeyIDOfEitherHeader() throws {
        let both = try MadeMessage.with { $0.unprotected = [4: .bytes([9])] }.parsed()
        #expect(both.keyID == [1, 2, 3, 4, 5, 6, 7, 8])
        let unprotected = try MadeMessage.with {
            $0.protected = [1: -7]
            $0.unprotected = [4: .bytes([9])]
        }.parsed()
        #expect(unprotected.keyID == [9])
    }

    /// C9: nothing else in a header has a meaning.
    @Test func ignoresOtherHeaders() throws {
        let message = try MadeMessage.with {
            $0.protected = [1: -7, 4: .bytes([9]), 3: "text", 33: .bytes([1]), -1: [:], "1": -999, 1.0: -999]
            $0.unprotected = [33: [.bytes([1])], 34: [-16, .bytes([2])], 35: "https://a.example/x", -70_001: nil]
        }.parsed()
        #expect(message.algorithm == .es256 && message.keyID == [9])
    }

    // MARK: S1: what is signed

    /// The structure of RFC 9052 §4.4, written by the test.
    private func structure(_ protected: [UInt8], _ payload: [UInt8]) -> [UInt8] {
        MadeCBOR.array(["Signature1", .bytes(protected), .bytes([]), .bytes(payload)]).encoded()
    }

    @Test(arguments: [0, 1, 23, 24, 255, 256, 65_535, 65_536]) func signsPayloadsOfAllLengths(_ length: Int) throws {
        let payload = [UInt8](repeating: 5, count: length)
        let made = MadeMessage.with { $0.payload = .bytes(payload) }
        #expect(try made.parsed().parts.signedBytes == structure(made.protected?.encoded() ?? [], payload))
    }

    /// The bytes inside are those of the message, also if an encoder would write them in another way. Only their lengths are
    /// written anew.
    @Test(arguments: [
        "a201 26 044101", "a2 1801 3806 1804 4401010101", "bf 01 26 04 4101 ff", "a2 04 4101 01 26",
        "a2 01 26 04 5f4101ff",
    ])
    func signsTheHeaderAsReceived(_ hex: String) throws {
        let header = [UInt8](hex: hex)
        let payload = [UInt8](hex: "bf1801 7f6161ffff")
        let made = MadeMessage.with {
            $0.protectedBytes = header
            $0.payload = .bytes(payload)
        }
        for style in MadeCBOR.Style.allCases {
            let message = try made.parsed(style)
            #expect(Array(message.parts.protectedBytes) == header)
            #expect(Array(message.parts.payload) == payload)
            #expect(message.parts.signedBytes == structure(header, payload))
        }
    }

    /// An empty protected header and one with an empty map are different bytes, which are signed as they are.
    @Test func anEmptyHeaderIsNotAnEmptyMap() throws {
        for header in [[], [0xA0], [0xBF, 0xFF]] as [[UInt8]] {
            let message = try MadeMessage.with {
                $0.protectedBytes = header
                $0.unprotected = [1: -7, 4: .bytes([9])]
            }.parsed()
            #expect(message.parts.signedBytes == structure(header, [0xA1, 0x01, 0x02]))
        }
    }

    /// RFC 9052 appendix C.2.1, whose algorithm and key ID are those of ES256 and "11".
    @Test func readsTheExampleOfTheRFC() throws {
        let bytes = [UInt8](
            hex: """
                d28443a10126a10442313154546869732069732074686520636f6e74656e742e58408eb33e4ca31d1c465ab05aac34cc6b23d58fef5c083106c4
                d25a91aef0b0117e2af9a291aa32e14ab834dc56ed2a223444547e01f11d3b0916e5a4c345cacb36
                """)
        let message = try COSESign1(COSEParts(bytes))
        #expect(message.keyID == Array("11".utf8))
        #expect(Array(message.parts.payload) == Array("This is the content.".utf8))
        #expect(message.parts.signature.count == 64)
        #expect(
            message.parts.signedBytes
                == [UInt8](hex: "846a5369676e61747572653143a101264054546869732069732074686520636f6e74656e742e"))
    }
}
