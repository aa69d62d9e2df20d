import Cryptography
import Encodings
import Testing

@Suite struct JOSEHeaderTests {
    private func header(_ text: String) throws(JWSError) -> JOSEHeader { try JOSEHeader(Array(text.utf8)) }

    @Test func acceptsTheHeaderOfACard() throws {
        let header = try header(#"{"zip":"DEF","alg":"ES256","kid":"3Kfdg-XwP-7gXyywtUfUADwBumDOPKMQx-iELL11W9s"}"#)
        #expect(header.keyID == KeyID("3Kfdg-XwP-7gXyywtUfUADwBumDOPKMQx-iELL11W9s"))
        #expect(header.ignoredKeyMembers.isEmpty)
        #expect(header.value["zip"]?.string == "DEF")
    }

    @Test func acceptsMembersItDoesNotKnow() throws {
        let header = try header(#"{ "typ":"JWT", "cty":"x", "zip":"DEF", "alg":"ES256", "kid":"k", "b64":true }"#)
        #expect(header.keyID == KeyID("k"))
    }

    @Test func acceptsNamesAndValuesWithEscapes() throws {
        let header = try header(#"{"\u0061lg":"ES\u003256","zip":"DE\u0046","kid":"\u006b"}"#)
        #expect(header.keyID == KeyID("k"))
    }

    @Test func listsKeysInTheHeaderAndUsesNone() throws {
        let header = try header(
            #"{"x5c":[],"jku":"https://example.com","alg":"ES256","zip":"DEF","kid":"k","jwk":{},"x5u":null}"#)
        #expect(header.ignoredKeyMembers == ["jwk", "jku", "x5u", "x5c"])
    }

    @Test(arguments: [
        ("", "the header is not acceptable JSON: there is no JSON value"),
        ("{", "the header is not acceptable JSON: the JSON ends too early, at byte 1"),
        (
            #"{"alg":"ES256","alg":"ES256","zip":"DEF","kid":"k"}"#,
            #"the header is not acceptable JSON: the member "alg" occurs twice in one object, at byte 15"#
        ),
        (
            #"{"kid":"a","alg":"ES256","zip":"DEF","\u006bid":"b"}"#,
            #"the header is not acceptable JSON: the member "kid" occurs twice in one object, at byte 37"#
        ),
        (
            "\u{FEFF}" + #"{"alg":"ES256","zip":"DEF","kid":"k"}"#,
            "the header is not acceptable JSON: the JSON begins with a byte-order mark"
        ),
        (
            #"{"alg":"ES256","zip":"DEF","kid":"k"} x"#,
            "the header is not acceptable JSON: something follows the JSON value, at byte 38"
        ),
        ("[]", "the header must be a JSON object, this is an array"),
        ("null", "the header must be a JSON object, this is null"),
        (#""ES256""#, "the header must be a JSON object, this is a string"),
        (
            #"{"crit":[],"alg":"none"}"#,
            #"the header names extensions ("crit"), none of which is supported"#
        ),
        (
            #"{"crit":null,"alg":"ES256","zip":"DEF","kid":"k"}"#,
            #"the header names extensions ("crit"), none of which is supported"#
        ),
        (#"{"alg":"ES256","zip":"DEF"}"#, #"the header has no "kid", so it names no key"#),
        (#"{"alg":"ES256","zip":"DEF","kid":7}"#, #"the header's "kid" must be a string, this is 7"#),
        (#"{"alg":"ES256","zip":"DEF","kid":null}"#, #"the header's "kid" must be a string, this is null"#),
        (#"{"alg":"ES256","zip":"DEF","kid":["k"]}"#, #"the header's "kid" must be a string, this is an array"#),
        (#"{"alg":"ES256","zip":"DEF","kid":""}"#, #"the header's "kid" is empty"#),
    ])
    func rejectsAMalformedHeader(_ text: String, _ message: String) {
        let error = #expect(throws: JWSError.self) { try header(text) }
        #expect(error?.reason == .malformed)
        #expect(error?.message == message)
    }

    @Test func rejectsAHeaderThatIsNotUTF8() {
        let error = #expect(throws: JWSError.self) { try JOSEHeader(Array(#"{"kid":""#.utf8) + [0xFF, 0x22, 0x7D]) }
        #expect(error?.reason == .malformed)
    }

    @Test(arguments: [
        (#"{}"#, #"the header has no "alg", a SMART Health Card has "ES256""#),
        (#"{"alg":"none"}"#, #"the header's "alg" is "none", a SMART Health Card has "ES256""#),
        (#"{"alg":"HS256"}"#, #"the header's "alg" is "HS256", a SMART Health Card has "ES256""#),
        (#"{"alg":"ES384"}"#, #"the header's "alg" is "ES384", a SMART Health Card has "ES256""#),
        (#"{"alg":"es256"}"#, #"the header's "alg" is "es256", a SMART Health Card has "ES256""#),
        (#"{"alg":"ES256 "}"#, #"the header's "alg" is "ES256 ", a SMART Health Card has "ES256""#),
        (#"{"alg":"ES256\u0000"}"#, #"the header's "alg" is "ES256\u0000", a SMART Health Card has "ES256""#),
        (#"{"alg":["ES256"]}"#, #"the header's "alg" is an array, a SMART Health Card has "ES256""#),
        (#"{"alg":256}"#, #"the header's "alg" is 256, a SMART Health Card has "ES256""#),
        (#"{"alg":null,"zip":"GZ"}"#, #"the header's "alg" is null, a SMART Health Card has "ES256""#),
    ])
    func rejectsEveryOtherAlgorithm(_ text: String, _ message: String) {
        let error = #expect(throws: JWSError.self) { try header(text) }
        #expect(error?.reason == .unsupportedAlgorithm)
        #expect(error?.message == message)
    }

    @Test(arguments: [
        (#"{"alg":"ES256","kid":"k"}"#, #"the header has no "zip", a SMART Health Card has "DEF""#),
        (#"{"alg":"ES256","zip":"GZIP"}"#, #"the header's "zip" is "GZIP", a SMART Health Card has "DEF""#),
        (#"{"alg":"ES256","zip":"def","kid":7}"#, #"the header's "zip" is "def", a SMART Health Card has "DEF""#),
        (#"{"alg":"ES256","zip":true}"#, #"the header's "zip" is true, a SMART Health Card has "DEF""#),
    ])
    func rejectsEveryOtherCompression(_ text: String, _ message: String) {
        let error = #expect(throws: JWSError.self) { try header(text) }
        #expect(error?.reason == .unsupportedCompression)
        #expect(error?.message == message)
    }

    @Test func quotesShortlyAndSafelyForATerminal() {
        let alg = "\\u001b[2J\u{202E}" + String(repeating: "A\u{301}", count: 10_000)
        let error = #expect(throws: JWSError.self) { try header(#"{"alg":"\#(alg)"}"#) }
        #expect(error?.reason == .unsupportedAlgorithm)
        #expect(error?.message.contains(#"is "\u001b[2J\u202e"#) == true)
        #expect(error?.message.unicodeScalars.count ?? .max < 160)
    }
}
