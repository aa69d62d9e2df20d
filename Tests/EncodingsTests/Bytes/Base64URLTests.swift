import Encodings
import Testing

@Suite struct Base64URLTests {
    /// RFC 4648 §10, without the padding.
    static let vectors = [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ]
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    @Test(arguments: vectors)
    func decodesVectorsOfTheRFC(_ plain: String, _ encoded: String) throws {
        #expect(try Base64URL.decode(encoded.utf8) == Array(plain.utf8))
        #expect(try Base64URL.decode(Array(encoded.utf8)) == Array(plain.utf8))
        #expect(Base64URL.encode(plain.utf8) == encoded)
    }

    @Test func decodesTheWholeAlphabet() throws {
        let bytes = try Base64URL.decode(Self.alphabet)
        #expect(bytes.count == 48)
        #expect(bytes.prefix(3) == [0x00, 0x10, 0x83])
        #expect(bytes.suffix(3) == [0xF3, 0xDF, 0xBF])
        #expect(Array(Base64URL.encode(bytes).utf8) == Self.alphabet)
    }

    @Test func decodesItsOwnEncodingOfEveryTail() throws {
        for first in UInt8.min...UInt8.max {
            #expect(try Base64URL.decode(Base64URL.encode([first]).utf8) == [first])
            for second in UInt8.min...UInt8.max {
                let bytes = [7, 8, 9, first, second]
                guard try Base64URL.decode(Base64URL.encode(bytes).utf8) == bytes else {
                    Issue.record("\(bytes) is not decoded to the same bytes")
                    return
                }
            }
        }
    }

    @Test func rejectsTrailingBitsThatAreNotZero() {
        for first in Self.alphabet {
            for (value, last) in Self.alphabet.enumerated() {
                let oneByte = Result { () throws(Base64URLError) in try Base64URL.decode([first, last]) }
                #expect(oneByte == expected(isCanonical: value & 0x0F == 0, oneByte, at: 1))
                let twoBytes = Result { () throws(Base64URLError) in
                    try Base64URL.decode(Array("AAAA".utf8) + [first, first, last])
                }
                #expect(twoBytes == expected(isCanonical: value & 0x03 == 0, twoBytes, at: 6))
            }
        }
    }

    private func expected(
        isCanonical: Bool, _ result: Result<[UInt8], Base64URLError>, at offset: Int
    ) -> Result<[UInt8], Base64URLError> {
        switch result {
        case .success where isCanonical: result
        case .failure(let error) where !isCanonical && error.reason == .trailingBits && error.offset == offset: result
        default: .success(Array("unexpected".utf8))
        }
    }

    static let rejections: [(String, Base64URLError.Reason, Int)] = [
        ("Zg==", .padding, 2), ("Zm8=", .padding, 3), ("=", .padding, 0), ("Zm9v=", .padding, 4),
        ("Zm9v====", .padding, 4), ("Zm9vYg=", .padding, 6), ("Zg=A", .padding, 2),
        (" Zm9v", .whiteSpace, 0), ("Zm 9v", .whiteSpace, 2), ("Zm9v\n", .whiteSpace, 4), ("Zm9v\r\n", .whiteSpace, 4),
        ("\tZm9v", .whiteSpace, 0),
        ("Zm+v", .otherAlphabet(UInt8(ascii: "+")), 2), ("Zm9vZ/9v", .otherAlphabet(UInt8(ascii: "/")), 5),
        ("Zm9*", .foreignCharacter(UInt8(ascii: "*")), 3), ("Zm9v.", .foreignCharacter(UInt8(ascii: ".")), 4),
        ("Zm9v\0\0\0\0", .foreignCharacter(0), 4), ("Zm\u{E9}v", .foreignCharacter(0xC3), 2),
        ("A", .impossibleLength, 1), ("Zm9vA", .impossibleLength, 5),
    ]

    @Test(arguments: rejections)
    func rejectsTextThatIsNotBase64URL(_ text: String, _ reason: Base64URLError.Reason, _ offset: Int) {
        let error = #expect(throws: Base64URLError.self) { try Base64URL.decode(text.utf8) }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
    }

    @Test func acceptsSixtyFourCharactersAndNoOthers() {
        for byte in UInt8.min...UInt8.max {
            let isAccepted = (try? Base64URL.decode([65, 65, byte, 65])) != nil
            #expect(isAccepted == Self.alphabet.contains(byte))
        }
    }

    /// Long texts are decoded eight characters at a time, and their end four at a time.
    @Test func rejectsAForeignCharacterAtAnyPlaceOfALongText() {
        for place in 0..<41 {
            for byte: UInt8 in [0, 0x0A, 0x2B, 0x2E, 0x3D, 0x5B, 0x7B, 0x80, 0xFF] {
                var text = Array(Self.alphabet.prefix(41))
                text.append(65)
                text[place] = byte
                let error = #expect(throws: Base64URLError.self) { try Base64URL.decode(text) }
                #expect(error?.offset == place, "byte \(byte) at \(place)")
            }
        }
    }

    @Test func countsOffsetsFromTheStartOfASlice() {
        let text = Array("AAAA.AA=A".utf8)
        let error = #expect(throws: Base64URLError.self) { try Base64URL.decode(text[5...]) }
        #expect(error?.offset == 2)
    }

    @Test func describesErrorsInPlainWords() {
        let error = #expect(throws: Base64URLError.self) { try Base64URL.decode("Zm+v".utf8) }
        #expect(error?.description == "'+' at byte 2, which is base64, not base64url")
    }
}

@Suite struct Base64Tests {
    static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"), ("\u{FF}\u{3FF}?", "w7/Pvz8="),
    ]

    @Test(arguments: vectors)
    func decodesVectorsOfTheRFC(_ plain: String, _ encoded: String) throws {
        #expect(try Base64.decode(Array(encoded.utf8)) == Array(plain.utf8))
    }

    static let rejections: [(String, Base64Error.Reason)] = [
        ("Zg", .missingPadding), ("Zg=", .padding), ("Zm9v=", .padding), ("Zm9v==", .padding), ("=", .padding),
        ("====", .padding), ("Z===", .padding), ("Zg==Zg==", .padding), ("Zh==", .trailingBits),
        ("Zm9=", .trailingBits),
        ("Zm9v\n", .whiteSpace), ("Zm-v", .otherAlphabet(UInt8(ascii: "-"))),
        ("Zm_v", .otherAlphabet(UInt8(ascii: "_"))),
        ("Zm9vA", .impossibleLength), ("Zm*v", .foreignCharacter(UInt8(ascii: "*"))),
    ]

    @Test(arguments: rejections)
    func rejectsTextThatIsNotBase64(_ text: String, _ reason: Base64Error.Reason) {
        let error = #expect(throws: Base64Error.self) { try Base64.decode(Array(text.utf8)) }
        #expect(error?.reason == reason)
    }

    @Test func readsAnyAlphabetWithAnyPaddingOfAGroup() {
        for text in ["w7_Pvz8", "w7_Pvz8=", "w7/Pvz8", "w7/Pvz8=", "w7/Pvz8=="] {
            #expect(Base64.decodeInAnyAlphabet(Array(text.utf8)) == Array("\u{FF}\u{3FF}?".utf8), "\(text)")
        }
        for text in ["", "=", "==", "w7/Pvz8===", "Zm9v====", "w7/Pvz8 ", "w7=Pvz8", "w7*Pvz8", "Zh"] {
            #expect(Base64.decodeInAnyAlphabet(Array(text.utf8)) == nil, "\(text)")
        }
    }
}
