import Credentials
import SMARTHealthCards
import TestSupport
import Testing

@Suite struct ExplanationTests {
    private static let codes = ReasonCode.allCases.map(\.rawValue) + CredentialWarning.Code.allCases.map(\.rawValue)

    @Test(arguments: codes)
    func everyCodeHasAnExplanation(_ code: String) throws {
        let explanation = try #require(Explanation.of(code))
        #expect(explanation.code == code)
        #expect(!explanation.causes.isEmpty)
        for text in [explanation.meaning, explanation.remedy] + explanation.causes {
            #expect(text.isFitToPrint)
            #expect(text.hasSuffix("."))
        }
    }

    @Test func explanationsDiffer() {
        #expect(Explanation.all.map(\.code) == Self.codes)
        #expect(Set(Self.codes).count == Self.codes.count)
        #expect(Set(Explanation.all.map(\.meaning)).count == Self.codes.count)
    }

    @Test(arguments: ["", "Revoked", "no-such-code", "revoked "])
    func unknownCodeHasNoExplanation(_ code: String) {
        #expect(Explanation.of(code) == nil)
    }

    @Test func codesConsistOfLowerCaseLettersAndHyphens() {
        for code in Self.codes {
            #expect(code.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") })
        }
    }

    /// The table of CLI.md.
    @Test(
        arguments: [
            (
                10,
                "malformed-input malformed-qr malformed-jws unsupported-algorithm unsupported-compression"
            ),
            (10, "inflate-failed payload-too-large malformed-payload invalid-issuer-url"), (11, "signature-invalid"),
            (12, "key-not-found key-invalid certificate-invalid"), (13, "issuer-not-trusted"), (14, "not-yet-valid"),
            (15, "expired"), (16, "revoked"), (17, "records-not-matching"), (20, "keys-unavailable"),
            (21, "revocation-unavailable"), (26, "codes-unknown"),
            (27, "empty-input no-code-found picture-unreadable qr-chunk-missing"), (66, "unreadable-input"),
        ] as [(Int32, String)])
    func everyReasonHasItsExitCode(_ exitCode: Int32, _ codes: String) throws {
        for code in codes.split(separator: " ") {
            let reason = try #require(ReasonCode(rawValue: String(code)))
            #expect(reason.exitCode == exitCode)
            #expect(reason.isUndetermined == (exitCode >= 20))
        }
    }
}
