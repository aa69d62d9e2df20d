import Credentials
import Encodings
import Inputs
import Testing

/// What a JSON document is depends on the names of the members at its top.
@Suite struct DocumentKindTests {
    private func kind(_ text: String, among kinds: [DocumentKind] = DocumentKind.allCases) throws -> DocumentKind {
        try DocumentKind(of: try JSONDocument.parse(Array(text.utf8)), among: kinds)
    }

    @Test(
        arguments: [
            (#"{"vc":{}}"#, .payload), (#"{"iss":"x"}"#, .payload), (#"{"keys":[]}"#, .keySet),
            (#"{"kty":"EC"}"#, .keySet),
            (#"{"rids":[]}"#, .cardRevocations), (#"{"method":"rid"}"#, .cardRevocations),
            (#"{"kid":"x","ctr":1}"#, .cardRevocations),
            (#"{"hashType":"UCI"}"#, .certificateRevocations), (#"{"entries":[]}"#, .certificateRevocations),
            (#"{"participating_issuers":[]}"#, .issuers), (#"{"issuerInfo":[]}"#, .issuers),
            (#"{"participating_issuers":[],"issuerInfo":[]}"#, .issuers),
            (#"{"verificationMethod":[]}"#, .didDocument), (#"{"certificates":[]}"#, .germanList),
            ("[]", .gatewayList), ("[1]", .gatewayList),
            (#"{"\u0072ids":[]}"#, .cardRevocations), (#"{"hash\u0054ype":"UCI"}"#, .certificateRevocations),
            (#"{"participating\u005fissuers":[]}"#, .issuers), (#"{"rids":null}"#, .cardRevocations),
            (#"{"schemaVersion":1,"issuers":[],"notJudged":0}"#, .audit),
        ] as [(String, DocumentKind)])
    func namesOfMembersDecide(_ text: String, _ expected: DocumentKind) throws {
        #expect(try kind(text) == expected)
    }

    /// Publishers may add members, and a document that has all required members of one kind is of that kind.
    @Test(
        arguments: [
            (#"{"kid":"x","method":"rid","rids":[],"entries":[]}"#, .cardRevocations),
            (#"{"kid":"x","method":"rid","rids":[],"hashType":"UCI"}"#, .cardRevocations),
            (#"{"kid":"x","hashType":"UCI","entries":[],"method":"rid","ctr":1}"#, .certificateRevocations),
            (#"{"kid":"x","hashType":"UCI","entries":[],"rids":[]}"#, .certificateRevocations),
            (#"{"keys":[],"iss":"x","method":"rid","hashType":"UCI"}"#, .keySet), (#"{"kty":"EC","ctr":1}"#, .keySet),
            (#"{"iss":"x","vc":{},"method":"rid"}"#, .payload), (#"{"issuerInfo":[],"iss":"x","ctr":1}"#, .issuers),
        ] as [(String, DocumentKind)])
    func allRequiredMembersDecide(_ text: String, _ expected: DocumentKind) throws {
        #expect(try kind(text) == expected)
    }

    @Test(arguments: [
        #"{"method":"rid","rids":[],"hashType":"UCI","entries":[]}"#, #"{"rids":[],"entries":[]}"#,
        #"{"method":"rid","hashType":"UCI"}"#, #"{"participating_issuers":[],"verificationMethod":[]}"#,
        #"{"issuerInfo":[],"\u0063ertificates":[]}"#, #"{"verificationMethod":[],"certificates":[]}"#,
        #"{"keys":[],"issuerInfo":[]}"#, #"{"keys":[],"method":"rid","rids":[]}"#,
        #"{"issuers":[],"notJudged":0,"participating_issuers":[]}"#,
    ])
    func whatCouldBeTwoThingsIsNeither(_ text: String) throws {
        let error = #expect(throws: Malformed.self) { try kind(text) }
        #expect(error?.description.hasPrefix("it has members of ") == true)
        #expect(try DocumentKind.ambiguity(of: JSONDocument.parse(Array(text.utf8))) == error?.description)
    }

    /// Only WHO's list is called that, and the words send nobody to an option that does not take the document.
    @Test func documentsOfOtherDIDsAreNotWHOs() throws {
        let advice = { (id: String) throws in
            let text = #"{"id":"\#(id)","verificationMethod":[{"publicKeyJwk":{}}]}"#
            return try #require(DocumentKind.advice(on: try JSONDocument.parse(Array(text.utf8))))
        }
        #expect(try advice("did:web:tng-cdn.who.int:v2:trustlist").contains("WHO's trust list"))
        let other = try advice("did:web:issuer.example")
        #expect(other.contains("DID document") && other.contains("key set") && !other.contains("WHO"))
    }

    @Test(arguments: [
        "{}", "7", "null", #""rids""#, #"{"kid":"x"}"#, #"{"Rids":[],"hashtype":"UCI","ENTRIES":[]}"#,
        #"{"list":{"participating_issuers":[]}}"#, #"{"name":"certificates","kid":"verificationMethod"}"#,
    ])
    func whatIsInsideMembersDoesNotCount(_ text: String) throws {
        #expect(throws: Malformed.self) { try kind(text) }
        #expect(try DocumentKind.ambiguity(of: JSONDocument.parse(Array(text.utf8))) == nil)
    }

    /// Each option takes some kinds only. Its message says what the document is instead.
    @Test(arguments: [
        (#"{"keys":[]}"#, DocumentKind.revocations, "it is a key set, which is given with --jwks"),
        (#"{"issuerInfo":[]}"#, DocumentKind.revocations, "which is given with --directory"),
        (#"{"method":"rid","rids":[]}"#, DocumentKind.directories, "which is given with --crl"),
        (#"{"iss":"x"}"#, DocumentKind.directories, "it is the payload of a card"),
        ("[]", DocumentKind.revocations, #"it is none of these: a card revocation list ("rids""#),
        ("{}", DocumentKind.directories, "it is none of these: "),
    ])
    func saysWhatADocumentIsInstead(_ text: String, _ kinds: [DocumentKind], _ words: String) throws {
        let error = #expect(throws: Malformed.self) { try kind(text, among: kinds) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}
