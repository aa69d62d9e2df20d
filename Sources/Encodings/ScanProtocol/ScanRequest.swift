/// A request to `shcverify-scan`, the program that reads pictures and documents.
///
/// It is one line of text, and after it the bytes of the picture or document.
package struct ScanRequest: Sendable, Equatable {
    /// The task.
    package enum Task: Sendable, Equatable {
        /// Find the QR codes in some of the pages of a picture. The answer is a `ScanAnswer`.
        case codes(Depth, firstPage: Int, pageCount: Int)
        /// Draw pages of a PDF. The answer is a sequence of pictures in PGM format. Pages are numbered from 1.
        case drawPages(first: Int, last: Int, PageSize)
        /// List facts about a PDF. The answer is the output of `pdfinfo`.
        case describePDF(pages: Int)
        /// Get the attachments of a PDF, up to limits on their number and size. The answer is an `AttachmentsAnswer`.
        case attachments(most: Int, mostBytes: Int)
        /// Draw an SVG. The answer is a picture in PNG format.
        case drawSVG
    }

    /// How hard to look for codes.
    package enum Depth: String, Sendable {
        /// One or two fast passes.
        case quick
        /// All passes, until a credential or a part of one is found.
        case thorough
        /// All passes, until all parts of the credentials are found. It is for a card whose other parts are missing.
        case exhaustive
    }

    /// How large to draw the pages of a PDF.
    package enum PageSize: Sendable, Equatable {
        /// In pixels per inch.
        case resolution(Int)
        /// With this number of pixels on the longer side.
        case longerSide(Int)
    }

    package let task: Task
    /// The picture or document.
    package let content: [UInt8]

    package init(_ task: Task, content: [UInt8]) {
        self.task = task
        self.content = content
    }

    /// The first word of a request. It has the version of the protocol.
    private static let version = "shcverify-scan/1"

    /// The length that a request's line cannot exceed.
    private static let longestLine = 100

    /// The length that a request cannot exceed, in bytes: a document of 32 MiB, or drawn pages of 50 megapixels, and the line.
    package static let longestWireForm = 50_000_000 + 1000
    /// The size of the square into which an SVG is drawn, in pixels.
    package static let drawnSVGSize = 1600
    /// The exit code of `shcverify-scan` if it cannot limit itself, or cannot start a program. Its output says why.
    package static let installationFault: Int32 = 70

    /// The bytes that `shcverify-scan` reads.
    package var wireForm: [UInt8] {
        let words: [String] =
            switch task {
            case .codes(let depth, let first, let count): ["codes", depth.rawValue, "\(first)", "\(count)"]
            case .drawPages(let first, let last, .resolution(let value)):
                ["draw-pages", "\(first)", "\(last)", "resolution", "\(value)"]
            case .drawPages(let first, let last, .longerSide(let value)):
                ["draw-pages", "\(first)", "\(last)", "longer-side", "\(value)"]
            case .describePDF(let pages): ["describe-pdf", "\(pages)"]
            case .attachments(let most, let mostBytes): ["attachments", "\(most)", "\(mostBytes)"]
            case .drawSVG: ["draw-svg"]
            }
        return Array(([Self.version] + words).joined(separator: " ").utf8) + [0x0A] + content
    }

    /// Reads a request; nil if it is not one.
    package init?(wireForm: [UInt8]) {
        guard let end = wireForm.prefix(Self.longestLine).firstIndex(of: 0x0A),
            let task = Self.task(wireForm[..<end].split(separator: 0x20, omittingEmptySubsequences: false))
        else { return nil }
        self.init(task, content: Array(wireForm[(end + 1)...]))
    }

    private static func task(_ words: [ArraySlice<UInt8>]) -> Task? {
        let words = words.map { String(decoding: $0, as: UTF8.self) }
        guard words.count >= 2, words[0] == version else { return nil }
        let arguments = words.dropFirst(2)
        let numbers = arguments.map { Int($0).flatMap { (0...100_000_000).contains($0) ? $0 : nil } }
        switch (words[1], numbers.count) {
        case ("codes", 3):
            guard let depth = Depth(rawValue: words[2]), let first = numbers[1], let count = numbers[2] else {
                return nil
            }
            return .codes(depth, firstPage: first, pageCount: count)
        case ("draw-pages", 4):
            guard let first = numbers[0], let last = numbers[1], let size = numbers[3] else { return nil }
            switch words[4] {
            case "resolution": return .drawPages(first: first, last: last, .resolution(size))
            case "longer-side": return .drawPages(first: first, last: last, .longerSide(size))
            default: return nil
            }
        case ("describe-pdf", 1): return numbers[0].map { .describePDF(pages: $0) }
        case ("attachments", 2):
            guard let most = numbers[0], let mostBytes = numbers[1] else { return nil }
            return .attachments(most: most, mostBytes: mostBytes)
        case ("draw-svg", 0): return .drawSVG
        default: return nil
        }
    }
}
