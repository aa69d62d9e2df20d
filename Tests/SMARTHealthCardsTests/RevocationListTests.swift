import Credentials
import Cryptography
import Encodings
import SMARTHealthCards
import TestSupport
import Testing

@Suite struct RevocationListTests {
    private static let issued = TestVectors.issued

    private func list(_ text: String) throws -> RevocationList { try RevocationList(Array(text.utf8)) }

    private func list(rids: String) throws -> RevocationList {
        try list(#"{"kid":"k","method":"rid","ctr":1,"rids":[\#(rids)]}"#)
    }

    @Test(arguments: [
        (#""a""#, true), (#""b","a""#, true), (#""b""#, false), (#""aa""#, false), (#""A""#, false), ("", false),
        (#""\u0061""#, true), (#""\u0061.1750000001""#, true), (#""\u0062""#, false),
        // A card that was issued exactly at the timestamp is not revoked.
        (#""a.1750000001""#, true), (#""a.1750000000""#, false), (#""a.1749999999""#, false), (#""a.0""#, false),
        (#""a.999999999999999""#, true),
        // One matching entry is enough.
        (#""a.0","a.1750000001""#, true), (#""a.1750000001","a.0""#, true), (#""a.0","a""#, true),
        (#""a","a.0""#, true),
        (#""b.1750000001","aa","a.0""#, false),
    ])
    func listsACardByIdentifierAndDateOfIssue(_ rids: String, _ isListed: Bool) throws {
        let list = try list(rids: rids)
        #expect(list.defect == nil)
        #expect(list.lists("a", issued: Self.issued) == isListed)
    }

    @Test(arguments: [
        ("1749999999.999999999999999999", true), ("1749999999.9", true), ("1750000000", false),
        ("1750000000.000000000000000001", false), ("1750000000.0", false),
    ])
    func comparesFractionsOfSeconds(_ issued: String, _ isListed: Bool) throws {
        let issued = try #require(NumericDate(decimal: issued))
        #expect(try list(rids: #""a.1750000000""#).lists("a", issued: issued) == isListed)
    }

    @Test(arguments: [
        #""""#, #"".1""#, #""a.""#, #""a.b""#, #""a.1.2""#, #""a.-1""#, #""a.+1""#, #""a.1.5""#, #""a.1e9""#,
        #""a.1234567890123456""#, #""a b""#, #""a=""#, #""a+""#, #""é""#, #""a\n""#, "7", "null", #"["a"]"#, "{}",
    ])
    func malformedEntryIsADefectOfTheList(_ entry: String) throws {
        let list = try list(rids: #""x",\#(entry),"y""#)
        #expect(list.defect?.contains("entry 1 of its") == true)
        #expect(list.defect?.isFitToPrint == true)
    }

    @Test(arguments: [
        (#"{"kid":"k","ctr":1,"rids":[]}"#, "method"), (#"{"kid":"k","method":"RID","rids":[]}"#, #""RID""#),
        (#"{"kid":"k","method":"","rids":[]}"#, #""""#), (#"{"kid":"k","method":null,"rids":[]}"#, "missing"),
        (#"{"kid":"k","method":"\u001b[2J","rids":[]}"#, #"\u001b"#),
        (#"{"kid":"k","method":"rid"}"#, "rids"), (#"{"kid":"k","method":"rid","rids":{}}"#, "rids"),
        (#"{"kid":"k","method":"rid","rids":"a"}"#, "rids"),
        (#"{"kid":"k","method":"rid","ctr":1.5,"rids":[]}"#, "ctr"),
        (#"{"kid":"k","method":"rid","ctr":-1,"rids":[]}"#, "ctr"),
        (#"{"kid":"k","method":"rid","ctr":"x","rids":[]}"#, "ctr"),
        (#"{"kid":"k","method":"rid","ctr":1e2,"rids":[]}"#, "ctr"),
    ])
    func malformedMembersAreDefectsAndNotErrors(_ text: String, _ words: String) throws {
        let list = try list(text)
        #expect(list.keyID.description == "k")
        #expect(list.defect?.contains(words) == true, "\(list.defect ?? "")")
        #expect(list.defect?.isFitToPrint == true)
    }

    @Test(arguments: [
        "", "x", "[]", "null", "{}", #"{"method":"rid","rids":[]}"#, #"{"kid":"","method":"rid","rids":[]}"#,
        #"{"kid":7,"method":"rid","rids":[]}"#, #"{"kid":"k","kid":"k","rids":[]}"#, "<html></html>", "\u{FEFF}{}",
    ])
    func rejectsOtherDocuments(_ text: String) throws {
        let error = try #require(throws: Malformed.self) { _ = try list(text) }
        #expect(error.description.isFitToPrint)
    }

    @Test func acceptsListWithoutCounter() throws {
        let list = try list(#"{"kid":"k","method":"rid","rids":["a"]}"#)
        #expect(list.counter == nil)
        #expect(list.defect == nil)
    }

    @Test func readsAListOfTwoHundredThousandEntries() throws {
        let rids = (0..<200_000).map { $0.isMultiple(of: 2) ? "\"entry-\($0)\"" : "\"entry-\($0).1750000000\"" }
        let list = try list(rids: rids.joined(separator: ","))
        #expect(list.defect == nil)
        #expect(list.lists("entry-199998", issued: Self.issued))
        #expect(!list.lists("entry-199999", issued: Self.issued))
        #expect(!list.lists("entry-200000", issued: Self.issued))
    }

    // MARK: Where it is published

    @Test func urlOfAListNamesIssuerAndKey() {
        let name = RevocationListName(issuer: TestVectors.issuer, keyID: TestVectors.keyID)
        #expect(
            name.url
                == "https://issuer-a.example/cards/.well-known/crl/ot01SiUGLVqI7DwMxi3uihZCE8cXsxYaX-0g5jfICKo.json")
    }

    @Test(arguments: [
        ("../../x", "%2E%2E%2F%2E%2E%2Fx"), ("a?b#c", "a%3Fb%23c"), ("a%2fb", "a%252fb"), ("é\n", "%C3%A9%0A"),
        ("\u{0}", "%00"),
        ("@:\\ ", "%40%3A%5C%20"),
    ])
    func escapesKeyIDsThatAreNotBase64url(_ keyID: String, _ written: String) {
        let name = RevocationListName(issuer: TestVectors.issuer, keyID: .init(keyID))
        #expect(name.url == "https://issuer-a.example/cards/.well-known/crl/\(written).json")
    }
}

@Suite struct RevocationCounterTests {
    private func counter(_ json: String) throws -> RevocationCounter? {
        RevocationCounter(try JSONDocument.parse(Array(json.utf8)))
    }

    @Test(arguments: [
        ("0", "0"), ("7", "7"), (#""7""#, "7"), (#""007""#, "7"), ("18446744073709551615", "18446744073709551615"),
        (#""\u0037""#, "7"),
    ])
    func readsNumbersAndStringsOfDigits(_ json: String, _ text: String) throws {
        #expect(try counter(json)?.description == text)
    }

    @Test(arguments: [
        "-1", "1.0", "1e1", "18446744073709551616", #""""#, #""-1""#, #""+1""#, #"" 1""#, #""1 ""#, #""1.0""#,
        #""0x1""#,
        #""١""#, "null", "true", "[1]", "{}",
    ])
    func rejectsOtherValues(_ json: String) throws {
        #expect(try counter(json) == nil)
    }

    @Test func comparesCountersAsNumbers() throws {
        let counters = try [#""2""#, "9", #""10""#, "100"].map { try #require(try counter($0)) }
        for (lesser, greater) in zip(counters, counters.dropFirst()) { #expect(lesser < greater) }
        #expect(try counter("10") == counter(#""010""#))
    }
}
