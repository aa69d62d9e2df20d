import Cryptography
import Encodings
import Testing

/// The form of an encrypted file (RFC 7516 §7.1). `LinkVectorTests` opens files of another implementation.
@Suite struct CompactJWETests {
    private static let header = #"{"alg":"dir","enc":"A256GCM"}"#

    private static func text(
        header: String = header, key: [UInt8] = [], vector: Int = 12, tag: Int = 16, rest: String = ""
    ) -> [UInt8] {
        let zeros = { (count: Int) in Base64URL.encode([UInt8](repeating: 0, count: count)) }
        let parts = [Base64URL.encode(header.utf8), Base64URL.encode(key), zeros(vector), zeros(3), zeros(tag)]
        return Array((parts.joined(separator: ".") + rest).utf8)
    }

    private static func reason(_ text: [UInt8]) -> JWEError.Reason? {
        do throws(JWEError) {
            _ = try CompactJWE(text[...])
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func readsTheFiveParts() throws {
        let jwe = try CompactJWE(Self.text()[...])
        #expect(!jwe.isCompressed && jwe.contentType == nil)
        var zeros = [UInt8](repeating: 0, count: 32)
        #expect(jwe.open(with: SecretBytes(&zeros)) == nil, "the tag is wrong")
    }

    @Test func hasFivePartsAndNoKey() {
        #expect(Self.reason(Self.text(rest: ".")) == .malformed)
        #expect(Self.reason(Self.text(rest: ".AAAA")) == .malformed)
        #expect(Self.reason(Self.text(rest: "..")) == .malformed)
        #expect(Self.reason(Array("a.b.c".utf8)) == .malformed && Self.reason([]) == .malformed)
        #expect(Self.reason(Self.text(key: [1])) == .malformed)
        #expect(Self.reason(Self.text(rest: "=")) == .malformed)
    }

    @Test(arguments: [0, 11, 13, 16]) func hasAVectorOfTwelveBytes(_ count: Int) {
        #expect(Self.reason(Self.text(vector: count)) == .malformed)
    }

    @Test(arguments: [0, 12, 15, 17, 32]) func hasATagOfSixteenBytes(_ count: Int) {
        #expect(Self.reason(Self.text(tag: count)) == .malformed)
    }

    @Test(
        arguments: [
            (#"{"alg":"dir"}"#, .unsupportedEncryption), (#"{"enc":"A256GCM"}"#, .unsupportedEncryption),
            (#"{"alg":"A256KW","enc":"A256GCM"}"#, .unsupportedEncryption),
            (#"{"alg":"dir","enc":"A128GCM"}"#, .unsupportedEncryption),
            (#"{"alg":"DIR","enc":"A256GCM"}"#, .unsupportedEncryption),
            (#"{"alg":["dir"],"enc":"A256GCM"}"#, .unsupportedEncryption),
            (#"{"alg":"dir","enc":"A256GCM","crit":["exp"]}"#, .malformed),
            (#"{"alg":"dir","enc":"A256GCM","crit":null}"#, .malformed),
            (#"{"alg":"dir","alg":"dir","enc":"A256GCM"}"#, .malformed), (#"["dir","A256GCM"]"#, .malformed),
            ("", .malformed), (#"{"alg":"dir","enc":"A256GCM","zip":"GZIP"}"#, .unsupportedCompression),
            (#"{"alg":"dir","enc":"A256GCM","zip":true}"#, .unsupportedCompression),
        ] as [(String, JWEError.Reason)])
    func refusesAnotherHeader(_ header: String, _ reason: JWEError.Reason) {
        #expect(Self.reason(Self.text(header: header)) == reason)
    }

    @Test func knowsWhetherItIsCompressed() throws {
        for (zip, isCompressed) in [(#""DEF""#, true), ("null", false)] {
            let header = #"{"alg":"dir","enc":"A256GCM","zip":\#(zip),"cty":"text/plain"}"#
            let jwe = try CompactJWE(Self.text(header: header)[...])
            #expect(jwe.isCompressed == isCompressed && jwe.contentType == "text/plain")
        }
    }
}
