import Containers
import Credentials
import HTTPSFetch
import Inputs
import Processes
import SystemPackage

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
    /// Reads the inputs in their order: files and standard input first, then the texts of QR codes.
    ///
    /// All commands read their inputs here. A picture or PDF is replaced by its texts.
    ///
    /// - Parameters:
    ///   - limit: the largest number of bytes of an input that is no picture or PDF. If an input has more, at least `limit` + 1 of
    ///     them are read.
    ///   - search: searches the pictures.
    ///   - use: is called with each input.
    /// - Throws: `InstallationFault` if the scanner is installed, but does not work.
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
    /// Reads a file, or standard input, into which a scanner may type.
    private func read(_ path: String, limit: Int) throws(InputReader.Failure) -> [UInt8] {
        guard InputReader.isStandardInput(path) else { return try InputReader.read(path, limit: limit) }
        if StandardStreams.canAsk { StandardStreams.warn("Scan now; Ctrl-D ends") }
        return try InputReader.read(.standardInput, limit: limit) { once && Self.holdsCode($0) }
    }

    /// Whether the lines of a text hold a whole code, or all parts of one.
    private static func holdsCode(_ text: [UInt8]) -> Bool {
        guard let end = text.last, [0x0A, 0x0D].contains(end), InputForm.scanned(text[...]) == nil else { return false }
        var reader = CredentialReader()
        reader.add(text, source: "stdin")
        return !reader.lacksParts && reader.cards().contains { $0.form != nil }
    }
}

extension CommandInput {
    /// Reads a file. `-` is standard input.
    ///
    /// - Parameters:
    ///   - number: the number of the input, from 1.
    ///   - readBytes: reads a file, up to a number of bytes and one more.
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

    /// Reads one file. Pipes and devices are refused, because nobody knows when they have something to read.
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

    /// Reads inputs. If parts of a split card are missing, the pictures and PDFs are looked at again, more thoroughly.
    ///
    /// - Parameter forEach: calls what it is given with each input.
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
                // The first part of a card may be on a later picture.
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

    /// The most bytes of pictures that are kept to look at them again.
    private static let keptSize = 64 << 20
}
