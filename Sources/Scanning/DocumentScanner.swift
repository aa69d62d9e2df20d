public import Credentials
internal import HelperPrograms
internal import ScanProtocol

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Finds QR codes in pictures and PDF documents, and gets the attachments of PDF documents.
///
/// All decoding is done by `shcverify-scan`, in processes of their own with limits on memory, time, files and system calls. A
/// process is always ended on time.
public struct DocumentScanner: Sendable {
    /// The path of `shcverify-scan`.
    let executable: String

    /// - Parameter executable: the path of `shcverify-scan`.
    public init(executable: String) { self.executable = executable }

    /// The scanner that is installed with the running program.
    ///
    /// - Throws: `ScanFailure.notInstalled` if there is none.
    public static var installed: DocumentScanner {
        get throws(ScanFailure) {
            let path: String
            do throws(InstalledProgram.Problem) {
                path = try InstalledProgram.path(of: "shcverify-scan")
            } catch .missing(let places) {
                throw .notInstalled(
                    "the program that reads pictures, shcverify-scan, is not installed; it was looked for at "
                        + "\(places.joined(separator: ", ")). Install the package shcverify-scan, or call make install in the sources of shcverify, or "
                        + "read the QR code with another program and give its text (shc:/…)")
            } catch {
                throw .notInstalled(
                    "the program that reads pictures, shcverify-scan, cannot be found: without /proc this program does not "
                        + "know its own path")
            }
            if let objection = InstalledProgram.objection(toStarting: path) {
                throw .broken("the program that reads pictures is not started from \(objection)")
            }
            return DocumentScanner(executable: path)
        }
    }

    /// Whether the programs that read PDF documents are installed.
    public static var readsPDF: Bool { Program.pdfInfo.isInstalled && Program.pdfToPPM.isInstalled }

    /// Whether the program that reads SVG pictures is installed.
    public static var readsSVG: Bool { Program.rsvgConvert.isInstalled }

    /// Starts the scanner once, to see that it works and understands what it is asked.
    ///
    /// - Parameter time: how long it may take.
    /// - Throws: `ScanFailure.broken`, which says why it does not work.
    public func check(within time: Duration) async throws(ScanFailure) {
        let task = ScanRequest.Task.codes(.quick, firstPage: 0, pageCount: 1)
        let noPicture = Array("This is no picture.".utf8)
        let name = "the program that reads pictures, \(executable),"
        switch try await run(task, on: noPicture, outputLimit: ScanAnswer.longestAnswer, within: time) {
        case .output(let output):
            guard let answer = ScanAnswer(wireForm: output), answer.codes.isEmpty, answer.problem != nil else {
                throw .broken("\(name) gives answers that cannot be right")
            }
        case .unreadable(let failure) where failure == Self.tooSlow:
            throw .broken("\(name) does not answer within \(time.inSeconds)")
        case .failed, .unreadable: throw .broken("\(name) ends without an answer")
        }
    }

    /// How hard to look for codes.
    public enum Depth: Sendable {
        /// Until a card or a part of one is found.
        case normal
        /// Until all parts of the cards are found. It is slower, and for cards with missing parts.
        case exhaustive

        var request: ScanRequest.Depth { self == .normal ? .thorough : .exhaustive }
    }

    /// Finds the codes and attachments of a picture or PDF.
    ///
    /// - Parameters:
    ///   - content: the whole file.
    ///   - form: `picture` or `pdf`.
    ///   - source: the name of the file, for the places of the codes.
    ///   - depth: how hard to look for codes.
    ///   - time: how long it may take. A picture or PDF has limits of its own too.
    /// - Returns: the texts; or a failure with `picture-unreadable`, which says why the file cannot be read.
    /// - Throws: `ScanFailure` if the scanner cannot read any file.
    public func scan(
        _ content: [UInt8], as form: InputForm, source: String, depth: Depth = .normal,
        within time: Duration = .seconds(60)
    ) async throws(ScanFailure) -> Result<ScannedDocument, VerificationFailure> {
        guard content.count <= Bounds.pictureSize else {
            return .failure(
                VerificationFailure(
                    .pictureUnreadable,
                    "\(form.words) of more than \(Bounds.pictureSize >> 20) MiB is not read. Make it smaller, or crop it"
                ))
        }
        if form == .pdf { return try await PDFScan(self, content, source: source, depth: depth, within: time).run() }
        if InputForm.isSVG(content[...]) {
            return try await scanSVG(content, source: source, depth: depth, within: time)
        }
        switch try await codes(in: content, pages: Bounds.pages, depth: depth.request, within: time) {
        case .failure(let failure): return .failure(failure)
        case .success(let answer): return document(answer, form: .picture, source: source)
        }
    }

    private func scanSVG(
        _ content: [UInt8], source: String, depth: Depth, within time: Duration
    ) async throws(ScanFailure) -> Result<ScannedDocument, VerificationFailure> {
        try Program.rsvgConvert.require()
        let end = ContinuousClock.now + time
        let drawn: [UInt8]
        switch try await run(.drawSVG, on: content, outputLimit: 64 << 20, within: time) {
        case .output(let picture): drawn = picture
        case .failed:
            return .failure(
                Self.unreadable("this is a picture (SVG) that is damaged, or has a feature that is not read"))
        case .unreadable(let failure): return .failure(failure)
        }
        switch try await codes(in: drawn, pages: 1, depth: depth.request, within: max(.zero, end - .now)) {
        case .failure(let failure): return .failure(failure)
        case .success(let answer): return document(answer, form: .picture, source: source)
        }
    }

    /// Turns the answer about a picture into its texts, or into the reason why there are none.
    private func document(
        _ answer: ScanAnswer, form: InputForm, source: String
    ) -> Result<ScannedDocument, VerificationFailure> {
        var document = ScannedDocument(form: form)
        document.add(answer, source: source, firstPage: 1)
        if let failure = document.failure(from: answer.problem) { return .failure(failure) }
        return .success(document)
    }

    static func unreadable(_ message: String) -> VerificationFailure {
        VerificationFailure(.pictureUnreadable, message)
    }

    // MARK: The process

    /// What became of a task.
    enum Outcome {
        /// The program's output.
        case output([UInt8])
        /// The program says that it cannot read the document.
        case failed
        /// The program crashed, or reached a limit.
        case unreadable(VerificationFailure)
    }

    /// How long a process may run. It limits itself to 9 seconds.
    static let time = Duration.milliseconds(9500)

    /// Finds the codes of a picture.
    func codes(
        in picture: [UInt8], pages: Int, depth: ScanRequest.Depth, within time: Duration = Self.time
    ) async throws(ScanFailure) -> Result<ScanAnswer, VerificationFailure> {
        let task = ScanRequest.Task.codes(depth, firstPage: 0, pageCount: pages)
        switch try await run(task, on: picture, outputLimit: ScanAnswer.longestAnswer, within: time) {
        case .output(let output):
            guard let answer = ScanAnswer(wireForm: output) else { return .failure(Self.crashed) }
            return .success(answer)
        case .failed: return .failure(Self.crashed)
        case .unreadable(let failure): return .failure(failure)
        }
    }

    /// Runs `shcverify-scan` for one task.
    func run(
        _ task: ScanRequest.Task, on content: [UInt8], outputLimit: Int, within time: Duration = Self.time
    ) async throws(ScanFailure) -> Outcome {
        let request = ScanRequest(task, content: content).wireForm
        let process = HelperProcess(executable: executable, environment: [:])
        switch await process.run(input: request, outputLimit: outputLimit, within: min(time, Self.time)) {
        case .outOfTime: return .unreadable(Self.tooSlow)
        case .tooMuchOutput: return .unreadable(Self.unreadable("the file needs more room than the limit allows"))
        case .notStarted(let reason):
            throw .broken("the program that reads pictures, \(executable), cannot be started: \(reason)")
        case .ended(let output, let status):
            switch status {
            case .exited(0), .unknown: return .output(output)
            case .exited(ScanRequest.installationFault):
                let reason = String(decoding: output.prefix(200), as: UTF8.self).filter { $0.isASCII && $0 != "\n" }
                throw .broken("the program that reads pictures, \(executable), does not work here: it \(reason)")
            case .exited(127):
                throw .broken(
                    "the program that reads pictures, \(executable), cannot start (exit code 127): a library that it needs "
                        + "is missing or of another version; ldd names them")
            case .exited(64):
                throw .broken(
                    "the program that reads pictures, \(executable), does not understand what it is asked (exit code 64): "
                        + "it is of another version than shcverify")
            case .exited: return .failed
            case .signaled(SIGALRM), .signaled(SIGXCPU): return .unreadable(Self.tooSlow)
            case .signaled: return .unreadable(Self.crashed)
            }
        }
    }

    static let tooSlow = unreadable("the file takes too long to read, so reading was stopped")
    static let crashed = unreadable(
        "reading the file was stopped: it is damaged, needs too much memory, or was made to harm the program that reads it"
    )
}

extension ScannedDocument {
    /// Adds the codes and pages of an answer.
    ///
    /// - Parameter firstPage: the number of the answer's page 0.
    mutating func add(_ answer: ScanAnswer, source: String, firstPage: Int) {
        let pages = Dictionary(answer.pages.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        for code in answer.codes {
            let page = pages[code.page]
            let place = CodePlace(
                source: source, page: firstPage + code.page, width: page?.width ?? 0, height: page?.height ?? 0,
                corners: code.corners)
            codes.append(ScannedCode(text: code.text, place: place, symbol: code.symbol))
        }
        unreadCodes += answer.pages.reduce(0) { $0 + min($1.unreadCodes, ScanAnswer.mostCodes) }
    }

    /// Why the whole document counts as unreadable; nil if it does not.
    ///
    /// - Parameter answerProblem: the problem that the scanner reported.
    mutating func failure(from answerProblem: ScanAnswer.Problem?) -> VerificationFailure? {
        let words = form.words
        switch answerProblem {
        case .damaged where codes.isEmpty:
            return DocumentScanner.unreadable(
                "this is \(words) that is damaged or not complete, and no QR code was found in the part that can be read"
            )
        case .tooLarge:
            return DocumentScanner.unreadable(
                "\(words) of more than 50 megapixels, or one that needs too much memory, is not read. Make it smaller, or "
                    + "crop it")
        case .unsupported:
            return DocumentScanner.unreadable(
                "the file's format, or a feature of it, is not read. Save it as PNG or JPEG, or take a screenshot")
        case .pageUnreadable:
            return DocumentScanner.unreadable("a page of \(words) is damaged, so it may have codes that were not seen")
        case .morePages:
            return DocumentScanner.unreadable("\(words) of more than \(Bounds.pages) pages is not read")
        case .tooManyCodes:
            return DocumentScanner.unreadable(
                "\(words) with more than \(ScanAnswer.mostCodes) QR codes is not read. Crop it")
        case .ambiguous:
            note(
                problem:
                    "two ways of reading gave two different texts for one QR code, so it was left out. Take the picture again"
            )
        case .damaged, .outOfTime: isPartial = true
        case nil: break
        }
        return nil
    }
}

/// Why a picture or document could not be scanned at all. `VerificationFailure` says what is wrong with the document itself.
public enum ScanFailure: Error, Sendable, Equatable {
    /// The scanner, or a program that it needs, is not installed. The text says what to install.
    case notInstalled(String)
    /// The scanner is installed, but cannot do its work here. The text says why.
    case broken(String)
}
