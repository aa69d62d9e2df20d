import Containers
import Credentials
import Encodings
import Inputs

/// What `shcverify-scan` reads and answers, the output of pdfinfo, and the form of a PDF's attachments. The programs that answer have
/// read a hostile document, so their answers count as hostile.
enum ScanTarget: FuzzTarget {
    static let name = "scan"

    static func run(_ bytes: [UInt8]) {
        let cut = Array(bytes.dropLast())
        if let request = ScanRequest(wireForm: bytes) {
            require(ScanRequest(wireForm: request.wireForm) == request, "a request that is written is read again")
            require(bytes.suffix(request.content.count).elementsEqual(request.content), "the content is the rest")
        }
        if let answer = ScanAnswer(wireForm: bytes) {
            require(ScanAnswer(wireForm: cut) == nil, "an answer that is cut off is not read")
            check(answer)
            var document = ScannedDocument(
                form: .picture, codes: answer.codes.map(scanned),
                unreadCodes: answer.pages.map(\.unreadCodes).max() ?? 0)
            if answer.problem == .outOfTime { document.stop(after: .seconds(20)) }
            if answer.problem == .damaged { document.isPartial = true }
            read(document)
        }
        if let answer = AttachmentsAnswer(wireForm: bytes) {
            require(AttachmentsAnswer(wireForm: cut) == nil, "an answer that is cut off is not read")
            require(AttachmentsAnswer(wireForm: answer.wireForm) == answer, "an answer that is written is read again")
            let size = answer.attachments.reduce(0) { $0 + $1.count }
            require(size < bytes.count, "attachments are a part of the answer")
            require(answer.unread >= 0, "a count is no less than nothing")
            var document = ScannedDocument(form: .pdf, attachments: answer.attachments)
            document.isPartial = answer.mayBeMore
            if answer.unread > 0 { document.note(problem: "an attachment could not be read") }
            read(document)
        }
        if let description = PDFDescription(bytes) { check(description) }
        if let (form, _) = AttachmentForm.of(bytes) {
            require(form == .pdf || form == .picture, "what is searched is a picture or a PDF")
        }
    }

    private static func check(_ answer: ScanAnswer) {
        require(ScanAnswer(wireForm: answer.wireForm) == answer, "an answer that is written is read again")
        require(answer.codes.count <= ScanAnswer.mostCodes, "codes are limited")
        for page in answer.pages {
            let numbers = [page.number, page.width, page.height, page.unreadCodes]
            require(numbers.allSatisfy { (0..<1_000_000_000).contains($0) }, "numbers of a page are in range")
        }
        for code in answer.codes {
            require(code.text.count <= ScanAnswer.longestText && code.corners.count == 4, "a code has four corners")
            guard let symbol = code.symbol else { continue }
            let size = QRSymbol.dataCodewords(ofVersion: symbol.version, level: symbol.errorCorrection)
            require(size != nil, "a symbol has a version and a level that exist")
        }
    }

    private static func scanned(_ code: ScanAnswer.Code) -> ScannedCode {
        ScannedCode(
            text: code.text,
            place: CodePlace(source: "fuzz", page: code.page, width: 1, height: 1, corners: code.corners),
            symbol: code.symbol)
    }

    /// Reads what was found as inputs.
    private static func read(_ document: ScannedDocument) {
        var reader = CredentialReader()
        reader.add(document, source: "fuzz")
        let cards = reader.cards()
        require(!cards.isEmpty, "a document has a card or a failure")
        for card in cards {
            if case .failure(let failure) = card.text { require(!failure.message.isEmpty, "a failure has a message") }
        }
        let isComplete = cards.allSatisfy { (try? $0.text.get()) != nil }
        require(document.problems.isEmpty || !isComplete, "a document with a problem does not pass")
    }

    private static func check(_ description: PDFDescription) {
        require(description.pageCount >= 0, "a count is no less than nothing")
        for (index, page) in description.pages.enumerated() {
            require(page.number == index + 1, "pages are numbered from 1")
            require((0...1 << 40).contains(page.pixels(at: 300)), "the number of pixels is in range")
        }
    }
}
