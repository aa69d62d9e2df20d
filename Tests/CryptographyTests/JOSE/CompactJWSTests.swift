import Cryptography
import Encodings
import TestSupport
import Testing

@Suite struct CompactJWSTests {
    private func jws(_ text: String) throws(JWSError) -> CompactJWS { try CompactJWS(Array(text.utf8)) }

    @Test func parsesTheExampleOfTheRFC() throws {
        let jws = try jws(Samples.jws)
        #expect(String(decoding: jws.headerBytes, as: UTF8.self) == #"{"alg":"ES256"}"#)
        #expect(
            String(decoding: jws.payload, as: UTF8.self)
                == "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}")
        #expect(jws.signature.count == 64)
        #expect(jws.text == Array(Samples.jws.utf8))
    }

    @Test func keepsTheSignedBytesAsTheyCame() throws {
        let jws = try jws(Samples.jws)
        let input = String(decoding: jws.signingInput, as: UTF8.self)
        #expect(input + "." + Base64URL.encode(jws.signature) == Samples.jws)
    }

    @Test(arguments: ["..", "e30..", ".e30.", "..e30"])
    func decodesAnEmptyPartToNoBytes(_ text: String) throws {
        let jws = try jws(text)
        #expect([jws.headerBytes, jws.payload, jws.signature].filter(\.isEmpty).count >= 2)
        #expect(jws.signingInput == Array(text.utf8)[..<text.utf8.count].dropLast(jws.signature.isEmpty ? 1 : 4))
    }

    /// A dot right before the last 86 characters may not be the one before the signature.
    @Test(arguments: 0...86) func findsTheDotsForAllLengths(_ payloadLength: Int) throws {
        for total in [85, 86, 87] where payloadLength < total {
            let (payload, signature) = (payloadLength, total - 1 - payloadLength)
            guard payload % 4 != 1, signature % 4 != 1 else { continue }
            let parts = [payload, signature].map { String(repeating: "A", count: $0) }
            let jws = try jws("e30." + parts.joined(separator: "."))
            #expect(jws.payload == [UInt8](repeating: 0, count: payload * 3 / 4))
            #expect(jws.signature == [UInt8](repeating: 0, count: signature * 3 / 4))
        }
        let other = "e30.e30." + String(repeating: "A", count: payloadLength) + "."
        let error = #expect(throws: JWSError.self) { try jws(other + String(repeating: "A", count: 86)) }
        #expect(error?.message == "a compact JWS has three parts separated by dots, this has 4")
    }

    @Test(arguments: [("", 1), ("e30", 1), ("e30.e30", 2), ("e30.e30.e30.", 4), ("...", 4), ("a.b.c.d.e.f", 6)])
    func rejectsAnotherNumberOfParts(_ text: String, _ count: Int) {
        let error = #expect(throws: JWSError.self) { try jws(text) }
        #expect(error?.reason == .malformed)
        let guess = count < 3 ? "; was the text cut off?" : ""
        let words = "a compact JWS has three parts separated by dots, this has \(count)\(guess)"
        #expect(error?.message == words)
    }

    @Test func recognisesAJWE() {
        let error = #expect(throws: JWSError.self) { try jws("e30.e30.e30.e30.e30") }
        #expect(error?.message == "a compact JWS has three parts separated by dots, this has 5 (a JWE?)")
    }

    @Test(arguments: [
        ("e3=.e30.e30", "the header is not base64url: padding ('=') at byte 2"),
        ("e30.e3+.e30", "the payload is not base64url: '+' at byte 6, which is base64, not base64url"),
        (
            "e30.e30.e31",
            "the signature is not base64url: the last character, at byte 10, has bits set that do not belong to a byte; was the text cut off?"
        ),
        ("e30.e30.e30\n", "the signature is not base64url: white space at byte 11"),
        (" e30.e30.e30", "the header is not base64url: white space at byte 0"),
        ("e30.e30.e3\u{E9}", "the signature is not base64url: byte 0xC3 at byte 10"),
    ])
    func namesThePartThatIsNotBase64URL(_ text: String, _ message: String) {
        let error = #expect(throws: JWSError.self) { try jws(text) }
        #expect(error?.reason == .malformed)
        #expect(error?.message == message)
    }
}
