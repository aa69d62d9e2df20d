package import Encodings

/// The texts that were found in a picture or a PDF. They are not trusted: each is an input itself.
package struct ScannedDocument: Sendable {
    /// `picture` or `pdf`.
    package let form: InputForm
    /// The QR codes that were read, page by page.
    package var codes: [ScannedCode]
    /// The contents of a PDF's attachments.
    package var attachments: [[UInt8]]
    /// The number of QR codes that were seen, but could not be read.
    package var unreadCodes: Int
    /// Whether the picture or PDF stood in a data URL.
    package var isOfDataURL = false
    /// Whether a part was damaged or was not searched, so that there may be more codes.
    package var isPartial = false
    /// Whether a part of a code lies outside a picture or page.
    package var isCutOff = false
    /// The limit of time at which the search was stopped; nil if it was not.
    package private(set) var stoppedAfter: Duration?
    /// What is known about cards that may be missing, in plain words, each once. With a problem the document does not pass.
    package private(set) var problems: [String]

    /// Creates a document.
    package init(
        form: InputForm, codes: [ScannedCode] = [], attachments: [[UInt8]] = [], unreadCodes: Int = 0,
        problem: String? = nil
    ) {
        self.form = form
        self.codes = codes
        self.attachments = attachments
        self.unreadCodes = unreadCodes
        problems = problem.map { [$0] } ?? []
    }

    /// The bytes of its codes and attachments.
    package var size: Int { (codes.map(\.text) + attachments).reduce(0) { $0 + $1.count } }

    /// Notes that the search was stopped at a limit of time, so that there may be more codes.
    package mutating func stop(after limit: Duration) {
        isPartial = true
        stoppedAfter = limit
    }

    /// Adds what was found in a document that is attached to this one.
    package mutating func add(_ attached: ScannedDocument) {
        codes += attached.codes
        attachments += attached.attachments
        unreadCodes += attached.unreadCodes
        isPartial = isPartial || attached.isPartial
        isCutOff = isCutOff || attached.isCutOff
        stoppedAfter = stoppedAfter ?? attached.stoppedAfter
        for problem in attached.problems { note(problem: problem) }
    }

    /// Notes that cards may be missing.
    package mutating func note(problem: String) {
        if !problems.contains(problem) { problems.append(problem) }
    }
}

/// A QR code that was read from a picture.
package struct ScannedCode: Sendable {
    /// The text of the code.
    package let text: [UInt8]
    /// The place of the code.
    package let place: CodePlace
    /// The properties of the QR symbol; nil if the decoder does not tell them.
    package let symbol: QRSymbol?

    /// Creates a code.
    package init(text: [UInt8], place: CodePlace, symbol: QRSymbol? = nil) {
        self.text = text
        self.place = place
        self.symbol = symbol
    }
}

/// The place of a QR code in a picture or a PDF.
package struct CodePlace: Sendable, Equatable {
    /// The name of the picture or PDF.
    package let source: String
    /// The number of the page, from 1. A picture without pages is page 1. A frame of an animation is a page.
    package let page: Int
    /// The width of the page in pixels. A page of a PDF is measured as it was drawn.
    package let width: Int
    /// The height of the page in pixels.
    package let height: Int
    /// The corners of the code in pixels from the top left: top left, top right, bottom right and bottom left, as the code is
    /// read.
    package let corners: [PixelPoint]

    /// Creates a place.
    package init(source: String, page: Int, width: Int, height: Int, corners: [PixelPoint]) {
        self.source = source
        self.page = page
        self.width = width
        self.height = height
        self.corners = corners
    }
}
