import Credentials
import Cryptography
import Inputs
import TestSupport
import Testing

/// The form of an input, and the cards in it.
@Suite struct CredentialReaderTests {
    private static let jws = "eyJh.Yg.Yw"
    private static let other = "eyJi.Yg.Yw"

    private static let forms: [(InputForm, String)] = [
        (.jws, jws),
        (.file, Carrier.file([Array(jws.utf8)])),
        (.file, "{ \"x\": [{}], \"verifiableCredential\" :\n[ \"\(jws)\" ] }"),
        (.file, #"{"verifiable\u0043redential":["eyJh\u002eYg.Yw"]}"#),
        (.parameters, Carrier.parameters([Array(jws.utf8)])),
        (
            .parameters,
            #"{"resourceType":"Parameters","parameter":[{"name":"resourceLink"},{"name":"verifiableCredential","valueString":"\#(jws)"}]}"#
        ),
        (.qr, Carrier.qr(jws.utf8)),
        (.qr, "SHC:/" + Carrier.digits(jws.utf8)),
        (.qr, "shc:/1/1/" + Carrier.digits(jws.utf8)),
        (.deeplink, "https://app.example/#" + Carrier.file([Array(jws.utf8)])),
        (.deeplink, "https://app.example/x?y=z#" + Carrier.percentEncoded(Carrier.file([Array(jws.utf8)]))),
        (.deeplink, "App://x#" + Carrier.percentEncoded(Carrier.file([Array(jws.utf8)]), uppercase: false)),
        (.deeplink, "https://app.example/#{%22verifiableCredential%22:[%22\(jws)%22]}"),
        (.deeplink, "https://app.example/#%7B\"verifiableCredential\":[\"\(jws)\"]}"),
    ]

    @Test(arguments: forms)
    func recognisesInputByItsContent(_ kind: InputForm, _ text: String) throws {
        for (start, end) in [("", ""), (" \t\r\n", "\r\n"), ("", "\n\n"), ("\u{FEFF}", ""), ("\u{FEFF} ", " ")] {
            let cards = CredentialReader.cards(in: start + text + end)
            let card = try #require(cards.first)
            #expect(cards.count == 1)
            #expect(card.form == kind)
            #expect(card.words == Self.jws)
            #expect(card.source == "in#0")
            #expect(card.warnings.contains { $0.code == .byteOrderMark } == start.hasPrefix("\u{FEFF}"))
        }
    }

    @Test func recognisesDamagedJWS() {
        for text in ["eyJ", "eyJh.Yg", "eyJh Yg.Yw", "a.b.c.d", "YQ==.Yg.Yw", "a+/.b.c", ".a", "eyJ\u{0}x"] {
            #expect(CredentialReader.cards(in: text).map(\.form) == [.jws])
            #expect(CredentialReader.cards(in: text).map(\.words) == [text])
        }
    }

    @Test(arguments: [
        ("", "empty"), (" \r\n\t", "empty"), ("\u{FEFF}", "empty"), ("\u{FEFF} \n", "empty"),
        ("{", "not acceptable JSON"), ("{]", "not acceptable JSON"), (#"{"a":1,"a":2}"#, "not acceptable JSON"),
        (#"{"verifiableCredential":["eyJ"]}x"#, "not acceptable JSON"),
        ("{}", "no member"), (#"{"verifiableCredentials":["eyJ"]}"#, "no member"),
        (#"{"VerifiableCredential":["eyJ"]}"#, "in another place (VerifiableCredential)"),
        (#"{"data":{"verifiableCredential":["eyJ"]}}"#, "no member"),
        (#"{"resourceType":"Bundle","entry":[{"verifiableCredential":[]}]}"#, "in another place (entry[0]"),
        (#"{"x":{"resourceType":"Parameters","parameter":[{"name":"verifiableCredential"}]}}"#, "a card inside"),
        (#"{"verifiableCredential":[]}"#, "array is empty"),
        (#"{"verifiableCredential":"eyJ"}"#, "type is string"), (#"{"verifiableCredential":null}"#, "type is null"),
        (#"{"verifiableCredential":{"0":"eyJ"}}"#, "type is object"),
        (#"{"resourceType":"Parameters"}"#, "no parameter named"),
        (#"{"resourceType":"Parameters","parameter":[]}"#, "no parameter named"),
        (#"{"resourceType":"Parameters","parameter":{"name":"verifiableCredential"}}"#, "no parameter named"),
        (#"{"resourceType":"Parameters","parameter":[null,1,{"name":1}]}"#, "no parameter named"),
        (#"{"resourceType":"Bundle"}"#, "FHIR \"Bundle\" resource"), (#"{"vc":{}}"#, "payload of a card"),
        (#"{"keys":[]}"#, "key set"), (#"{"payload":"","signatures":[]}"#, "JSON serialization"),
        (#"["eyJ"]"#, "not an object"), (#""eyJ""#, "not an object"), ("<svg/>", "a picture"), ("<html/>", "XML"),
        ("\u{89}PNG", "its form is not known"),
        ("%PDF-1.7", "a PDF"), ("GIF89a", "picture"), ("hello", "its form is not known"),
        ("...", "its form is not known"),
        ("https://app.example/", "without a fragment"), ("https://app.example/#", "without a fragment"),
        ("https://app.example/#x", "not"), ("https://app.example/#%7B%7D", "no member"),
        ("https://app.example/#{}", "no member"), ("https://app.example/#%7", "percent-encoding is invalid"),
        ("https://app.example/#%zz", "percent-encoding is invalid"),
        ("https://app.example/#%", "percent-encoding is invalid"),
        ("https://app.example/#{%22verifiableCredential%22:[%22eyJ%22]", "not"),
        ("https://app.example/#%7B%22verifiableCredential%22%3A%5B%5D%7D", "array is empty"),
        ("shlink:/eyJ", "SMART Health Link"), ("NO1:6BF", "domestic certificate of Norway"),
        ("LT1:NCF", "light certificate of Switzerland"), ("SHLINK%3A%2FeyJ", "SHLINK%3A"),
        (#"{"header":{"alg":"ES256"},"payload":{"iss":"x","vc":{}}}"#, "decoded into its header and payload"),
        (#"{"header":{},"payload":{},"signature":"x"}"#, "decoded into its header and payload"),
        (#"{"ver":"1.3.0","nam":{},"dob":"","v":[]}"#, "certificate that was decoded"),
        (#"{"1":{"nam":{},"t":[]}}"#, "certificate that was decoded"),
        (#"{"1":"DE","4":1,"6":1,"-260":{"1":{"nam":{},"dob":""}}}"#, "certificate that was decoded"),
        (#"{"header":{},"payload":{"hcert":{"1":{"nam":{},"v":[]}}}}"#, "decoded"),
        ("d2844da20126" + String(repeating: "0", count: 80), "hexadecimal"),
        ("0xD2844DA20126" + String(repeating: "AB \n", count: 40), "hexadecimal"),
        (String(repeating: "ab", count: 100), "its form is not known"),
        ("d2844da2", "its form is not known"), (#"{"1":{"1":{"1":{"1":{"1":{}}}}}}"#, "no member"),
    ])
    func rejectsInputWithoutACardAndSaysWhatItIs(_ text: String, _ words: String) throws {
        let cards = CredentialReader.cards(in: text)
        let failure = try #require(cards.first?.failure)
        #expect(cards.count == 1)
        #expect(failure.code == (words == "empty" ? .emptyInput : .malformedInput))
        #expect(failure.message.contains(words), "\(failure.message)")
        #expect(failure.message.isFitToPrint)
    }

    @Test func returnsAllCardsOfAFileInOrder() {
        let text = #"{"verifiableCredential":["a.b.c",1,"",null,["a.b.c"],"d.e.f"]}"#
        let cards = CredentialReader.cards(in: text)
        #expect(cards.map(\.source) == (0...5).map { "in#\($0)" })
        #expect(cards.map(\.words) == ["a.b.c", nil, "", nil, nil, "d.e.f"])
        #expect(cards.compactMap(\.failure).map(\.code) == [.malformedInput, .malformedInput, .malformedInput])
        #expect(cards.allSatisfy { $0.form == .file })
    }

    @Test func returnsEveryParameterNamedVerifiableCredential() {
        let text = #"""
            {"resourceType":"Parameters","parameter":[{"name":"verifiableCredential","valueString":"a.b.c"},
            {"name":"verifiableCredential"},{"name":"verifiableCredential","valueString":7},{"name":"x","valueString":"y"},
            {"name":"verifiable\u0043redential","valueString":"d.e.f"}]}
            """#
        let cards = CredentialReader.cards(in: text)
        #expect(cards.map(\.words) == ["a.b.c", nil, nil, "d.e.f"])
        #expect(cards.allSatisfy { $0.form == .parameters })
    }

    @Test func doesNotTrimJWSInAFile() {
        #expect(
            CredentialReader.cards(in: #"{"verifiableCredential":[" eyJh.Yg.Yw\n"]}"#).map(\.words) == [" eyJh.Yg.Yw\n"]
        )
    }

    @Test func numbersCardsByInputNameAndKeepsTheirOrder() {
        var reader = CredentialReader()
        reader.add(Array(Carrier.file([Array("a.b.c".utf8), Array("d.e.f".utf8)]).utf8), source: "one")
        reader.add(failure: VerificationFailure(.unreadableInput, "gone"), source: "two")
        reader.add(Array("nothing".utf8), source: "three")
        reader.add(Array(Carrier.qr("g.h.i".utf8).utf8), source: "qr")
        reader.add(Array("j.k.l".utf8), source: "one")
        reader.add(Array(Carrier.qr("m.n.o".utf8).utf8), source: "qr")
        let cards = reader.cards()
        #expect(cards.map(\.source) == ["one#0", "one#1", "two", "three#0", "qr#0", "one#2", "qr#1"])
        #expect(cards.map(\.words) == ["a.b.c", "d.e.f", nil, nil, "g.h.i", "j.k.l", "m.n.o"])
        #expect(cards.map(\.form) == [.file, .file, nil, nil, .qr, .jws, .qr])
    }

    @Test func returnsNoCardsWithoutInputs() {
        #expect(CredentialReader().cards().isEmpty)
    }

    // MARK: Limits of an input

    /// Links count wherever they are in an input. With too many of them, none is opened.
    @Test func countsTheLinksOfAnInput() {
        func attachment(_ count: Int, _ start: String = "") -> [UInt8] {
            Array((start + (0..<count).map { "shlink:/e\($0)" }.joined(separator: "\n")).utf8)
        }
        func links(_ attachments: [[UInt8]]) -> (links: Int, codes: [ReasonCode]) {
            var document = ScannedDocument(form: .pdf)
            document.attachments = attachments
            var reader = CredentialReader()
            reader.add(attachment(100), source: "other")
            reader.add(document, source: "in")
            return (reader.containers(.link).count - 100, reader.cards().dropFirst(100).compactMap { $0.failure?.code })
        }
        #expect(links([attachment(50), attachment(50)]).links == 100)
        let many = links(Array(repeating: attachment(100), count: 16))
        #expect(many.links == 0 && many.codes == [.malformedLink])
        let mixed = links([attachment(100, "HC1:x\n"), attachment(1)])
        #expect(mixed.links == 0 && mixed.codes == [.malformedLink])
    }
}
