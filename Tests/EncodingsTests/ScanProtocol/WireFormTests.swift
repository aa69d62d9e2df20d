import Encodings
import Testing

/// The forms in which shcverify and shcverify-scan talk to each other.
@Suite struct WireFormTests {
    private static let tasks: [ScanRequest.Task] = [
        .codes(.quick, firstPage: 0, pageCount: 50), .codes(.thorough, firstPage: 3, pageCount: 1),
        .codes(.exhaustive, firstPage: 0, pageCount: 0), .drawPages(first: 1, last: 4, .resolution(200)),
        .drawPages(first: 7, last: 7, .longerSide(4000)), .describePDF(pages: 50),
        .attachments(most: 16, mostBytes: 1 << 20), .drawSVG,
    ]

    @Test(arguments: tasks) func readsWhatItWrote(task: ScanRequest.Task) {
        let request = ScanRequest(task, content: Array("shcverify-scan/1\n\0".utf8))
        #expect(ScanRequest(wireForm: request.wireForm) == request)
    }

    @Test(
        arguments: [
            "", "\n", "shcverify-scan/1\n", "shcverify-scan/2 draw-svg\n", "shcverify-scan/1 draw-svg",
            "shcverify-scan/1 draw-svg 1\n", "shcverify-scan/1 codes slow 0 1\n", "shcverify-scan/1 codes quick 0\n",
            "shcverify-scan/1 codes quick -1 1\n", "shcverify-scan/1 codes quick 0 99999999999\n",
            "shcverify-scan/1 draw-pages 1 2 size 3\n", "shcverify-scan/1  draw-svg\n",
        ])
    func refusesOtherRequests(text: String) {
        #expect(ScanRequest(wireForm: Array(text.utf8)) == nil)
    }

    private static var answer: ScanAnswer {
        var answer = ScanAnswer()
        answer.pages = [.init(number: 0, width: 100, height: 200, unreadCodes: 1)]
        let corners = [(1, 2), (3, 4), (5, 6), (7, 8)].map { PixelPoint(x: $0.0, y: $0.1) }
        answer.codes = [
            .init(page: 0, text: Array("shc:/56\n end\n".utf8), corners: corners, symbol: nil),
            .init(
                page: 0, text: [], corners: corners,
                symbol: QRSymbol(
                    version: 22, errorCorrection: UInt8(ascii: "L"),
                    segments: [QRSegment(.byte, count: 5), QRSegment(.numeric, count: 2020)], hasQuietZone: true)),
        ]
        answer.problem = .damaged
        return answer
    }

    @Test func readsAnAnswerThatItWrote() {
        #expect(ScanAnswer(wireForm: Self.answer.wireForm) == Self.answer)
        #expect(ScanAnswer(wireForm: ScanAnswer().wireForm) == ScanAnswer())
    }

    /// The program that answers may have been taken over.
    @Test func refusesEveryIncompleteAnswer() {
        let whole = Self.answer.wireForm
        for length in 0..<whole.count { #expect(ScanAnswer(wireForm: Array(whole[..<length])) == nil) }
    }

    @Test(
        arguments: [
            "page 0 1 1\nend\n", "page -1 1 1 0\nend\n", "code 0 1 2 3 4 5 6 7 8 - 5\nend\n",
            "code 0 1 2 3 4 5 6 7 8 - 5G\nend\n", "code 0 1 2 3 4 5 6 7 - 55\nend\n",
            "code 0 1 2 3 4 5 6 7 8 41,L,1,b5 55\nend\n", "code 0 1 2 3 4 5 6 7 8 4,X,1,b5 55\nend\n",
            "problem other\nend\n", "problem damaged\nproblem damaged\nend\n", "hello\nend\n", "end\nend\n", "end",
            "code 0 1 2 3 4 5 6 7 8 4,L,1,q5 55\nend\n", "code 0 99999999999 2 3 4 5 6 7 8 - 55\nend\n",
        ])
    func refusesOtherAnswers(text: String) {
        #expect(ScanAnswer(wireForm: Array(text.utf8)) == nil)
    }

    @Test func refusesMoreCodesThanTheLimit() {
        var answer = ScanAnswer()
        answer.codes = Array(repeating: Self.answer.codes[0], count: ScanAnswer.mostCodes + 1)
        #expect(ScanAnswer(wireForm: answer.wireForm) == nil)
        answer.codes.removeLast()
        #expect(ScanAnswer(wireForm: answer.wireForm) == answer)
    }

    @Test func readsAttachmentsThatItWrote() {
        var answer = AttachmentsAnswer()
        #expect(AttachmentsAnswer(wireForm: answer.wireForm) == answer)
        answer.attachments = [Array("end\n".utf8), [], [0, 255]]
        answer.unread = 3
        answer.mayBeMore = true
        answer.problem = .tooLarge
        #expect(AttachmentsAnswer(wireForm: answer.wireForm) == answer)
        let whole = answer.wireForm
        for length in 0..<whole.count { #expect(AttachmentsAnswer(wireForm: Array(whole[..<length])) == nil) }
        for text in [
            "-1\nend\n", "9\nend\n", "other\nend\n", "end\n ", "99999999999999999999\nend\n", "unread 0\nend\n",
            "unread -1\nend\n", "unread x\nend\n", "unread 1\nunread 1\nend\n", "may-be-more\nmay-be-more\nend\n",
            "unread 1\n0\nend\n", "may-be-more\n0\nend\n", "damaged\nunread 1\nend\n",
        ] {
            #expect(AttachmentsAnswer(wireForm: Array(text.utf8)) == nil)
        }
    }
}

/// The size of QR symbols.
@Suite struct QRSymbolTests {
    @Test(
        arguments: [
            // A JWS of 1195 characters just fits in version 22 with level L (SHC "Chunking").
            (5, 2390, "L", 22), (5, 2391, "L", 22), (5, 2392, "L", 23), (5, 2390, "H", 36), (0, 1, "L", 1),
            (5, 7089, "L", 41),
        ])
    func findsTheSmallestVersion(bytes: Int, digits: Int, level: String, version: Int) {
        let level = level.utf8.first ?? 0
        let smallest = QRSymbol.smallestVersion(bytes: bytes, digits: digits, level: level)
        #expect(smallest == (version > 40 ? nil : version))
    }

    @Test func knowsNoVersionOrLevelThatDoesNotExist() {
        #expect(QRSymbol.dataCodewords(ofVersion: 0, level: UInt8(ascii: "L")) == nil)
        #expect(QRSymbol.dataCodewords(ofVersion: 41, level: UInt8(ascii: "L")) == nil)
        #expect(QRSymbol.dataCodewords(ofVersion: 1, level: UInt8(ascii: "A")) == nil)
        #expect(QRSymbol.dataCodewords(ofVersion: 40, level: UInt8(ascii: "H")) == 1276)
    }
}
