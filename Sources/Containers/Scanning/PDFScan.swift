import Credentials
import Encodings
import Inputs
import Processes

/// Finds the codes and attachments of one PDF.
///
/// All pages, and pictures and PDFs that are attached to it, are first looked at quickly. Only if no card was found, the pages are
/// drawn again at a higher resolution, and all is looked at thoroughly. What is attached to an attached PDF in turn is not searched:
/// a document with such an attachment does not pass.
struct PDFScan {
    let scanner: DocumentScanner
    let content: [UInt8]
    let source: String
    let depth: DocumentScanner.Depth
    /// Whether this PDF is itself attached to one.
    let isAttached: Bool
    /// Whether to look at it quickly only.
    let isQuick: Bool
    /// How long all processes together may run.
    let limit: Duration
    let start = ContinuousClock.now

    /// The most time for a PDF.
    static let time = Duration.seconds(20)
    /// The pixels of the pages that are drawn together. They are in memory at once.
    private static let pixels = 16_000_000
    /// The pixels of the longer side of a page that would be too large otherwise, such as a poster.
    private static let longestSide = 4000

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
        let attached = takeDocuments(from: &document)
        if let failure = try await addCodes(of: pages, resolution: 200, .quick, to: &document) {
            return .failure(failure)
        }
        var found: [ScannedDocument] = []
        for other in attached { found.append(try await scan(other, quickly: true)) }
        if !isQuick, !Self.hasCard(document) || depth == .exhaustive {
            document.codes = []
            document.unreadCodes = 0
            if let failure = try await addCodes(of: pages, resolution: 300, depth.request, to: &document) {
                return .failure(failure)
            }
        }
        if !isQuick, !([document] + found).contains(where: { Self.hasCard($0) }) || depth == .exhaustive {
            for (index, other) in attached.enumerated() {
                guard left > .zero else {
                    document.stop(after: limit)
                    break
                }
                let problems = found[index].problems
                found[index] = try await scan(other, quickly: false)
                for problem in problems { found[index].note(problem: problem) }
            }
        }
        for other in found { document.add(other) }
        guard document.codes.count <= Bounds.codes else { return .failure(Self.tooManyCodes) }
        return .success(document)
    }

    /// Whether a document may have a card. It only decides whether to look for more.
    private static func hasCard(_ document: ScannedDocument) -> Bool {
        (document.codes.map(\.text) + document.attachments).contains { looksLikeCard($0) }
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
        while !rest.isEmpty {
            let parts = parts(of: rest, mostTogether: mostTogether, resolution: resolution)
            let ending = await searched(parts, depth) { add($0, to: &document, &rest) }
            switch ending {
            case .problem(let problem): return problem
            case .failure(let failure): throw failure
            case .outOfTime:
                guard depth != .quick else { return DocumentScanner.tooSlow(after: limit) }
                document.stop(after: limit)
                return nil
            case .partLeftOut: mostTogether = 1
            case nil: return nil
            }
        }
        return nil
    }

    /// Pages that are drawn together.
    private struct Part: Sendable {
        let pages: [PDFPage]
        let task: ScanRequest.Task
    }

    /// What became of the pages of a part.
    private enum Outcome: Sendable {
        case answer(ScanAnswer, Part)
        /// No page was drawn.
        case nothing(Part)
        case ending(Ending)
    }

    /// Why the parts after one are not added.
    private enum Ending: Sendable {
        case problem(ScanProblem)
        case failure(ScanFailure)
        /// The time was up before the part.
        case outOfTime
        /// A page was left out, so the numbers of the others are not known. They are to be drawn one by one.
        case partLeftOut
    }

    /// The parts in which to draw pages: as many pages as fit in the memory, or one large page.
    private func parts(of pages: ArraySlice<PDFPage>, mostTogether: Int, resolution: Int) -> [Part] {
        var parts: [Part] = []
        var rest = pages
        while let first = rest.first {
            var pixels = 0
            var together: [PDFPage] = []
            for page in rest.prefix(mostTogether) {
                pixels += page.pixels(at: resolution)
                guard together.isEmpty || pixels <= Self.pixels else { break }
                together.append(page)
            }
            rest = rest.dropFirst(together.count)
            let isLarge = first.pixels(at: resolution) > Self.pixels
            let task = ScanRequest.Task.drawPages(
                first: first.number, last: first.number + together.count - 1,
                isLarge ? .longerSide(Self.longestSide) : .resolution(resolution))
            parts.append(Part(pages: together, task: task))
        }
        return parts
    }

    /// Searches parts, several at once if the scanner has helpers to spare.
    ///
    /// - Parameter use: is called with what became of each, in their order. It returns why those after it are not wanted; nil if they
    ///   are.
    /// - Returns: why not all were used; nil if they were.
    private func searched(
        _ parts: [Part], _ depth: ScanRequest.Depth, use: (Outcome) -> Ending?
    ) async -> Ending? {
        await withTaskGroup(of: (Int, Outcome).self) { group in
            var (started, used) = (0, 0)
            var outcomes: [Int: Outcome] = [:]
            while used < parts.count {
                while started < parts.count,
                    started == used || started - used < min(Self.mostAtOnce, scanner.most) && scanner.hasRoom
                {
                    let number = started
                    group.addTask { (number, await search(parts[number], depth)) }
                    started += 1
                }
                guard let (number, outcome) = await group.next() else { break }
                outcomes[number] = outcome
                while let outcome = outcomes.removeValue(forKey: used) {
                    used += 1
                    if let ending = use(outcome) {
                        group.cancelAll()
                        return ending
                    }
                }
            }
            return nil
        }
    }

    /// The most parts that are searched, or wait for those before them. Their pixels are in memory at once.
    private static let mostAtOnce = 4

    /// Draws the pages of a part, and finds their codes.
    private func search(_ part: Part, _ depth: ScanRequest.Depth) async -> Outcome {
        guard left > .zero else { return .ending(.outOfTime) }
        do throws(ScanFailure) {
            let drawn: [UInt8]
            switch try await scanner.run(part.task, on: content, outputLimit: 2 * Self.pixels + 1000, within: left) {
            case .output(let pictures): drawn = pictures
            case .failed:
                return .ending(
                    .problem(
                        ScanProblem(
                            "page \(part.pages[0].number) of the PDF cannot be drawn; it is damaged",
                            mayBeOfScanner: true)))
            case .unreadable(let failure): return .ending(.problem(failure))
            }
            guard !drawn.isEmpty else { return .nothing(part) }
            switch try await scanner.codes(in: drawn, pages: part.pages.count, depth: depth, within: left) {
            case .failure(let failure): return .ending(.problem(failure))
            case .success(let answer): return .answer(answer, part)
            }
        } catch {
            return .ending(.failure(error))
        }
    }

    /// Adds what became of the next part, and takes its pages from the rest.
    ///
    /// - Returns: why the parts after it are not added; nil if they are.
    private func add(
        _ outcome: Outcome, to document: inout ScannedDocument, _ rest: inout ArraySlice<PDFPage>
    ) -> Ending? {
        switch outcome {
        case .ending(let ending): return ending
        case .nothing(let part):
            document.isPartial = true
            rest = rest.dropFirst(part.pages.count)
        case .answer(let answer, let part):
            let count = part.pages.count
            guard answer.pages.count == count || count == 1 || answer.problem != nil else { return .partLeftOut }
            rest = rest.dropFirst(count)
            document.add(answer, source: source, firstPage: part.pages[0].number)
            if let failure = document.failure(from: answer.problem) { return .problem(failure) }
            guard document.codes.count <= Bounds.codes else { return .problem(Self.tooManyCodes) }
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

/// A picture or PDF that is attached to a PDF.
private struct AttachedDocument {
    let content: [UInt8]
    let form: InputForm
    /// Its number among the attachments, from 1.
    let number: Int
    /// Whether it surely is what it seems to be. If it is not, a failure to read it says nothing.
    let isCertain: Bool
}

extension PDFScan {
    /// Takes the pictures and PDFs out of a document's attachments, and notes those that are not searched.
    private func takeDocuments(from document: inout ScannedDocument) -> [AttachedDocument] {
        var (found, others): ([AttachedDocument], [[UInt8]]) = ([], [])
        for (index, content) in document.attachments.enumerated() {
            guard let (form, isCertain) = AttachmentForm.of(content) else {
                others.append(content)
                continue
            }
            // What is a card besides would be judged as one of the two, and readers of both kinds exist.
            let isText = CredentialContent(content).kind != .other
            if isText || !isCertain { others.append(content) }
            if isAttached {
                document.note(
                    problem:
                        "\(form.words) is attached to a PDF that is itself attached to a PDF, and was not searched. Save it, and "
                        + "give it as an input of its own")
            } else if isText, isCertain {
                document.note(
                    problem:
                        "an attachment of the PDF is \(form.words) and the text of a card at once, so two programs could read "
                        + "different cards in it")
            } else {
                found.append(AttachedDocument(content: content, form: form, number: index + 1, isCertain: isCertain))
            }
        }
        document.attachments = others
        return found
    }

    /// Searches an attachment. One that cannot be read may be a card, which is a problem of the document.
    private func scan(
        _ other: AttachedDocument, quickly isQuick: Bool
    ) async throws(ScanFailure) -> ScannedDocument {
        var document = ScannedDocument(form: other.form)
        let name = "\(other.form.words) that is attached to the PDF"
        guard left > .zero else {
            document.note(
                problem: "\(name) was not searched: the time for this PDF, \(limit.inSeconds), was used up before")
            return document
        }
        let result: Result<ScannedDocument, ScanProblem>
        do throws(ScanFailure) {
            result = try await scanner.read(
                other.content, as: other.form, source: "\(source), attachment \(other.number)", depth: depth,
                isAttached: true, isQuick: isQuick, within: left)
        } catch {
            // The other pages and attachments can be read. Only SVG needs a further program.
            guard case .notInstalled(let words) = error, other.form == .picture else { throw error }
            document.note(problem: "\(name) was not searched: \(words)")
            return document
        }
        switch result {
        case .success(let scanned): return scanned
        case .failure(let problem):
            if problem.mayBeOfScanner { try await scanner.prove() }
            if other.isCertain || problem.isOfLimit { document.note(problem: "\(name): \(problem.failure.message)") }
        }
        return document
    }
}

/// A page of a PDF.
package struct PDFPage {
    /// The number, from 1.
    package let number: Int
    /// The size in points, 72 to an inch.
    let width: Double
    let height: Double

    /// The number of pixels of the drawn page.
    package func pixels(at resolution: Int) -> Int {
        let scale = Double(resolution) / 72
        let pixels = width * scale * height * scale
        return pixels.isFinite && pixels < 1e12 ? Int(pixels) : 1 << 40
    }
}

/// The output of `pdfinfo`, as far as it is needed. The program read a hostile document, so its output is not trusted either.
package struct PDFDescription {
    /// The number of pages that the document claims.
    package let pageCount: Int
    /// The pages whose size can be read, from the first on.
    package let pages: [PDFPage]

    /// Nil if the output says nothing about pages.
    package init?(_ output: [UInt8]) {
        var count: Int?
        var pages: [PDFPage] = []
        for line in output.split(separator: 0x0A) where line.count < 200 {
            let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
            if words.count == 2, words[0] == "Pages:" {
                count = count ?? Int(words[1])
            } else if words.count >= 6, words[0] == "Page", words[2] == "size:", words[4] == "x",
                let number = Int(words[1]), let width = Double(words[3]), let height = Double(words[5]),
                number == pages.count + 1, width >= 0, height >= 0
            {
                pages.append(PDFPage(number: number, width: width, height: height))
            }
        }
        guard let count, count >= 0 else { return nil }
        pageCount = count
        self.pages = pages
    }
}
