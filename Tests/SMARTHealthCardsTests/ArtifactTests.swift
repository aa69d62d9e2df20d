import SMARTHealthCards
import Testing

/// What an input turns out to be, and the cards in it.
@Suite struct ArtifactTests {
    private static let jws = "eyJh.Yg.Yw"
    private static let other = "eyJi.Yg.Yw"

    private static let forms: [(InputKind, String)] = [
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
    func theContentDecidesWhatAnInputIs(_ kind: InputKind, _ text: String) throws {
        for (start, end) in [("", ""), (" \t\r\n", "\r\n"), ("", "\n\n"), ("\u{FEFF}", ""), ("\u{FEFF} ", " ")] {
            let cards = ArtifactReader.cards(in: start + text + end)
            let card = try #require(cards.first)
            #expect(cards.count == 1)
            #expect(card.kind == kind)
            #expect(card.text == Self.jws)
            #expect(card.source == "in#0")
            #expect(card.warnings.contains { $0.code == .byteOrderMark } == start.hasPrefix("\u{FEFF}"))
        }
    }

    @Test func aJWSThatIsALittleWrongIsStillCalledOne() {
        for text in ["eyJ", "eyJh.Yg", "eyJh Yg.Yw", "a.b.c.d", "YQ==.Yg.Yw", "a+/.b.c", ".a", "eyJ\u{0}"] {
            #expect(ArtifactReader.cards(in: text).map(\.kind) == [.jws])
            #expect(ArtifactReader.cards(in: text).map(\.text) == [text])
        }
    }

    @Test(arguments: [
        ("", "empty"), (" \r\n\t", "empty"), ("\u{FEFF}", "empty"), ("\u{FEFF} \n", "empty"),
        ("{", "not acceptable JSON"), ("{]", "not acceptable JSON"), (#"{"a":1,"a":2}"#, "not acceptable JSON"),
        (#"{"verifiableCredential":["eyJ"]}x"#, "not acceptable JSON"),
        ("{}", "no member"), (#"{"verifiableCredentials":["eyJ"]}"#, "no member"),
        (#"{"VerifiableCredential":["eyJ"]}"#, "no member"),
        (#"{"verifiableCredential":[]}"#, "holds no card"),
        (#"{"verifiableCredential":"eyJ"}"#, "of type string"), (#"{"verifiableCredential":null}"#, "of type null"),
        (#"{"verifiableCredential":{"0":"eyJ"}}"#, "of type object"),
        (#"{"resourceType":"Parameters"}"#, "no parameter named"),
        (#"{"resourceType":"Parameters","parameter":[]}"#, "no parameter named"),
        (#"{"resourceType":"Parameters","parameter":{"name":"verifiableCredential"}}"#, "no parameter named"),
        (#"{"resourceType":"Parameters","parameter":[null,1,{"name":1}]}"#, "no parameter named"),
        (#"{"resourceType":"Bundle"}"#, "bare FHIR \"Bundle\""), (#"{"vc":{}}"#, "payload of a card"),
        (#"{"keys":[]}"#, "key set"), (#"{"payload":"","signatures":[]}"#, "JSON serialization"),
        (#"["eyJ"]"#, "not an object"), (#""eyJ""#, "not an object"), ("<svg/>", "XML"), ("\u{89}PNG", "none of them"),
        ("%PDF-1.7", "picture"), ("GIF89a", "picture"), ("hello", "none of them"), ("...", "none of them"),
        ("https://app.example/", "without a fragment"), ("https://app.example/#", "without a fragment"),
        ("https://app.example/#x", "not"), ("https://app.example/#%7B%7D", "no member"),
        ("https://app.example/#{}", "no member"), ("https://app.example/#%7", "not percent-encoded"),
        ("https://app.example/#%zz", "not percent-encoded"), ("https://app.example/#%", "not percent-encoded"),
        ("https://app.example/#{%22verifiableCredential%22:[%22eyJ%22]", "not"),
        ("https://app.example/#%7B%22verifiableCredential%22%3A%5B%5D%7D", "holds no card"),
        ("shlink:/eyJ", "SMART Health Link"), ("HC1:6BF", "EU Digital COVID Certificate"),
    ])
    func anInputWithoutACardIsMalformedAndSaysWhatItIs(_ text: String, _ words: String) throws {
        let cards = ArtifactReader.cards(in: text)
        let failure = try #require(cards.first?.failure)
        #expect(cards.count == 1)
        #expect(failure.code == .malformedInput)
        #expect(failure.message.contains(words), "\(failure.message)")
        #expect(failure.message.isFitToPrint)
    }

    @Test func everyCardOfAFileIsYieldedInItsOrder() {
        let text = #"{"verifiableCredential":["a.b.c",1,"",null,["a.b.c"],"d.e.f"]}"#
        let cards = ArtifactReader.cards(in: text)
        #expect(cards.map(\.source) == (0...5).map { "in#\($0)" })
        #expect(cards.map(\.text) == ["a.b.c", nil, "", nil, nil, "d.e.f"])
        #expect(cards.compactMap(\.failure).map(\.code) == [.malformedInput, .malformedInput, .malformedInput])
        #expect(cards.allSatisfy { $0.kind == .file })
    }

    @Test func everyParameterOfThatNameIsACard() {
        let text = #"""
            {"resourceType":"Parameters","parameter":[{"name":"verifiableCredential","valueString":"a.b.c"},
            {"name":"verifiableCredential"},{"name":"verifiableCredential","valueString":7},{"name":"x","valueString":"y"},
            {"name":"verifiable\u0043redential","valueString":"d.e.f"}]}
            """#
        let cards = ArtifactReader.cards(in: text)
        #expect(cards.map(\.text) == ["a.b.c", nil, nil, "d.e.f"])
        #expect(cards.allSatisfy { $0.kind == .parameters })
    }

    @Test func aJWSInAFileIsTakenAsItStands() {
        #expect(
            ArtifactReader.cards(in: #"{"verifiableCredential":[" eyJh.Yg.Yw\n"]}"#).map(\.text) == [" eyJh.Yg.Yw\n"])
    }

    @Test func inputsAreNumberedByTheirNamesAndStayInOrder() {
        var reader = ArtifactReader()
        reader.add(Array(Carrier.file([Array("a.b.c".utf8), Array("d.e.f".utf8)]).utf8), source: "one")
        reader.add(failure: VerificationFailure(.unreadableInput, "gone"), source: "two")
        reader.add(Array("nothing".utf8), source: "three")
        reader.add(Array(Carrier.qr("g.h.i".utf8).utf8), source: "qr")
        reader.add(Array("j.k.l".utf8), source: "one")
        reader.add(Array(Carrier.qr("m.n.o".utf8).utf8), source: "qr")
        let cards = reader.cards()
        #expect(cards.map(\.source) == ["one#0", "one#1", "two", "three#0", "qr#0", "one#2", "qr#1"])
        #expect(cards.map(\.text) == ["a.b.c", "d.e.f", nil, nil, "g.h.i", "j.k.l", "m.n.o"])
        #expect(cards.map(\.kind) == [.file, .file, nil, nil, .qr, .jws, .qr])
    }

    @Test func noInputsAreNoCards() {
        #expect(ArtifactReader().cards().isEmpty)
    }
}
