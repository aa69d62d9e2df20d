internal import Credentials
import Inputs
internal import ScanProtocol

/// Finds the codes and attachments of one PDF.
///
/// All pages are first looked at quickly. Only if no card was found, they are drawn again at a higher resolution and looked at
/// thoroughly. Pictures and PDFs that are attached to it are searched too, but not what is attached to those in turn: a document
/// with such an attachment does not pass.
struct PDFScan {
    private let scanner: DocumentScanner
    private let content: [UInt8]
    private let source: String
    private let depth: DocumentScanner.Depth
    /// Whether this PDF is itself attached to one.
    private let isAttached: Bool
    private let start = ContinuousClock.now
    private let limit: Duration

    /// How long all processes together may run.
    private static let time = Duration.seconds(20)
    /// The pixels of the pages that are drawn together. They are in memory at once.
    private static let pixels = 16_000_000
    /// The pixels of the longer side of a page that would be too large otherwise, such as a poster.
    private static let longestSide = 4000

    init(
        _ scanner: DocumentScanner, _ content: [UInt8], source: String, depth: DocumentScanner.Depth,
        isAttached: Bool = false, within time: Duration
    ) {
        limit = min(Self.time, time)
        self.scanner = scanner
        self.content = content
        self.source = source
        self.depth = depth
        self.isAttached = isAttached
    }

    /// The time that is left.
    private var left: Duration { limit - (ContinuousClock.now - start) }

    func run() async throws(ScanFailure) -> Result<ScannedDocument, ScanProblem> {
        for program in [Program.pdfInfo, .pdfToPPM] { try program.require() }
        let pages: [PDFPage]
        switch try await describe() {
        case .success(let described): pages = described
        case .failure(let failure): return .failure(failure)
        }
        var document = ScannedDocument(form: .pdf)
        if let failure = try await addAttachments(to: &document) { return .failure(failure) }
        let attached: [ScannedDocument]
        switch try await scanAttachments(of: &document) {
        case .success(let scanned): attached = scanned
        case .failure(let failure): return .failure(failure)
        }
        if let failure = try await addCodes(of: pages, resolution: 200, .quick, to: &document) {
            return .failure(failure)
        }
        let found = [document] + attached
        let hasCard = found.flatMap { $0.codes.map(\.text) + $0.attachments }.contains { Self.looksLikeCard($0) }
        if !hasCard || depth == .exhaustive {
            document.codes = []
            document.unreadCodes = 0
            if let failure = try await addCodes(of: pages, resolution: 300, depth.request, to: &document) {
                return .failure(failure)
            }
        }
        for other in attached { document.add(other) }
        guard document.codes.count <= Bounds.codes else { return .failure(Self.tooManyCodes) }
        return .success(document)
    }

    private static let tooManyCodes = DocumentScanner.unreadable(
        "a PDF with more than \(Bounds.codes) QR codes is not read")

    /// Whether a text may be a card or a link to one. It only decides whether to look for more.
    private static func looksLikeCard(_ text: [UInt8]) -> Bool {
        if text.first == UInt8(ascii: "{") { return true }
        return switch InputForm(text[...]) {
        case .qr, .jws, .link, .hc1: true
        default: false
        }
    }

    // MARK: Pages

    private func describe() async throws(ScanFailure) -> Result<[PDFPage], ScanProblem> {
        // One page more than the limit shows that there are too many.
        switch try await scanner.run(.describePDF(pages: Bounds.pages), on: content, outputLimit: 1 << 20, within: left)
        {
        case .output(let output):
            guard let description = PDFDescription(output) else { return .failure(DocumentScanner.crashed) }
            guard description.pageCount <= Bounds.pages else {
                return .failure(
                    DocumentScanner.unreadable(
                        "a PDF of more than \(Bounds.pages) pages is not read; this one has \(description.pageCount). Give the "
                            + "pages with QR codes alone"))
            }
            // A page without a size that can be read could hide a card.
            guard description.pages.count == description.pageCount else { return .failure(DocumentScanner.crashed) }
            return .success(description.pages)
        case .failed:
            let isEncrypted = content.holds("/Encrypt")
            return .failure(
                ScanProblem(
                    isEncrypted
                        ? "the PDF needs a password, or is damaged. Open it with its password, and print it to a new PDF"
                        : "the PDF is damaged or not complete", mayBeOfScanner: true))
        case .unreadable(let failure): return .failure(failure)
        }
    }

    /// Draws pages and adds their codes.
    private func addCodes(
        of pages: [PDFPage], resolution: Int, _ depth: ScanRequest.Depth, to document: inout ScannedDocument
    ) async throws(ScanFailure) -> ScanProblem? {
        var rest = pages[...]
        var mostTogether = depth == .quick ? 4 : 1
        while let first = rest.first {
            guard left > .zero else {
                guard depth != .quick else { return DocumentScanner.tooSlow(after: limit) }
                document.stop(after: limit)
                return nil
            }
            // As many pages as fit in the memory, or one large page.
            var pixels = 0
            var together: [PDFPage] = []
            for page in rest.prefix(mostTogether) {
                pixels += page.pixels(at: resolution)
                guard together.isEmpty || pixels <= Self.pixels else { break }
                together.append(page)
            }
            let isLarge = first.pixels(at: resolution) > Self.pixels
            let task = ScanRequest.Task.drawPages(
                first: first.number, last: first.number + together.count - 1,
                isLarge ? .longerSide(Self.longestSide) : .resolution(resolution))
            let drawn: [UInt8]
            switch try await scanner.run(task, on: content, outputLimit: 2 * Self.pixels + 1000, within: left) {
            case .output(let pictures): drawn = pictures
            case .failed:
                return ScanProblem(
                    "page \(first.number) of the PDF cannot be drawn; it is damaged", mayBeOfScanner: true)
            case .unreadable(let failure): return failure
            }
            guard !drawn.isEmpty else {
                document.isPartial = true
                rest = rest.dropFirst(together.count)
                continue
            }
            switch try await scanner.codes(in: drawn, pages: together.count, depth: depth, within: left) {
            case .failure(let failure): return failure
            case .success(let answer):
                // If a page was left out, the numbers of the others are not known. Then they are drawn one by one.
                guard answer.pages.count == together.count || together.count == 1 || answer.problem != nil else {
                    mostTogether = 1
                    continue
                }
                rest = rest.dropFirst(together.count)
                document.add(answer, source: source, firstPage: first.number)
                if let failure = document.failure(from: answer.problem) { return failure }
                guard document.codes.count <= Bounds.codes else { return Self.tooManyCodes }
            }
        }
        return nil
    }

    // MARK: Attachments

    private func addAttachments(to document: inout ScannedDocument) async throws(ScanFailure) -> ScanProblem? {
        let limit = Bounds.attachments * (Bounds.attachmentSize + 100)
        let task = ScanRequest.Task.attachments(most: Bounds.attachments, mostBytes: Bounds.attachmentSize)
        switch try await scanner.run(task, on: content, outputLimit: limit, within: left) {
        case .unreadable(let failure): return failure
        case .failed: return DocumentScanner.crashed
        case .output(let output):
            guard let answer = AttachmentsAnswer(wireForm: output) else { return DocumentScanner.crashed }
            document.attachments = answer.attachments
            if answer.unread > 0 {
                let seen =
                    answer.unread == 1 ? "an attachment of the PDF was" : "\(answer.unread) attachments of the PDF were"
                document.note(problem: "\(seen) seen, but could not be read, and may be a card")
            }
            if answer.mayBeMore { document.isPartial = true }
            switch answer.problem {
            case nil: return nil
            // Poppler may still be able to draw the pages.
            case .damaged:
                document.note(
                    problem: "the attachments of the PDF could not be read, because it is damaged, and may be cards")
                return nil
            case .tooMany:
                return DocumentScanner.unreadable("a PDF with more than \(Bounds.attachments) attachments is not read")
            case .tooLarge:
                return DocumentScanner.unreadable(
                    "a PDF with an attachment of more than \(Bounds.attachmentSize >> 20) MiB, or one that needs too much memory, is not "
                        + "read")
            }
        }
    }
}

extension PDFScan {
    /// Takes the pictures and PDFs out of a document's attachments, and searches them.
    private func scanAttachments(
        of document: inout ScannedDocument
    ) async throws(ScanFailure) -> Result<[ScannedDocument], ScanProblem> {
        var (found, others): ([ScannedDocument], [[UInt8]]) = ([], [])
        for content in document.attachments {
            guard let form = InputForm.scanned(content[...]) else {
                others.append(content)
                continue
            }
            guard !isAttached else {
                document.note(
                    problem:
                        "\(form.words) is attached to a PDF that is itself attached to a PDF, and was not searched. Save it, and "
                        + "give it as an input of its own")
                continue
            }
            guard left > .zero else { return .failure(DocumentScanner.tooSlow(after: limit)) }
            switch try await scanner.read(
                content, as: form, source: source, depth: depth, isAttached: true, within: left)
            {
            case .success(let scanned): found.append(scanned)
            case .failure(let problem):
                return .failure(
                    ScanProblem(
                        "\(form.words) that is attached to the PDF: \(problem.failure.message)",
                        mayBeOfScanner: problem.mayBeOfScanner))
            }
        }
        document.attachments = others
        return .success(found)
    }
}

extension [UInt8] {
    /// Whether these bytes occur.
    fileprivate func holds(_ text: String) -> Bool {
        let text = Array(text.utf8)
        return indices.contains { self[$0] == text[0] && self[$0...].starts(with: text) }
    }
}
