import Credentials
import Cryptography
import Encodings
import Inputs
import SMARTHealthCards
import TestSupport
import Testing

/// Messages about a card are one printable line, even if the card contains hostile text.
@Suite struct MessageTests {
    /// Characters that control a terminal, end a line, or hide or reorder text.
    private static let hostile =
        "\"\\\u{1B}[2J\u{9B}\u{7F}\r\n\u{0}\u{85}\u{2028}\u{2029}\u{202E}\u{2066}\u{FEFF}\u{E0041}"
    private static let texts = texts(ofLength: 50_000)
    /// For the header, whose size is limited.
    private static let shorterTexts = texts(ofLength: 4000)

    /// JSON strings of hostile text: one short, the others of this length.
    private static func texts(ofLength length: Int) -> [String] {
        let repeated = [hostile, "e\u{301}", "\u{301}", "x", "\u{1F468}\u{200D}"].map { text in
            String(repeating: text, count: length / text.unicodeScalars.count)
        }
        return ([hostile] + repeated).map { Payload.quoted($0) }
    }

    private func expectFit(_ jws: [UInt8], _ policy: CardPolicy, evidence: EvidenceAnswers = EvidenceAnswers()) throws {
        let examined = try ExaminedCard(jws: jws)
        guard case .verdict(let verdict) = ReferenceVerifier(policy: policy).verify(examined, with: evidence) else {
            return
        }
        verdict.expectInOrder()
        #expect(verdict.verified == nil)
    }

    @Test(arguments: texts)
    func messagesAboutHostilePayloadsArePrintable(_ text: String) throws {
        let policy = CardPolicy.test(keys: TestVectors.noKeys, trusted: [TestVectors.issuer])
        for path in ["iss", "nbf", "exp", "vc", "vc.rid", "vc.credentialSubject", "vc.credentialSubject.fhirBundle"] {
            try expectFit(Payload.jws(Payload.text([path: text])), policy)
        }
        try expectFit(Payload.jws(Payload.text(["vc.credentialSubject.fhirVersion": text])), policy)
        let types = #"["https://smarthealth.cards#health-card",\#(text)]"#
        try expectFit(Payload.jws(Payload.text(["vc.type": types])), policy)
        // A member name that occurs twice, and text that is not JSON.
        try expectFit(Payload.jws("{\(text):1,\(text):2}"), policy)
        try expectFit(Payload.jws("{\(text):\(text)\(text)}"), policy)
    }

    @Test(arguments: shorterTexts)
    func messagesAboutHostileHeadersArePrintable(_ text: String) throws {
        for header in [
            #"{"alg":\#(text),"zip":"DEF","kid":"x"}"#, #"{"alg":"ES256","zip":\#(text),"kid":"x"}"#,
            #"{"alg":"ES256","zip":"DEF","kid":\#(text)}"#,
            #"{"alg":"ES256","zip":"DEF","kid":"x",\#(text):1,\#(text):2}"#,
        ] {
            try expectFit(Payload.jws(Payload.text(), header: header), .test(keys: TestVectors.noKeys))
            try expectFit(
                Payload.jws(Payload.text(), header: header),
                .test(keys: JWKSet([JWK(Samples.json(#"{"kid":\#(text)}"#))])))
        }
    }

    @Test(arguments: texts)
    func messagesAboutHostileKeysAndListsArePrintable(_ text: String) throws {
        let key =
            #""kty":"EC","crv":"P-256","x":"9unONotsCL7gS55WHD7-4XdSDcBYHUznKdbfBjbjyCM","y":"w7LabdiXpF-coOA_cnRUW6a7ax9ZrPSvreG78oLVSnI""#
        let kid = #""kid":"\#(TestVectors.keyID)""#
        for members in [
            #""kty":\#(text)"#, #""kty":"EC","use":\#(text)"#, #""kty":"EC","crv":\#(text)"#,
            #"\#(key),"x5c":[\#(text)]"#,
            #"\#(key),"crlVersion":\#(text)"#, #"\#(key),"crlVersion":[\#(text),"# + "\n1]",
        ] {
            let keys = JWKSet([JWK(try Samples.json("{\(kid),\(members)}"))])
            let list = try RevocationList(Array(#"{\#(kid),"method":"rid","ctr":1,"rids":[]}"#.utf8))
            let examined = try ExaminedCard(jws: TestVectors.revocableCard())
            let verifier = ReferenceVerifier(policy: .test(keys: keys, lists: members.contains("crl") ? [list] : []))
            try verifier.verify(examined, with: EvidenceAnswers()).verdict().expectInOrder()
        }
        let list = try RevocationList(Array(#"{\#(kid),"method":\#(text)}"#.utf8))
        try expectFit(TestVectors.revocableCard(), .test(keys: TestVectors.keys(), lists: [list]))
    }

    @Test(arguments: texts)
    func messagesAboutHostileInputsArePrintable(_ text: String) {
        for input in [
            text, "{\(text):1}", "{\(text):1,\(text):1}", #"{"resourceType":\#(text)}"#,
            #"{"verifiableCredential":\#(text)}"#,
            "https://x/#{\(text)", "shc:/\(text)", "shc:/\(text)/2/56", "eyJ\(text)", text.replacing("\"", with: ""),
        ] {
            for card in CredentialReader.cards(in: input) {
                if let failure = card.failure { #expect(failure.message.isFitToPrint, "\(failure.message)") }
                #expect(card.warnings.allSatisfy { $0.message.isFitToPrint })
            }
        }
    }
}
