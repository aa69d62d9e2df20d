import Credentials
import HTTPSFetch
import Inputs
import LocalFiles
import SMARTHealthCards
import Scanning
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
    /// Reads the inputs, one after the other: files and standard input first, then the texts of QR codes.
    ///
    /// All commands read their inputs here. A picture or PDF is replaced by its texts.
    ///
    /// - Parameters:
    ///   - limit: the largest number of bytes of an input that is no picture or PDF. If an input has more, at least `limit` + 1 of
    ///     them are read.
    ///   - pictures: the time for pictures.
    ///   - use: is called with each input.
    /// - Throws: `InstallationFault` if the scanner is installed, but does not work.
    nonisolated(nonsending) func forEachInput(
        limit: Int, pictures: inout PictureTime, _ use: (CommandInput) -> Void
    ) async throws(InstallationFault) {
        for (number, path) in input.all.enumerated() {
            use(try await read(path, number: number + 1, limit: limit, pictures: &pictures))
        }
        for text in qr.all {
            use(CommandInput(source: "qr", isCode: true, content: .success(.bytes(Array(text.utf8)))))
        }
    }

    private nonisolated(nonsending) func read(
        _ path: String, number: Int, limit: Int, pictures: inout PictureTime
    ) async throws(InstallationFault) -> CommandInput {
        let bytes: [UInt8]
        do throws(InputReader.Failure) {
            bytes = try InputReader.read(path, limit: max(limit, Bounds.pictureSize))
        } catch {
            let (source, message) = InputReader.explain(path, number: number, failure: error)
            return CommandInput(source: source, content: .failure(VerificationFailure(.unreadableInput, message)))
        }
        let source = InputReader.name(of: path)
        guard let form = InputForm.scanned(bytes[...]) else {
            return CommandInput(source: source, content: .success(.bytes(bytes)))
        }
        let scanned = try await pictures.scan(bytes, as: form, source: source, by: .installed)
        return CommandInput(source: source, form: form, content: scanned.map { .document($0, file: bytes) })
    }

}

extension CredentialReader {
    /// Reads the inputs of a command line.
    ///
    /// If parts of a split card are missing, the pictures and PDFs are looked at again, more thoroughly.
    nonisolated(nonsending) init(reading options: InputOptions) async throws(InstallationFault) {
        self.init()
        var kept: [(document: ScannedDocument, file: [UInt8], source: String)] = []
        var keptSize = 0
        var pictures = PictureTime()
        try await options.forEachInput(limit: Bounds.inputSize, pictures: &pictures) { input in
            switch input.content {
            case .success(.bytes(let bytes)): add(bytes, source: input.source)
            case .success(.document(let document, let file)):
                add(document, source: input.source)
                // The first part of a card may be on a later picture.
                let mayHaveMore = document.codes.isEmpty || document.unreadCodes > 0 || lacksParts
                guard mayHaveMore, keptSize + file.count <= Self.keptSize else { return }
                keptSize += file.count
                kept.append((document, file, input.source))
            case .failure(let failure): add(failure: failure, source: input.source, form: input.form)
            }
        }
        for (document, file, source) in kept where lacksParts {
            let again = try await pictures.scan(
                file, as: document.form, source: source, depth: .exhaustive, by: .installed)
            if case .success(let document) = again { addMissingParts(from: document, source: source) }
        }
    }

    /// The most bytes of pictures that are kept to look at them again.
    private static let keptSize = 64 << 20
}
