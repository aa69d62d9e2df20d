import Credentials
import Cryptography
import Encodings
import Evidence
import FHIR
import Foundation
import HealthCertificates
import SMARTHealthCards
import Testing
import Verification
import VerificationTesting

/// What the product for tests of other programs makes is genuine for those that trust it, and for nobody else.
@Suite struct TestingProductTests {
    private static func codes(_ input: [UInt8], by policy: VerificationPolicy) async throws -> [ReasonCode?] {
        try await Verifier(policy).verify(input, source: "test").map { $0.reason?.code }
    }

    private static func codes(_ text: String, by policy: VerificationPolicy) async throws -> [ReasonCode?] {
        try await codes(Array(text.utf8), by: policy)
    }

    // MARK: Cards

    @Test func cardsPassInEveryForm() async throws {
        let issuer = try TestCardIssuer()
        var policy = VerificationPolicy()
        policy.trust(issuer)
        let card = try issuer.card()
        #expect(try await Self.codes(card.jws, by: policy) == [nil])
        #expect(try await Self.codes(card.file, by: policy) == [nil])
        #expect(try await Self.codes(TestCard.file(of: [card, card.forged]), by: policy) == [nil, .signatureInvalid])
        for count in [1, 2, 5] {
            let texts = card.qrTexts(count: count)
            #expect(texts.count == count)
            #expect(try await Self.codes(texts.reversed().joined(separator: "\n"), by: policy) == [nil])
        }
        let verdict = try #require(try await Verifier(policy).verify(card.file, source: "test").first)
        #expect(verdict.issuerTrust == .allowList)
        let contents = try #require(verdict.verified?.claims.contents(names: .builtIn, at: .now))
        #expect(contents.records.count == 1 && contents.subjects.count == 1)
    }

    /// No code has more characters than the specification allows.
    @Test func longCardsAreSplitIntoAsFewCodesAsAllowed() throws {
        let issuer = try TestCardIssuer()
        // Letters in an order that does not compress.
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<3000).map { _ in String(Unicode.Scalar(UInt8.random(in: 0x61...0x7A, using: &generator))) }
            .joined()
        let card = try issuer.card(of: Array(#"{"resourceType":"Bundle","language":"\#(noise)"}"#.utf8))
        let texts = card.qrTexts()
        #expect(texts.count == (card.jws.utf8.count + 1190) / 1191 && texts.count > 1)
        let sizes = texts.map { ($0.split(separator: "/").last?.utf8.count ?? 0) / 2 }
        #expect(sizes.allSatisfy { $0 <= 1191 } && sizes.reduce(0, +) == card.jws.utf8.count)
    }

    /// Nobody else trusts the key, even under the same URL.
    @Test func nothingPassesForAnotherIssuer() async throws {
        let card = try TestCardIssuer().card()
        var policy = VerificationPolicy()
        policy.trust(try TestCardIssuer())
        #expect(try await Self.codes(card.jws, by: policy) == [.keyNotFound])
        #expect(try await Self.codes(card.jws, by: VerificationPolicy()) == [.issuerNotTrusted])
    }

    /// Whatever byte is changed, nothing passes. Of a card, which has more of them, every third is tried.
    @Test func oneChangedByteIsEnoughToFail() async throws {
        let issuer = try TestCardIssuer()
        let country = try TestHCERTIssuer()
        var policy = VerificationPolicy()
        policy.trust(issuer)
        try policy.trust(country)
        let verifier = try Verifier(policy)
        let card = Array(try issuer.card().jws.utf8)
        // The last character of each part in base64url has bits that mean nothing, which the verifier refuses too.
        for place in stride(from: 0, to: card.count, by: 3) {
            var changed = card
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let verdicts = try await verifier.verify(changed, source: "test")
            #expect(verdicts.allSatisfy { $0.verified == nil }, "character \(place)")
        }
        let octets = try country.certificate().octets
        for place in octets.indices {
            var changed = octets
            changed[place] ^= 1
            let verdicts = try await verifier.verify(changed, source: "test")
            #expect(verdicts.allSatisfy { $0.verified == nil }, "byte \(place)")
        }
    }

    @Test func membersOfACardAreThoseThatWereAskedFor() async throws {
        let issuer = try TestCardIssuer(try Issuer("https://clinic.example/shc"))
        let begin = try #require(NumericDate(decimal: "1600000000.25"))
        let end = try #require(NumericDate(decimal: "1700000000"))
        let card = try issuer.card(
            of: Array(#"{ "resourceType" : "Bundle", "entry" : [ ] }"#.utf8), issued: begin, expires: end,
            revocationID: "abc", types: [TestCardIssuer.cardType, "https://smarthealth.cards#covid19"],
            fhirVersion: "4.0.9")
        var policy = VerificationPolicy(.given(begin))
        policy.trust(issuer)
        let verdict = try #require(try await Verifier(policy).verify(card.file, source: "test").first)
        let claims = try #require(verdict.verified?.claims)
        #expect(claims.issuer?.description == "https://clinic.example/shc")
        #expect(claims.keyID?.description == issuer.keyID.description)
        #expect(claims.issued == begin && claims.expires == end)
        #expect(claims.types.map(\.description) == [TestCardIssuer.cardType, "https://smarthealth.cards#covid19"])
        #expect(claims.fhirVersion?.description == "4.0.9")
        #expect(claims.fhirBundle.map { Array($0.rawBytes) } == Array(#"{"resourceType":"Bundle","entry":[]}"#.utf8))
        #expect(throws: TestingFailure.self) { try issuer.card(of: Array("{".utf8)) }
        // A payload that no issuer may sign is signed.
        let odd = try issuer.card(payload: Array("[]".utf8))
        #expect(try await Self.codes(odd.jws, by: policy) == [.malformedPayload])
    }

    @Test func revokedCardsFail() async throws {
        var issuer = try TestCardIssuer()
        let (kept, revoked) = (try issuer.card(revocationID: "kept"), try issuer.card(revocationID: "gone"))
        issuer.revoke("gone")
        var policy = VerificationPolicy()
        policy.cards.trustedIssuers.allow(issuer.issuer)
        let input = TestCard.file(of: [kept, revoked])
        let verdicts = try await Verifier(policy, source: TestSource([issuer])).verify(input, source: "test")
        #expect(verdicts.map { $0.reason?.code } == [nil, .revoked])
        policy.trust(issuer)
        #expect(try await Self.codes(input, by: policy) == [nil, .revoked])
    }

    @Test func aSourceAnswersForItsIssuersOnly() async throws {
        let (known, unknown) = (try TestCardIssuer(), try TestCardIssuer(Issuer("https://silent.example")))
        var policy = VerificationPolicy()
        for issuer in [known, unknown] { policy.cards.trustedIssuers.allow(issuer.issuer) }
        let verifier = try Verifier(policy, source: TestSource([known]))
        let input = TestCard.file(of: [try known.card(), try unknown.card()])
        let verdicts = try await verifier.verify(input, source: "test")
        #expect(verdicts.map(\.name) == ["pass", "undetermined"])
        #expect(verdicts[0].keyOrigin == .network && verdicts[1].reason?.code == .keysUnavailable)
    }

    // MARK: Certificates

    @Test(arguments: ["PEM", "JWK"]) func certificatesPassWithEachListOfSigners(_ form: String) async throws {
        let country = try TestHCERTIssuer("AT")
        var policy = VerificationPolicy()
        try policy.hcerts.signers.add(list: form == "PEM" ? country.trustList : country.keySetFile)
        let certificate = try country.certificate()
        let verifier = try Verifier(policy)
        for input in [Array(certificate.text.utf8), certificate.octets] {
            let verdict = try #require(try await verifier.verify(input, source: "test").first)
            #expect(verdict.name == "pass" && verdict.signerCountry == "AT", "\(verdict.reason?.message ?? "")")
            #expect(verdict.verified?.claims.contents(names: .builtIn, at: .now)?.records.count == 1)
        }
        #expect(try await Self.codes(certificate.text, by: VerificationPolicy()) != [nil])
        var others = VerificationPolicy()
        try others.trust(try TestHCERTIssuer("AT"))
        #expect(try await Self.codes(certificate.text, by: others) == [.keyNotFound])
    }

    @Test func certificatesHaveTheirOwnTimes() async throws {
        let country = try TestHCERTIssuer()
        let begin = NumericDate(sinceEpoch: .seconds(1_650_000_000))
        let certificate = try country.certificate(
            issued: begin, expires: NumericDate(sinceEpoch: .seconds(1_650_086_400)))
        var policy = VerificationPolicy()
        try policy.trust(country)
        #expect(try await Self.codes(certificate.text, by: policy) == [.expired])
        var then = VerificationPolicy(.given(begin))
        try then.trust(country)
        #expect(try await Self.codes(certificate.text, by: then) == [nil])
    }

    // MARK: Another implementation

    private struct Request: Encodable {
        let jws: String
        let keySet: String
        let qr: [String]
        let hc1: String
        let trustList: String
    }

    /// Python's cryptography verifies the signatures, and reads the same content.
    @Test func anotherImplementationAgrees() throws {
        let (issuer, country) = (try TestCardIssuer(), try TestHCERTIssuer())
        let card = try issuer.card(revocationID: "a")
        let certificate = try country.certificate()
        let request = Request(
            jws: card.jws, keySet: String(decoding: issuer.keySetFile, as: UTF8.self), qr: card.qrTexts(count: 3),
            hc1: certificate.text, trustList: String(decoding: country.trustList, as: UTF8.self))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("TestSupport/second_verifier.py")
        process.arguments = ["-B", "-W", "ignore", script.path]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(request))
        try input.fileHandleForWriting.close()
        let answer = try JSONDocument.parse(Array(output.fileHandleForReading.readDataToEndOfFile()))
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let subject = try #require(answer["payload"]?["vc"]?["credentialSubject"])
        #expect(subject["fhirBundle"]?.canonical == (try JSONDocument.parse(TestCard.sampleBundle)).canonical)
        #expect(answer["payload"]?["vc"]?["rid"]?.string?.description == "a")
        #expect(answer["content"]?.canonical == (try JSONDocument.parse(TestHCERT.sampleContent)).canonical)
    }

    // MARK: Verdicts

    @Test func aVerdictThatPassesWasReallyVerified() throws {
        let verdict = try TestVerdict.pass()
        let verified = try #require(verdict.verified)
        #expect(verdict.checks.map(\.name) == Check.Name.allCases)
        #expect(verified.claims.contents(names: .builtIn, at: .now)?.records.first?.display != nil)
        #expect(verdict.issuerTrust == .allowList)
    }

    @Test(arguments: ReasonCode.allCases) func everyReasonHasAVerdict(_ code: ReasonCode) throws {
        let verdict = try TestVerdict.failing(code)
        #expect(verdict.reason?.code == code, "\(verdict.reason?.message ?? "")")
        #expect(verdict.name == (code.isUndetermined ? "undetermined" : "fail"))
        #expect(verdict.verified == nil)
    }

    /// A card that fails a late check has claims, so that a test sees what a view shows of them.
    @Test(arguments: [
        (ReasonCode.expired, Check.Name.validity), (.notYetValid, .validity), (.signatureInvalid, .signature),
        (.issuerNotTrusted, .issuerTrust), (.keyNotFound, .key), (.keysUnavailable, .key), (.revoked, .revocation),
        (.recordsNotMatching, .records),
    ]) func lateReasonsFailTheirOwnCheck(_ code: ReasonCode, _ check: Check.Name) throws {
        let verdict = try TestVerdict.failing(code)
        #expect(verdict.claims?.issued != nil)
        #expect(verdict.checks.first { $0.status == .fail || $0.status == .undetermined }?.name == check)
    }
}
