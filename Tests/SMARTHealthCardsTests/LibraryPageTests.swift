import Credentials
import Foundation
import JOSE
import SMARTHealthCards
import Testing

// docs/library.md contains the same code, from here to the end of the function.

/// Verifies the cards in a file, a QR code's text or any other form, by the keys of an issuer that the program trusts.
func verify(_ input: [UInt8], of issuer: String, with keys: [UInt8], now: Duration) throws -> [Verifier.Step] {
    let issuer = try Issuer(issuer)
    var policy = VerificationPolicy(now: NumericDate(sinceEpoch: now))
    policy.trustedIssuers.allow(issuer)
    policy.givenKeys.add(try JWKSet(keys), for: issuer)
    let verifier = try Verifier(policy: policy)
    return verifier.read(input, source: "upload").map { verifier.verify($0, with: Evidence()) }
}

/// The code for users of the library in docs/library.md compiles, and does what the page says.
@Suite struct LibraryPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: root.appendingPathComponent(path)))
    }

    @Test func pageShowsTheCodeInThisFile() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/library.md"), encoding: .utf8)
        let shown = try #require(
            page.components(separatedBy: "```swift\n").dropFirst().first?.components(separatedBy: "```").first)
        let file = try String(contentsOfFile: #filePath, encoding: .utf8)
        let gap = try #require(shown.firstRange(of: "\n\n"))
        let (imports, code) = (shown[..<gap.lowerBound], shown[gap.upperBound...])
        #expect(file.contains("\n\n\(code)\n"))
        for line in imports.split(separator: "\n") { #expect(file.contains("\(line)\n")) }
    }

    /// A verifier of cards says what an EU certificate is.
    @Test func certificateIsNoCard() throws {
        let steps = try verify(
            Self.bytes("TestVectors/hcert/cards/valid-vaccination.hc1"), of: "https://issuer-a.example/cards",
            with: Self.bytes("TestVectors/keys/issuer-a.jwks.json"), now: .seconds(1_780_000_000))
        #expect(steps.count == 1)
        guard case .verdict(let verdict) = steps.first else {
            Issue.record("no verdict")
            return
        }
        #expect(verdict.reason?.code == .unsupportedCredential)
        #expect(verdict.reason?.message.contains("EU Digital COVID Certificate") == true)
    }

    @Test func codeOnThePageVerifiesACard() throws {
        let card = try Self.bytes("TestVectors/cards/inputs/jws.jws")
        let keys = try Self.bytes("TestVectors/keys/issuer-a.jwks.json")
        let issuer = "https://issuer-a.example/cards"
        #expect(try verify(card, of: issuer, with: keys, now: .seconds(1_780_000_000))[0].verdict().name == "pass")
        let other = try verify(card, of: "https://other.example", with: keys, now: .seconds(1_780_000_000))[0].verdict()
        #expect(other.reason?.code == .issuerNotTrusted)
    }
}
