public import ScanProtocol

/// The texts that were found in a picture or a PDF. They are not trusted: each is an input itself.
public struct ScannedDocument: Sendable {
    /// `picture` or `pdf`.
    public let form: InputForm
    /// The QR codes that were read, page by page.
    public var codes: [ScannedCode]
    /// The contents of a PDF's attachments.
    public var attachments: [[UInt8]]
    /// The number of QR codes that were seen, but could not be read.
    public var unreadCodes: Int
    /// Whether a part was damaged or was not searched, so that there may be more codes.
    public var isPartial = false
    /// The limit of time at which the search was stopped; nil if it was not.
    public private(set) var stoppedAfter: Duration?
    /// What is known about cards that may be missing, in plain words, each once. With a problem the document does not pass.
    public private(set) var problems: [String]

    /// Creates a document.
    public init(
        form: InputForm, codes: [ScannedCode] = [], attachments: [[UInt8]] = [], unreadCodes: Int = 0,
        problem: String? = nil
    ) {
        self.form = form
        self.codes = codes
        self.attachments = attachments
        self.unreadCodes = unreadCodes
        problems = problem.map { [$0] } ?? []
    }

    /// Notes that the search was stopped at a limit of time, so that there may be more codes.
    public mutating func stop(after limit: Duration) {
        isPartial = true
        stoppedAfter = limit
    }

    /// Adds what was found in a document that is attached to this one.
    public mutating func add(_ attached: ScannedDocument) {
        codes += attached.codes
        attachments += attached.attachments
        unreadCodes += attached.unreadCodes
        isPartial = isPartial || attached.isPartial
        stoppedAfter = stoppedAfter ?? attached.stoppedAfter
        for problem in attached.problems { note(problem: problem) }
    }

    /// Notes that cards may be missing.
    public mutating func note(problem: String) {
        if !problems.contains(problem) { problems.append(problem) }
    }
}

/// A QR code that was read from a picture.
public struct ScannedCode: Sendable {
    /// The text of the code.
    public let text: [UInt8]
    /// The place of the code.
    public let place: CodePlace
    /// The properties of the QR symbol; nil if the decoder does not tell them.
    public let symbol: QRSymbol?

    /// Creates a code.
    public init(text: [UInt8], place: CodePlace, symbol: QRSymbol? = nil) {
        self.text = text
        self.place = place
        self.symbol = symbol
    }
}

/// The place of a QR code in a picture or a PDF.
public struct CodePlace: Sendable, Equatable {
    /// The name of the picture or PDF.
    public let source: String
    /// The number of the page, from 1. A picture without pages is page 1. A frame of an animation is a page.
    public let page: Int
    /// The width of the page in pixels. A page of a PDF is measured as it was drawn.
    public let width: Int
    /// The height of the page in pixels.
    public let height: Int
    /// The corners of the code in pixels from the top left: top left, top right, bottom right and bottom left, as the code is
    /// read.
    public let corners: [PixelPoint]

    /// Creates a place.
    public init(source: String, page: Int, width: Int, height: Int, corners: [PixelPoint]) {
        self.source = source
        self.page = page
        self.width = width
        self.height = height
        self.corners = corners
    }
}
