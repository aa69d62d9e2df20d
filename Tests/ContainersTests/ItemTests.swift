import Containers
import Credentials
import Encodings
import HTTPSFetch
import Inputs
import Testing

/// Every content in every container: what is judged as an input of its own, or is refused as one, is so in all of them. A new kind of container
/// gets a row in `Holder`.
@Suite struct ItemTests {
    /// What content is.
    enum Meaning: Sendable { case credential, container, other }

    static let contents: [(text: String, meaning: Meaning)] = [
        ("shc:/5676", .credential), ("\u{FEFF}shc:/5676", .credential), ("shc:/1/2/5676", .credential),
        ("eyJh.Yg.Yw", .credential), ("567629", .credential), (#""eyJh.Yg.Yw""#, .credential),
        ("text\neyJh.Yg.Yw", .credential), (#"{"verifiableCredential":["eyJh.Yg.Yw"]}"#, .credential),
        (#"{"verifiableCredential":[]}"#, .credential), (#"{"VerifiableCredential":["eyJ"]}"#, .credential),
        (#"{"verifiableCredential":[],"verifiableCredential":[]}"#, .credential),
        (
            #"{"resourceType":"Parameters","parameter":[{"name":"verifiableCredential","valueString":"eyJh.Yg.Yw"}]}"#,
            .credential
        ),
        (#"["eyJh.Yg.Yw"]"#, .credential), (#"{"a":{"b":"eyJh.Yg.Yw"}}"#, .credential),
        (#"{"a":"eyJh.Yg.Yw","a":1}"#, .credential),
        // Other programs find the attached card in JSON that is not acceptable.
        (#"{"id":"1","id":"2","contentType":"application/smart-health-card","data":"e30"}"#, .credential),
        (#"{"a":"\#u{FFFD}","contentType":" APPLICATION\/smart-health-card;v=1"} {}"#, .credential),
        ("{\"resourceType\":\"Patient\"}\n{\"contentType\":\"smart-\\u0068ealth-card\"}", .credential),
        (#"{"contentType":"application/pdf"} {}"#, .other),
        (#"https://a.example/#{"verifiableCredential":["eyJh.Yg.Yw"]}"#, .credential),
        ("HC1:6BF", .credential), ("HC2:6BF", .credential), ("NZCP:/1/2KCEVIQE", .credential),
        (#"{"data":{"hdr":{"t":"icao.vacc"}},"sig":{}}"#, .credential),
        ("shlink:/eyJ", .container), ("https://v.example/#shlink:/eyJ", .container),
        (#"{"type":"smart-health-checkin-response","artifacts":[]}"#, .container),
        ("", .other), ("hello", .other), ("{}", .other), ("[", .other), (#"{"resourceType":"Patient"}"#, .other),
        (#"{"resourceType":"Bundle","entry":[]}"#, .other), ("https://a.example/", .other),
    ]

    /// What holds content.
    enum Holder: CaseIterable, Sendable {
        case input, answer, file, artifact, code, attachment
    }

    /// Where content is in an item: it is the item, or is attached to FHIR as a card file.
    enum Place: CaseIterable, Sendable {
        case alone, attached, inEntry, contained, inParameter

        /// The item.
        func item(_ text: String) -> String {
            let data = Base64.encode(Array(text.utf8))
            let document =
                #"{"resourceType":"DocumentReference","content":[{"attachment":{"contentType":"application/smart-health-card","data":"\#(data)"}}]}"#
            return switch self {
            case .alone: text
            case .attached: document
            case .inEntry: #"{"resourceType":"Bundle","type":"collection","entry":[{"resource":\#(document)}]}"#
            case .contained: #"{"resourceType":"Patient","contained":[\#(document)]}"#
            case .inParameter: #"{"resourceType":"Parameters","parameter":[{"name":"a","resource":\#(document)}]}"#
            }
        }
    }

    /// A provider that answers with this, whatever it is asked.
    private struct Provider: Transport {
        let answer: [UInt8]

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            HTTPResponse(status: 200, body: answer)
        }
    }

    /// The number of cards of an input that is no container.
    private static func cards(in content: [UInt8]) -> Int {
        var reader = CredentialReader()
        reader.add(content, source: "in")
        return reader.cards().count - reader.containers(.link).count - reader.containers(.checkIn).count
    }

    /// The number of credentials that are judged, or are refused as one, for the content in a container.
    private static func judged(_ item: String, isText: Bool, in holder: Holder) async throws -> Int {
        let content = Array(item.utf8)
        switch holder {
        case .input: return cards(in: content)
        case .answer:
            let client = try ProviderClient(
                base: "https://ehr.example/fhir", token: nil, transport: Provider(answer: content),
                limits: LinkClient.Limits())
            let answer = try await client.cards(.init(patient: "1", types: ["Immunization"])).get()
            return cards(in: answer.parameters)
        case .file:
            do throws(VerificationFailure) {
                return try LinkClient.Opening.File(content).contents.count
            } catch {
                return 1
            }
        case .artifact:
            var writer = JSONWriter()
            writer.array { $0.value(item) }
            let value = isText ? String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self) : item
            let artifact =
                #"{"id":"a","mediaType":"application/fhir+json","fhirVersion":"4.0.1","fulfills":["0"],"value":\#(value)}"#
            let response =
                #"{"type":"smart-health-checkin-response","version":"1","requestId":"r","artifacts":[\#(artifact)],"#
                + #""requestStatus":[{"item":"0","status":"fulfilled"}]}"#
            let opened = OpenedCheckIn(
                Array(response.utf8), in: CheckInSession(), index: 0, source: "in", at: NumericDate(sinceEpoch: .zero))
            #expect(opened.checkIn.artifacts.count == 1)
            return opened.checkIn.artifacts.first?.credentials.count ?? 0
        case .code, .attachment:
            let place = CodePlace(source: "in", page: 1, width: 9, height: 9, corners: [])
            let texts = DocumentTexts(
                ScannedDocument(
                    form: .pdf, codes: holder == .code ? [ScannedCode(text: content, place: place)] : [],
                    attachments: holder == .code ? [] : [content]))
            return texts.codes.count + texts.attachments.count
        }
    }

    @Test(arguments: Holder.allCases, Place.allCases)
    func contentIsTheSameInEveryContainer(_ holder: Holder, _ place: Place) async throws {
        for (text, meaning) in Self.contents {
            let expected: Bool =
                switch meaning {
                // What is no credential fails as an input, and so does FHIR.
                case _ where place != .alone && (holder == .input || holder == .answer): true
                // No code has room for a card file in FHIR.
                case _ where place != .alone && holder == .code: false
                // What says that it is a card file is judged whatever it is.
                case _ where place != .alone: !text.isEmpty
                case .credential: true
                // A container is opened if it is in a picture or PDF, and in no other container.
                case .container: holder == .code || holder == .attachment
                case .other: holder == .input || holder == .answer
                }
            let count = try await Self.judged(place.item(text), isText: place == .alone, in: holder)
            #expect((count > 0) == expected, "\(text)")
        }
    }

    /// FHIR hides no card, whatever its media type is. A card in another artifact that is disregarded is not judged.
    @Test(
        arguments: [
            ("application/fhir+json", true, true), ("Application/FHIR+json; a=b", true, true),
            ("text/plain", true, false),
            ("application/smart-health-card", true, true), ("Application/Smart-Health-Card", true, false),
        ])
    func mediaTypeOfAnArtifactHidesNoFHIR(_ type: String, _ fhir: Bool, _ file: Bool) {
        let card = #""verifiableCredential":["eyJh.Yg.Yw"]"#
        let parameters =
            #"{"resourceType":"Parameters","parameter":[{"name":"verifiableCredential","valueString":"eyJh.Yg.Yw"}]}"#
        for (value, expected) in [(parameters, fhir), ("{\(card)}", file), (#"{"resourceType":"Patient"}"#, false)] {
            let response =
                #"{"type":"smart-health-checkin-response","version":"1","requestId":"r","artifacts":[{"id":"a","mediaType":"\#(type)","#
                + #""fulfills":["0"],"value":\#(value)}],"requestStatus":[{"item":"0","status":"fulfilled"}]}"#
            let opened = OpenedCheckIn(
                Array(response.utf8), in: CheckInSession(), index: 0, source: "in", at: NumericDate(sinceEpoch: .zero))
            #expect(opened.checkIn.artifacts.map { !$0.credentials.isEmpty } == [expected], "\(value)")
        }
    }
}
