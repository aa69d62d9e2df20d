import Credentials
import Encodings
import Inputs
import Testing

/// The octets of EU Digital COVID Certificates are told from pictures, texts and JSON by their content.
@Suite struct InputFormTests {
    private func isCWT(_ bytes: [UInt8]) -> Bool {
        // A slice whose indices do not begin at zero must make no difference.
        let moved = ([0x41, 0x42] + bytes)[2...]
        #expect(InputForm.isCWT(bytes[...]) == InputForm.isCWT(moved))
        return InputForm.isCWT(moved)
    }

    /// An array, with tags or without, and streams of zlib with any window and level.
    @Test(
        arguments: [
            [0x84, 0x43, 0xA1, 0x01, 0x26], [0x9F], [0x98, 0x04], [0xD2, 0x84, 0x43, 0xA1], [0xD8, 0x3D, 0xD2, 0x84],
            [0xD8, 0x12, 0x84], [0xDB, 0, 0, 0, 0, 0, 0, 0, 18, 0x84], [0x78, 0x9C, 0x00], [0x78, 0xDA, 0xFF],
            [0x78, 0x01, 0x00],
            [0x78, 0x5E, 0x80], [0x08, 0x1D, 0x00], [0x18, 0x19, 0x00], [0x28, 0x15, 0x80], [0x38, 0x11, 0x01],
            [0x68, 0x81, 0x00],
            // Wrong, but more like a token than like anything else: a map, COSE_Sign, a token that is cut.
            [0xA1, 0x01], [0xBF, 0x01], [0xD8, 0x62, 0x84], [0x83, 0x43],
        ] as [[UInt8]])
    func recognisesTokens(_ bytes: [UInt8]) {
        #expect(isCWT(bytes))
        #expect(InputForm.scanned(bytes[...]) == nil)
    }

    @Test(arguments: [
        "", " ", "HC1:6BF", "hc1:6BF", "shc:/5676", "eyJh.Yg.Yw", "{\"verifiableCredential\":[]}", "[1]", "\"x\"",
        "shlink:/x",
        "https://app.example/#x", "<svg/>", "<?xml version=\"1.0\"?><svg></svg>", "%PDF-1.7", "x^ text", "x",
        // Texts whose first character is not ASCII begin like a tag or like an array.
        "Äpfel", "é", "ñandú", "ß", "\u{FEFF}HC1:6BF", "日本", "𝄞", "\u{80}",
    ])
    func textsAreNoTokens(_ text: String) {
        #expect(!isCWT(Array(text.utf8)))
    }

    /// The beginning of an input of each form. A form that is not recognised would be read by nobody.
    private static let examples: [InputForm: String] = [
        .file: #"{"verifiableCredential":[]}"#, .jws: "eyJh.Yg.Yw", .qr: "shc:/5676",
        .parameters: #"{"resourceType":"Parameters"}"#, .deeplink: "https://app.example/#x",
        .payload: #"{"iss":"","vc":{}}"#, .bundle: #"{"resourceType":"Bundle"}"#, .jwks: #"{"keys":[]}"#,
        .crl: #"{"method":"rid","rids":[]}"#, .directory: #"{"participating_issuers":[]}"#,
        .trustList: #"{"verificationMethod":[]}"#, .link: "shlink:/eyJ",
        .checkIn: #"{"type":"smart-health-checkin-response"}"#, .hc1: "HC1:6BF", .cwt: "x\u{1}", .picture: "<svg/>",
        .pdf: "%PDF-1.7",
    ]

    @Test(arguments: InputForm.allCases) func everyFormIsRecognised(_ form: InputForm) throws {
        let text = Array(try #require(Self.examples[form]).utf8)
        let recognition = Recognition(text[...])
        if form.isJSON {
            #expect(InputForm(try JSONDocument.parse(text)) == form)
        } else {
            #expect(recognition.form == form)
        }
    }

    /// The beginnings of pictures that the scanner reads.
    @Test(
        arguments: [
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8, 0xFF, 0xE0], Array("GIF89a".utf8),
            [0x49, 0x49, 0x2A, 0x00], [0x4D, 0x4D, 0x00, 0x2A], [0x49, 0x49, 0x2B, 0x00], [0x4D, 0x4D, 0x00, 0x2B],
            Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBP".utf8), [0, 0, 0, 0x18] + Array("ftypheic".utf8),
            Array("BM".utf8) + [1, 2, 3, 4, 0, 0, 0, 0],
        ] as [[UInt8]])
    func picturesAreNoTokens(_ bytes: [UInt8]) {
        #expect(!isCWT(bytes))
        #expect(InputForm.scanned(bytes[...]) == .picture)
    }

    @Test(
        arguments: [
            [0x00], [0x0A], [0x40], [0x60], [0x1F, 0x8B, 0x08], [0x78], [0x78, 0x9D], [0x79, 0x9C],
            [0xE0], [0xF6], [0xFF], [0xFB, 0x7F], [0x7B, 0x80], [0xB0, 0xC2, 0xC3, 0x6D], [0xD2], [0x80], [0xBF, 0xFF],
        ] as [[UInt8]])
    func otherBytesAreNoTokens(_ bytes: [UInt8]) {
        #expect(!isCWT(bytes))
    }

    /// RFC 1950 §2.2. A preset dictionary is for the inflater to refuse.
    @Test func zlibHeadersAreThoseOfTheRFC() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let isHeader = first & 0x0F == 8 && first <= 0x78 && (Int(first) * 256 + Int(second)) % 31 == 0
                guard InputForm.hasZlibHeader([first, second][...]) != isHeader else { continue }
                Issue.record("\(first) \(second)")
            }
        }
        #expect(!InputForm.hasZlibHeader([0x78][...]) && !InputForm.hasZlibHeader([]))
    }

    /// A PDF may have other bytes before its header, but a token with these bytes inside is a token.
    @Test func aTokenWithTheHeaderOfAPDFIsAToken() {
        let token: [UInt8] = [0xD2, 0x84, 0x58, 0xA0] + Array("%PDF-1.7".utf8)
        #expect(isCWT(token) && InputForm.scanned(token[...]) == nil)
        #expect(InputForm.scanned(Array("HC1:%PDF-1.7".utf8)[...]) == nil)
        #expect(InputForm.scanned(Array("xx\n%PDF-1.7".utf8)[...]) == .pdf)
    }

    /// The base64 of a JSON object, with white space or without, and texts that only look like a JWS.
    @Test(arguments: [
        "eyJ", "eyJh.Yg.Yw", "eyJh Yg.Yw", "eyJ\u{0}", "eyAi", "eyAiemlwIjo.Yg.Yw", "ewoi", "ewogICJ6aXAi", "ewkJIn",
        "IHsi", "ICB7ICJh.b.c", "DQogCXsKInppcCI6.b.c", "e30.b.c", "e30", "e3g.b.c",
        // One character was changed.
        "fyJhbGciOiJFUzI1NiJ9.b." + String(repeating: "a", count: 86),
    ])
    func recognisesJWS(_ text: String) {
        #expect(InputForm.isJWS(([0x41] + Array(text.utf8))[1...]))
        #expect(InputForm(Array(text.utf8)[...]) == .jws)
    }

    @Test(arguments: [
        "", ".", "..", "...", "hello", "www.example.com", "a.b.c", "eyx.b", "e3g", "e3g.b", "ey", "eyA", "example.ey",
        "{\"",
        "IHsx.b", "report.2026.pdf", String(repeating: "a", count: 64) + ".b",
        "https://www.example.com", "www.example.com/" + String(repeating: "a", count: 64),
        String(repeating: "label", count: 12) + ".example.com", "HC1:eyJ", "shc:/5676", "shlink:/eyJ", "x eyJh.Yg.Yw",
    ])
    func otherTextsAreNoJWS(_ text: String) {
        #expect(!InputForm.isJWS(([0x41] + Array(text.utf8))[1...]))
    }

    @Test(
        arguments: [
            ("HC1:x", "HC1:"), ("HC2:x", "HC2:"), ("NO1:x", "NO1:"), ("ABC:x", nil), ("TEL:+1", nil), ("GEO:1", nil),
            ("hc1:x", nil), ("HC1", nil),
            ("H11:x", nil), ("HCc:x", nil), ("", nil), ("HC12:", nil),
        ] as [(String, String?)])
    func recognisesPrefixesOfCertificates(_ text: String, _ prefix: String?) {
        #expect(InputForm.certificatePrefix(Array(text.utf8)[...]) == prefix)
    }

    /// A film is no picture, unless its compatible brands say that it is one too.
    @Test func aFilmIsAPictureOnlyIfItSaysSo() throws {
        let box = { (brands: String) in
            [0, 0, 0, UInt8(8 + brands.utf8.count)] + Array("ftyp".utf8) + Array(brands.utf8) + [0, 0, 0, 8]
                + Array("mdat".utf8)
        }
        for brands in ["mp42\0\0\0\0isommp42", "M4A \0\0\0\0", "qt  \0\0\0\0qt  "] {
            #expect(InputForm.scanned(box(brands)[...]) == nil, "\(brands)")
        }
        for brands in ["heic\0\0\0\0mif1heic", "mp42\0\0\0\0isomheic", "dash\0\0\0\0mif1", "xxxx\0\0\0\0"] {
            #expect(InputForm.scanned(box(brands)[...]) == .picture, "\(brands)")
        }
    }
}
