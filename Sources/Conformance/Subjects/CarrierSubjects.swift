import Credentials
import Directories
import Encodings
import Inputs

/// An input as a whole, before its content is read.
struct InputSubject: Sendable {
    /// The input. Its text is all of its bytes.
    let document: Document
    /// The form of the input; nil if lint does not know it.
    let kind: InputForm?
    /// The range of the input without the white space and the byte-order marks around its content.
    let content: Range<Int>
    /// Why the input is not acceptable JSON; nil if it is, or need not be JSON.
    let jsonError: JSONError?
    /// The input as JSON; nil if it is none.
    let json: JSONValue?
    /// As what the input could be read, if that is more than one thing; nil if it is not.
    let ambiguity: String?
    /// Whether it is a file of a SMART Health Link.
    let isFromLink: Bool
    /// Whether the user named it as an input. False for files of options and links, and for the answers of servers.
    let isNamed: Bool
    /// The number of lines, if each may be an object with a card; nil for other inputs.
    let cardLines: Int?
}

/// The answer of a server to the request for a card file.
struct ServedCardSubject: Sendable {
    /// The file, named after its URL.
    let document: Document
    let answer: PublishedAnswer

    init(_ answer: PublishedAnswer) {
        self.answer = answer
        document = Document(source: answer.url, layer: .file, text: [])
    }
}

/// A card file or a `Parameters` resource: JSON that contains cards.
struct JSONSubject: Sendable {
    let document: Document
    /// The JSON, which should be an object.
    let value: JSONValue
}

/// A URL whose fragment is a card file.
struct DeepLinkSubject: Sendable {
    let document: Document
    let content: DeepLink

    /// - Parameter document: the URL.
    init(document: Document) {
        self.document = document
        content = DeepLink(document.text[...])
    }
}

/// The text of one QR code.
struct QRCodeSubject: Sendable {
    let document: Document
    let content: QRCodeText

    /// - Parameter document: the text.
    init(document: Document) {
        self.document = document
        content = QRCodeText(document.text[...])
    }
}

/// The QR symbol that carries the text of a code on a picture.
struct QRSymbolSubject: Sendable {
    /// The text of the code.
    let document: Document
    let symbol: QRSymbol

    /// Whether the text is in a byte segment and a numeric segment, as the specification requires.
    var hasTwoSegments: Bool { symbol.segments.map(\.mode) == [.byte, .numeric] }
}

/// The QR codes of one split card, as far as they were given.
struct QRSetSubject: Sendable {
    /// The group of findings to which those of the card belong.
    let section: Int
    /// The first of the codes.
    let document: Document
    var card: SplitCard
}

extension DeepLink {
    /// The JSON of the card file, or why a strict reader cannot read it: one that does not decode a fragment that begins with a
    /// brace.
    var lintedFile: Result<JSONValue, Defect>? { partialEncoding.map { .failure($0) } ?? file }
}
