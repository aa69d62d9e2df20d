import Containers
import Credentials
import Encodings
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
        (#"["eyJh.Yg.Yw"]"#, .credential),
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
        case input, file, attachedInFile, artifact, attachedInArtifact, code, attachment
    }

    /// The number of credentials that are judged, or are refused as one, for the content in a container.
    private static func judged(_ text: String, in holder: Holder) -> Int {
        let content = Array(text.utf8)
        let attached =
            #"{"resourceType":"DocumentReference","content":[{"attachment":{"contentType":"application/smart-health-card","data":"\#(Base64.encode(content))"}}]}"#
        switch holder {
        case .input:
            var reader = CredentialReader()
            reader.add(content, source: "in")
            return reader.cards().count - reader.containers(.link).count - reader.containers(.checkIn).count
        case .file, .attachedInFile:
            let bytes = holder == .file ? content : Array(attached.utf8)
            do throws(VerificationFailure) {
                return try LinkClient.Opening.File(bytes).contents.count
            } catch {
                return 1
            }
        case .artifact, .attachedInArtifact:
            var writer = JSONWriter()
            writer.array { $0.value(text) }
            let value =
                holder == .artifact ? String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self) : attached
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

    @Test(arguments: Holder.allCases) func contentIsTheSameInEveryContainer(_ holder: Holder) {
        for (text, meaning) in Self.contents {
            let expected: Bool =
                switch meaning {
                // What says that it is a card file is judged whatever it is.
                case _ where holder == .attachedInFile || holder == .attachedInArtifact: !text.isEmpty
                case .credential: true
                // A container is opened if it is in a picture or PDF, and in no other container.
                case .container: holder == .code || holder == .attachment
                // What is no credential fails as an input.
                case .other: holder == .input
                }
            #expect((Self.judged(text, in: holder) > 0) == expected, "\(text)")
        }
    }
}
