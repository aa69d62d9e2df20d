import Bulk
import Containers
import Credentials
import Dispatch
import Encodings
import HTTPSFetch
import Inputs
import Processes
import Synchronization
import SystemPackage
import Verification

/// An input of a command line, after it was read.
struct CommandInput {
    /// What an input holds.
    enum Content {
        /// Its bytes.
        case bytes([UInt8])
        /// The texts of a picture or PDF, and the file.
        case document(ScannedDocument, file: [UInt8])
    }

    /// The name in reports.
    let source: String
    /// Whether it is the value of `--qr`.
    var isCode = false
    /// The form, if it is a picture or PDF.
    var form: InputForm?
    /// The content, or why the input cannot be read.
    let content: Result<Content, VerificationFailure>
}

extension InputOptions {
    /// Reads the inputs in order: files and standard input first, then the texts of QR codes.
    ///
    /// All commands read their inputs here. A picture or PDF is replaced by its texts.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of bytes of an input that is not a picture or PDF. If an input has more, at least `limit` + 1
    ///     bytes are read.
    ///   - search: searches the pictures.
    ///   - use: is called with each input.
    /// - Throws: `InstallationFault` if the scanner is installed but does not work.
    nonisolated(nonsending) func forEachInput(
        limit: Int, by search: inout PictureSearch, _ use: (CommandInput) -> Void
    ) async throws(InstallationFault) {
        var paths = input.all.enumerated().makeIterator()
        try await search.run {
            paths.next().map { CommandInput.read($1, number: $0 + 1, limit: limit, by: read) }
        } use: { input in
            use(input)
            return true
        }
        for text in qr.all {
            use(CommandInput(source: "qr", isCode: true, content: .success(.bytes(Array(text.utf8)))))
        }
    }
}

extension InputOptions {
    /// Reads a file, or standard input, which may be typed by a scanner.
    private func read(_ path: String, limit: Int) throws(InputReader.Failure) -> [UInt8] {
        guard InputReader.isStandardInput(path) else { return try InputReader.read(path, limit: limit) }
        if StandardStreams.canAsk { StandardStreams.warn("Scan now; Ctrl-D ends") }
        return try InputReader.read(.standardInput, limit: limit) { once && Self.holdsCode($0) }
    }

    /// Whether the lines of a text contain a whole code, or all parts of one. The missing parts of a card are waited for, but not after
    /// something of another card, or something that cannot be read.
    private static func holdsCode(_ text: [UInt8]) -> Bool {
        guard let end = text.last, [0x0A, 0x0D].contains(end), InputForm.scanned(text[...]) == nil else { return false }
        var reader = CredentialReader()
        reader.add(text, source: "stdin")
        return reader.cards().count { $0.form != nil } > (reader.lacksParts ? 1 : 0)
    }
}

extension CommandInput {
    /// Reads a file. `-` is standard input.
    ///
    /// - Parameters:
    ///   - number: the number of the input, from 1.
    ///   - readBytes: reads at most one byte more than the given number.
    fileprivate static func read(
        _ path: String, number: Int, limit: Int, by readBytes: (String, Int) throws(InputReader.Failure) -> [UInt8]
    ) -> PictureSearch.Item {
        let bytes: [UInt8]
        do throws(InputReader.Failure) {
            bytes = try readBytes(path, max(limit, Bounds.pictureSize))
        } catch {
            let (source, message) = InputReader.explain(path, number: number, failure: error)
            return .other(
                CommandInput(source: source, content: .failure(VerificationFailure(.unreadableInput, message))))
        }
        let source = InputReader.name(of: path)
        guard let form = InputForm.scanned(bytes[...]) else {
            return .other(CommandInput(source: source, content: .success(.bytes(bytes))))
        }
        return .picture(source: source, form, file: bytes, .normal)
    }
}

extension CredentialReader {
    /// Reads the inputs of a command line.
    nonisolated(nonsending) init(reading options: InputOptions) async throws(InstallationFault) {
        var search = PictureSearch()
        self.init()
        try await read(by: &search) { search, use throws(InstallationFault) in
            try await options.forEachInput(limit: Bounds.inputSize, by: &search, use)
        }
    }

    /// Reads one file. Pipes and devices are refused, because a read from them might never end.
    ///
    /// - Parameters:
    ///   - number: the number of its line, from 1.
    ///   - scanner: what reads pictures.
    nonisolated(nonsending) init(
        readingFile path: String, number: Int, by scanner: KeptScanner
    ) async throws(InstallationFault) {
        var search = PictureSearch(scanner: scanner)
        self.init()
        try await read(by: &search) { search, use throws(InstallationFault) in
            var item: PictureSearch.Item? = CommandInput.read(
                path, number: number, limit: Bounds.inputSize,
                by: { path, limit throws(InputReader.Failure) in
                    try InputReader.readReopenable(path, limit: limit, takesDevices: false)
                })
            try await search.run {
                defer { item = nil }
                return item
            } use: { input in
                use(input)
                return true
            }
        }
    }

    private typealias ForEachInput =
        nonisolated(nonsending) (inout PictureSearch, (CommandInput) -> Void) async throws(InstallationFault) -> Void

    /// Reads inputs. If parts of a split card are missing, the pictures and PDFs are searched again, more thoroughly.
    ///
    /// - Parameter forEach: calls its argument with each input.
    private nonisolated(nonsending) mutating func read(
        by search: inout PictureSearch, _ forEach: ForEachInput
    ) async throws(InstallationFault) {
        var kept: [PictureSearch.Item] = []
        var keptSize = 0
        try await forEach(&search) { input in
            switch input.content {
            case .success(.bytes(let bytes)): add(bytes, source: input.source)
            case .success(.document(let document, let file)):
                add(document, source: input.source)
                // The first part of a card may be in a later picture.
                let mayHaveMore = document.codes.isEmpty || document.unreadCodes > 0 || lacksParts
                guard mayHaveMore, keptSize + file.count <= Self.keptSize else { return }
                keptSize += file.count
                kept.append(.picture(source: input.source, document.form, file: file, .exhaustive))
            case .failure(let failure): add(failure: failure, source: input.source, form: input.form)
            }
        }
        guard lacksParts else { return }
        var again = kept.makeIterator()
        try await search.run {
            again.next()
        } use: { input in
            if case .success(.document(let document, _)) = input.content {
                addMissingParts(from: document, source: input.source)
            }
            return lacksParts
        }
    }

    /// The maximum number of bytes of pictures that are kept to be searched again.
    private static let keptSize = 64 << 20
}

/// An argument that should name a file, but is itself a card, JSON or an address.
enum PastedInput {
    case qr, certificate, card, json, cardLink, address
    case other(InputForm)

    /// What the argument is; nil if it looks like the name of a file.
    init?(_ name: String) {
        let text = Array(name.utf8)[...].trimmingWhiteSpace()
        switch Recognition(text).kind {
        case .json: self = .json
        case .lines: self = .certificate
        case .text(.qr) where InputForm.begins(text, with: "shc:/"): self = .qr
        case .text(let form) where InputForm.unread(text) == form: self = .other(form)
        case .text(.deeplink) where InputForm.begins(text, with: "http"):
            self = text.contains(UInt8(ascii: "#")) ? .cardLink : .address
        // The name of a file may look like a damaged JWS.
        case .text(.jws) where InputForm.isJWS(text): self = .card
        default:
            guard let first = text.first, "[\"".utf8.contains(first) else { return nil }
            self = .json
        }
    }

    /// Whether the argument is the text of a QR code. It is read as a value of `--qr`, unless there is a file of this name.
    static func isCode(_ name: String) -> Bool {
        let text = Array(name.utf8)[...].trimmingWhiteSpace()
        if ["shc:/", "hc1:", "shlink:/"].contains(where: { InputForm.begins(text, with: $0) }) { return true }
        return InputForm.begins(text, with: "https://") && text.contains(UInt8(ascii: "#"))
            && SMARTHealthLinkText.begins(text)
    }

    /// What the argument is, and how to give it instead.
    ///
    /// - Parameter qrOption: the option that takes the text of a QR code.
    func advice(qrOption: String) -> String {
        switch self {
        case .qr: "this is QR text: use \(qrOption) or standard input"
        case .certificate:
            "this is the text of an EU Digital COVID Certificate: use \(qrOption) or standard input"
        case .card: "this is a card, not the name of a file: use standard input"
        case .json: "this is JSON, not the name of a file: use standard input"
        case .cardLink: "this is a link that may hold a card: use standard input"
        case .address:
            "this is a web address, from which nothing is downloaded: save the file and give its name (to check an "
                + "issuer, use \"shcverify lint --issuer\")"
        case .other(.link): "this is a SMART Health Link: put \(qrOption) before it, or use standard input"
        case .other(let form): form.advice ?? form.words
        }
    }
}

extension InputReader {
    /// The name of an input that could not be read, and a message with the reason. A pasted card is not repeated,
    /// because messages are logged.
    ///
    /// - Parameters:
    ///   - path: the argument.
    ///   - number: the number of the input, from 1.
    ///   - failure: why it could not be read.
    ///   - qrOption: the option that takes the text of a QR code.
    static func explain(
        _ path: String, number: Int, failure: Failure, qrOption: String = "--qr"
    ) -> (source: String, message: String) {
        if let pasted = PastedInput(path) { return ("input \(number)", pasted.advice(qrOption: qrOption)) }
        guard path.utf8.count <= longestName else {
            return (
                "input \(number)", "this is too long for the name of a file: use standard input for the text of a card"
            )
        }
        let hint = failure.isDirectory ? "; name the files in it" : ""
        return (name(of: path), "cannot be read: \(failure.message)\(hint)")
    }

    /// The name of an input in reports and messages.
    static func name(of path: String) -> String { isStandardInput(path) ? "stdin" : shown(path) }

    /// A path for messages. An empty one would be invisible.
    static func shown(_ path: String) -> String { path.isEmpty ? "\"\"" : path }
}

/// Searches the pictures and PDFs of a run for codes, several at once. The results are used in the order of the inputs.
struct PictureSearch {
    /// An input, in order.
    enum Item {
        /// One that is no picture.
        case other(CommandInput)
        /// A picture or PDF, its bytes, and how hard to look.
        case picture(source: String, InputForm, file: [UInt8], DocumentScanner.Depth)

        /// An estimate of the memory that it takes.
        var size: Int {
            switch self {
            case .picture(_, _, let file, _): file.count
            case .other(let input): if case .success(.bytes(let bytes)) = input.content { bytes.count } else { 0 }
            }
        }
    }

    private struct Slot {
        let item: Item
        var result: Result<CommandInput, InstallationFault>?
    }

    /// The maximum number of bytes of inputs that are held while an earlier one is still being searched, not counting the last one.
    private static let mostHeld = 64 << 20

    private let scanner: KeptScanner
    /// The time that is left for pictures.
    private var pictures = PictureTime()

    /// Whether the threads that a search needs can be created, as far as is known.
    private var hasThreads: Bool

    /// Creates the search of a run that has no other threads yet.
    init() {
        scanner = KeptScanner { min(LineThreads.count(asked: nil), Bounds.scanners) }
        hasThreads = false
    }

    /// Creates the search of a run that has made sure that it can have threads.
    ///
    /// - Parameter scanner: what reads pictures.
    init(scanner: KeptScanner) {
        self.scanner = scanner
        hasThreads = true
    }

    /// Searches pictures.
    ///
    /// - Parameters:
    ///   - next: the next input; nil if there are no more. It is called before earlier inputs have been searched.
    ///   - use: is called with each input, in order. It returns whether to go on.
    /// - Throws: `InstallationFault` if the scanner is installed but does not work.
    nonisolated(nonsending) mutating func run(
        next: () -> Item?, use: (CommandInput) -> Bool
    ) async throws(InstallationFault) {
        // Before the first picture, no other thread is needed. Starting one takes longer than verifying a card.
        while let item = next() {
            if case .picture = item { return try await search(from: item, next: next, use: use) }
            guard case .other(let input) = item, use(input) else { return }
        }
    }

    /// Searches pictures from the first one on.
    private nonisolated(nonsending) mutating func search(
        from picture: Item, next: () -> Item?, use: (CommandInput) -> Bool
    ) async throws(InstallationFault) {
        if !hasThreads { ProcessSetup.requireThreads() }
        hasThreads = true
        var picture: Item? = picture
        let fault = await withTaskGroup(of: (Int, PictureScan, PictureScan.Outcome).self) { group in
            var slots: [Slot] = []
            var (first, held, running, goesOn) = (0, 0, 0, true)
            var fault: InstallationFault?
            while true {
                while goesOn, let result = slots.first?.result {
                    held -= slots.removeFirst().item.size
                    first += 1
                    switch result {
                    case .success(let input): goesOn = use(input)
                    case .failure(let failure): (fault, goesOn) = (failure, false)
                    }
                }
                guard goesOn else {
                    group.cancelAll()
                    return fault
                }
                let hasRoom = running == 0 || running < scanner.most && held < Self.mostHeld
                if hasRoom, let item = picture.take() ?? next() {
                    held += item.size
                    switch item {
                    case .other(let input): slots.append(Slot(item: item, result: .success(input)))
                    case .picture(let source, let form, let file, let depth):
                        let scan = pictures.begin(file, as: form, source: source, depth: depth)
                        let number = first + slots.count
                        slots.append(Slot(item: item))
                        running += 1
                        group.addTask { [scanner] in (number, scan, await scan.run(by: .kept(scanner))) }
                    }
                } else if let (number, scan, outcome) = await group.next() {
                    running -= 1
                    slots[number - first].result = finish(slots[number - first].item, scan, outcome)
                } else {
                    return nil
                }
            }
        }
        if let fault { throw fault }
    }

    private mutating func finish(
        _ item: Item, _ scan: PictureScan, _ outcome: PictureScan.Outcome
    ) -> Result<CommandInput, InstallationFault>? {
        guard case .picture(let source, let form, let file, _) = item else { return nil }
        do throws(InstallationFault) {
            let scanned = try pictures.finish(scan, outcome)
            return .success(
                CommandInput(source: source, form: form, content: scanned.map { .document($0, file: file) }))
        } catch {
            return .failure(error)
        }
    }
}

/// Reads the files whose paths are the lines of a batch, each as a separate input.
struct BatchFiles: FileReader {
    private let scanner: KeptScanner

    /// - Parameter jobs: how many files are read at the same time.
    ///
    /// With more pictures at a time than processors, each would exceed its time limit.
    init(jobs: Int) { scanner = KeptScanner { min(jobs, LineThreads.count(asked: nil), Bounds.scanners) } }

    func cards(of path: String, line: Int) throws(InstallationFault) -> [PresentedCredential] {
        // Standard input may already be the list of paths.
        let path = InputReader.isStandardInput(path) ? "./-" : path
        guard InputReader.exists(path) || PastedInput(path) == nil else {
            let message = "the line is not the path of a file. Without --pictures, each line is a card"
            return [
                PresentedCredential(failure: VerificationFailure(.unreadableInput, message), source: "line \(line)")
            ]
        }
        return try wait { [scanner] () async throws(InstallationFault) -> [PresentedCredential] in
            // No link is opened: a run over many files should not contact servers that the files name.
            let cards = try await CredentialReader(readingFile: path, number: line, by: scanner).cards()
            guard cards.isEmpty else { return cards }
            return [
                PresentedCredential(
                    failure: VerificationFailure(.emptyInput, "no health card here"), source: InputReader.name(of: path)
                )
            ]
        }
    }

    /// Waits for a task. No task may need the calling thread.
    private func wait<Value: Sendable>(
        for body: @escaping @Sendable () async throws(InstallationFault) -> Value
    ) throws(InstallationFault) -> Value {
        let result = WaitedResult<Value>()
        Task {
            do throws(InstallationFault) {
                result.set(.success(try await body()))
            } catch {
                result.set(.failure(error))
            }
        }
        return try result.wait().get()
    }
}

/// The result that a task hands to the thread that waits for it.
private final class WaitedResult<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, InstallationFault>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func set(_ value: Result<Value, InstallationFault>) {
        result.withLock { $0 = value }
        isThere.signal()
    }

    func wait() -> Result<Value, InstallationFault> {
        while true {
            isThere.wait()
            if let value = result.withLock({ $0 }) { return value }
        }
    }
}
