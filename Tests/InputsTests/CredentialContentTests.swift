import Credentials
import Inputs
import Testing

/// What is beside other content is a credential if it would be judged on its own, or if it is meant as one.
@Suite struct CredentialContentTests {
    private static func url(_ fragment: String) -> String { "https://app.example/#" + fragment }

    @Test(arguments: [
        "shc:/5676", "SHC:/5676", "shc:/1/2/5676", " \n shc:/56", "\u{FEFF}shc:/5676", "eyJh.Yg.Yw", "eyAiYSI.Yg.Yw",
        #"{"verifiableCredential":[]}"#, #"{"verifiable\u0043redential":null}"#, #"{"VerifiableCredential":["eyJ"]}"#,
        #"[{"verifiableCredential":[]}]"#, #"{"data":{"verifiableCredential":[]}}"#,
        #"{"resourceType":"Parameters","parameter":[{"name":"verifiableCredential"}]}"#,
        #"{"resourceType":"Parameters","parameter":{"name":"verifiableCredential"}}"#,
        #"{"resourceType":"Bundle","entry":[{"resource":{"parameter":[{"name":"VERIFIABLEcredential"}]}}]}"#,
        url(#"{"verifiableCredential":[]}"#), url("%7B%22verifiableCredential%22%3A%5B%5D%7D"),
        url(#"{"resourceType":"Parameters","parameter":[{"name":"verifiableCredential"}]}"#),
        "Your card:\nshc:/5676", "text\r\neyJh.Yg.Yw", #""eyJh.Yg.Yw""#, "eyJh.Yg.Yw\neyJh.Yg.Yw",
        // What is refused as a card in a file.
        "567629", "567629 0022\n33", #"["eyJh.Yg.Yw"]"#, #"[1,["\u0065yJh.Yg.Yw"]]"#, #"[" shc:/5676"]"#,
        #"["eyJh.Yg.Yw",]"#,
    ])
    func cardsAreRecognised(_ text: String) {
        let content = CredentialContent(Array(text.utf8))
        #expect(content.kind == .cards && content.defect == nil)
    }

    /// Another program may read cards from JSON that is not acceptable here.
    @Test(arguments: [
        #"{"verifiableCredential":[],"verifiableCredential":[]}"#, #"{"verifiableCredential":["eyJ"],}"#,
        #"{"verifiableCredential":["eyJ"]}x"#, #"{"verifiable\u0043redential":["#,
        #"{'a':1,"VerifiableCredential":[]}"#,
        #"[{"name":"verifiableCredential"},]"#, url(#"{"verifiableCredential":[]"#),
        url("%7B%22verifiableCredential%22%3A%5B"), url("{%22verifiableCredential%22:[%zz"),
        url(#"{"verifiableCredential":[]}%"#),
    ])
    func refusedCardsAreRecognised(_ text: String) {
        let content = CredentialContent(Array(text.utf8))
        #expect(content.kind == .cards && content.defect != nil)
    }

    @Test func jsonWithTooManyValuesIsRefused() {
        let values = String(repeating: "1,", count: Bounds.inputValues)
        let card = CredentialContent(Array(#"{"a":[\#(values)1],"verifiableCredential":[]}"#.utf8))
        #expect(card.kind == .cards && card.defect != nil)
        let other = Array(#"{"a":[\#(values)1]}"#.utf8)
        #expect(CredentialContent(other).kind == .other && CredentialContent(other).json == nil)
        #expect(CredentialContent(other, mostValues: 1_000_000).json != nil)
    }

    /// Another kind of credential counts as one: it is refused, not passed over.
    @Test(arguments: [
        "NZCP:/1/2KCEVIQE", "DC04FR0AXT4A0E840E8A", "B64:UEsDBBQ", #"{"data":{"hdr":{"t":"icao.vacc"}},"sig":{}}"#,
        #"{"type":["VerifiableCredential"],"credentialSubject":{},"evidence":[],"proof":{}}"#,
    ]) func otherKindsAreRecognised(_ text: String) {
        #expect(CredentialContent(Array(text.utf8)).kind == .unsupported)
    }

    @Test(arguments: [
        "NZCP", "DC05FR0AXT4A", "DC04 FR0A", #"{"data":{"hdr":{"t":"icao.vacc"}}}"#,
        #"{"data":{"hdr":{"t":"x"}},"sig":{}}"#,
        #"{"type":["VerifiableCredential"],"credentialSubject":{}}"#, "PK\u{3}\u{4}",
    ]) func whatResemblesThemIsNone(_ text: String) {
        #expect(CredentialContent(Array(text.utf8)).kind == .other)
    }

    @Test func certificatesAreRecognised() {
        // A later version and a national form are refused by name.
        for text in ["HC1:6BF", "hc1:6BF", "x\nHC1:6BF", "HC1:6BF\neyJh.Yg.Yw", "HC2:6BF", "NO1:6BF"] {
            #expect(CredentialContent(Array(text.utf8)).kind == .certificates)
        }
        #expect(CredentialContent([0xD2, 0x84, 0x43, 0xA1]).kind == .certificates)
        #expect(CredentialContent([0x78, 0x9C, 0x00]).kind == .certificates)
    }

    @Test(arguments: ["shlink:/eyJ", "https://viewer.example/#shlink:/eyJ"]) func linksAreRecognised(_ text: String) {
        #expect(CredentialContent(Array(text.utf8)).kind == .container(.link))
    }

    @Test(arguments: [
        #"{"type":"smart-health-checkin-response","artifacts":[]}"#,
        #"{"protocol":"org-iso-mdoc","data":{"response":""}}"#,
    ]) func checkInsAreRecognised(_ text: String) {
        #expect(CredentialContent(Array(text.utf8)).kind == .container(.checkIn))
    }

    @Test(arguments: [
        "", "hello", "www.example.com", "https://app.example/", url("section"), url("{}"), "{}", "{", "[]", "[",
        "<svg/>",
        "%PDF-1.7", "BEGIN:VCARD\nFN:eyJh\nEND:VCARD",
        #"{"resourceType":"Bundle"}"#, #"{"resourceType":"Parameters","parameter":[{"name":"resourceLink"}]}"#,
        "base64:\newogICJh\nIjoxfQ==\n", #"{"a":"verifiableCredential"}"#, "\u{89}PNG\r\n\u{1A}\n",
    ])
    func otherContentIsNone(_ text: String) {
        let content = CredentialContent(Array(text.utf8))
        #expect(content.kind == .other && content.defect == nil)
    }
}
