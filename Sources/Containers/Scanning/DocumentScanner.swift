package import Credentials
import Encodings
import Inputs
package import Processes

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
    /// What runs it for many pictures; nil to start it for each.
    private let helpers: HelperPool?
    /// How many processes may run at once.
    let most: Int

    /// - Parameter executable: the path of `shcverify-scan`.
    public init(executable: String) {
        self.executable = executable
        helpers = nil
        most = 1
    }

    /// A scanner for many pictures. Its processes are copies of others that are kept, so that each has the same limits, and begins at
    /// once.
    ///
    /// - Parameters:
    ///   - scanner: a scanner.
    ///   - most: how many processes may run at once, at least 1.
    package init(_ scanner: DocumentScanner, most: Int) {
        executable = scanner.executable
        helpers = HelperPool(executable: executable, environment: Self.settings, most: most)
        self.most = most
    }

    /// What makes copies of a process faster. The symbols of libraries are found once, not in each copy. Memory is taken in pages of
    /// 2 MiB, if the system has them for programs that ask, and what was freed is used again.
    private static let settings = [
        "LD_BIND_NOW": "1",
        "GLIBC_TUNABLES":
            "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=8388608:glibc.malloc.trim_threshold=67108864:glibc.malloc.top_pad=4194304",
    ]

    /// Whether a further process could run now beside those that do.
    var hasRoom: Bool { helpers?.hasRoom ?? false }

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

    /// The programs of which `installed` starts one, for `ForkServer`.
    package static var startable: [HelperProcess] {
        InstalledProgram.places(of: "shcverify-scan").flatMap { place in
            [[:], settings].map { HelperProcess(executable: place, environment: $0) }
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
        case .unreadable(let problem) where problem == Self.tooSlow(after: min(time, Self.time)):
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
    package func scan(
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
        switch try await read(content, as: form, source: source, depth: depth, within: time) {
        case .success(var document):
            document.isOfDataURL = DataURL.content(of: content[...]) != nil
            return .success(document)
        case .failure(let problem):
            if problem.mayBeOfScanner { try await prove() }
            return .failure(problem.failure)
        }
    }

    /// - Parameters:
    ///   - isAttached: whether the content is attached to a PDF.
    ///   - isQuick: whether to look at it quickly only.
    func read(
        _ content: [UInt8], as form: InputForm, source: String, depth: Depth, isAttached: Bool = false,
        isQuick: Bool = false, within time: Duration
    ) async throws(ScanFailure) -> Result<ScannedDocument, ScanProblem> {
        let content = DataURL.content(of: content[...]) ?? content
        if form == .pdf {
            let scan = PDFScan(
                scanner: self, content: content, source: source, depth: depth, isAttached: isAttached, isQuick: isQuick,
                limit: min(PDFScan.time, time))
            return try await scan.run()
        }
        let request = isQuick ? ScanRequest.Depth.quick : depth.request
        // White space and byte-order marks may precede an SVG.
        let svg = content.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        if InputForm.isSVG(svg) {
            return try await scanSVG(Array(svg), source: source, depth: request, within: time)
        }
        switch try await codes(in: content, pages: Bounds.pages, depth: request, within: time) {
        case .failure(let problem): return .failure(problem)
        case .success(let answer): return document(answer, form: .picture, source: source)
        }
    }

    /// Finds out whether the scanner works at all, by a picture whose code is known. A hostile picture alone must never count as a
    /// fault of the installation.
    ///
    /// - Throws: `ScanFailure.broken` if it fails twice.
    func prove() async throws(ScanFailure) {
        // A task that was cancelled stops its helpers.
        guard !Task.isCancelled else { return }
        // Without copies, so that the program itself is tried.
        let scanner = DocumentScanner(executable: executable)
        for _ in 0..<2 {
            let result = try await scanner.codes(in: KnownPicture.content, pages: 1, depth: .quick)
            if case .success(let answer) = result, answer.codes.map(\.text) == [KnownPicture.text] { return }
        }
        throw .broken(
            "the program that reads pictures, \(executable), fails twice on a picture that is known to be good, so it does not "
                + "work here. Install it again")
    }

    private func scanSVG(
        _ content: [UInt8], source: String, depth: ScanRequest.Depth, within time: Duration
    ) async throws(ScanFailure) -> Result<ScannedDocument, ScanProblem> {
        try Program.rsvgConvert.require()
        let end = ContinuousClock.now + time
        let drawn: [UInt8]
        switch try await run(.drawSVG, on: content, outputLimit: 64 << 20, within: time) {
        case .output(let picture): drawn = picture
        case .failed:
            return .failure(
                ScanProblem(
                    "this is a picture (SVG) that is damaged, or has a feature that is not read", mayBeOfScanner: true))
        case .unreadable(let problem): return .failure(problem)
        }
        switch try await codes(in: drawn, pages: 1, depth: depth, within: max(.zero, end - .now)) {
        case .failure(let problem): return .failure(problem)
        case .success(let answer): return document(answer, form: .picture, source: source)
        }
    }

    /// Turns the answer about a picture into its texts, or into the reason why there are none.
    private func document(
        _ answer: ScanAnswer, form: InputForm, source: String
    ) -> Result<ScannedDocument, ScanProblem> {
        var document = ScannedDocument(form: form)
        document.add(answer, source: source, firstPage: 1)
        if let problem = document.failure(from: answer.problem) { return .failure(problem) }
        return .success(document)
    }

    static func unreadable(_ message: String) -> ScanProblem { ScanProblem(message, mayBeOfScanner: false) }

    // MARK: The process

    /// What became of a task.
    enum Outcome {
        /// The program's output.
        case output([UInt8])
        /// The program says that it cannot read the document.
        case failed
        /// The program crashed, or reached a limit.
        case unreadable(ScanProblem)
    }

    /// The shortest limit of time at which a process is stopped: its processor time.
    public static let shortestLimit = Duration.seconds(8)

    /// How long a process may run. It limits itself to 9 seconds.
    static let time = Duration.milliseconds(9500)

    /// Finds the codes of a picture.
    func codes(
        in picture: [UInt8], pages: Int, depth: ScanRequest.Depth, within time: Duration = Self.time
    ) async throws(ScanFailure) -> Result<ScanAnswer, ScanProblem> {
        let task = ScanRequest.Task.codes(depth, firstPage: 0, pageCount: pages)
        switch try await run(task, on: picture, outputLimit: ScanAnswer.longestAnswer, within: time) {
        case .output(let output):
            guard let answer = ScanAnswer(wireForm: output) else { return .failure(Self.crashed) }
            return .success(answer)
        case .failed: return .failure(Self.crashed)
        case .unreadable(let problem): return .failure(problem)
        }
    }

    /// Runs `shcverify-scan` for one task.
    func run(
        _ task: ScanRequest.Task, on content: [UInt8], outputLimit: Int, within time: Duration = Self.time
    ) async throws(ScanFailure) -> Outcome {
        let request = ScanRequest(task, content: content).wireForm
        let time = min(time, Self.time)
        let ending =
            if let helpers {
                await helpers.run(input: request, outputLimit: outputLimit, within: time)
            } else {
                await HelperProcess(executable: executable, environment: [:]).run(
                    input: request, outputLimit: outputLimit, within: time)
            }
        switch ending {
        case .outOfTime: return .unreadable(Self.tooSlow(after: time))
        case .tooMuchOutput:
            return .unreadable(
                ScanProblem(
                    "the scanner was stopped: what it makes of the file is larger than \(outputLimit >> 20) MiB, the limit. Give "
                        + "a smaller picture, or the original file", mayBeOfScanner: true, isOfLimit: true))
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
                    "the program that reads pictures, \(executable), does not know this request (exit code 64): "
                        + "it is of another version than shcverify")
            case .exited: return .failed
            case .signaled(SIGALRM): return .unreadable(Self.tooSlow(after: .seconds(9)))
            case .signaled(SIGXCPU): return .unreadable(Self.tooSlow(after: Self.shortestLimit))
            case .signaled: return .unreadable(Self.crashed)
            }
        }
    }

    /// The problem of a file for which the time was not enough.
    static func tooSlow(after time: Duration) -> ScanProblem {
        ScanProblem(
            "the scanner was stopped after \(time.inSeconds): the file is too large for this limit, or the machine is busy. Try "
                + "again, take the picture again, or ask for the original file", mayBeOfScanner: true, isOfLimit: true)
    }

    /// The problem of a file at which the scanner ended without an answer.
    static let crashed = ScanProblem(
        "the scanner ended before it had read the file, which is damaged, or needs more than 300 MiB of memory, the limit. Take "
            + "the picture again, or ask for the original file", mayBeOfScanner: true, isOfLimit: true)

    /// After about this time, the scanner begins no further search of a picture.
    static let searchTime = Duration.seconds(5)
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
    mutating func failure(from answerProblem: ScanAnswer.Problem?) -> ScanProblem? {
        let words = form.words
        let refused = DocumentScanner.unreadable
        switch answerProblem {
        case .damaged where codes.isEmpty:
            return refused(
                "this is \(words) that is damaged or not complete, and no QR code was found in the part that can be read"
            )
        case .tooLarge:
            return refused(
                "\(words) of more than 50 megapixels, or one that needs too much memory, is not read. Make it smaller, or crop it"
            )
        case .unsupported:
            return refused(
                "the file's format, or a feature of it, is not read. Save it as PNG or JPEG, or take a screenshot")
        case .pageUnreadable: return refused("a page of \(words) is damaged, so it may have codes that were not seen")
        case .morePages: return refused("\(words) of more than \(Bounds.pages) pages is not read")
        case .tooManyCodes:
            return refused("\(words) with more than \(ScanAnswer.mostCodes) QR codes is not read. Crop it")
        case .ambiguous:
            note(
                problem:
                    "two ways of reading gave two different texts for one QR code, so it was left out. Take the picture again"
            )
        case .damaged: isPartial = true
        case .cutOff: isCutOff = true
        case .outOfTime: stop(after: DocumentScanner.searchTime)
        case nil: break
        }
        return nil
    }
}

/// Why a picture or document cannot be read.
struct ScanProblem: Error, Equatable {
    /// The problem in words, as a failure with `picture-unreadable`.
    let failure: VerificationFailure
    /// Whether the scanner ended without a proper answer. That may be its own fault.
    let mayBeOfScanner: Bool
    /// Whether a limit was reached, or the scanner crashed, so that nothing is known of the content.
    let isOfLimit: Bool

    init(_ message: String, mayBeOfScanner: Bool, isOfLimit: Bool = false) {
        failure = VerificationFailure(.pictureUnreadable, message)
        self.mayBeOfScanner = mayBeOfScanner
        self.isOfLimit = isOfLimit
    }
}

/// Why a picture or document could not be scanned at all. `VerificationFailure` says what is wrong with the document itself.
public enum ScanFailure: Error, Sendable, Equatable {
    /// The scanner, or a program that it needs, is not installed. The text says what to install.
    case notInstalled(String)
    /// The scanner is installed, but cannot do its work here. The text says why.
    case broken(String)
}
