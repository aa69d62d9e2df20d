import Credentials
import Directories
import Encodings
import HealthCertificates
import Inputs
import SMARTHealthCards

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
    /// Whether it is inside a picture, a document or a SMART Health Link, and so has no name of its own.
    let isInside: Bool
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
    /// The numbers of parts that were given, but cannot be decoded.
    var undecoded: Set<Int> = []

    /// The JWS if the parts are those of a card, but numbered in another order, as far as that order is likely; nil if they are not.
    var reordered: [UInt8]? {
        guard card.count <= 8, card.conflicts.isEmpty, let jws = card.jws, !QRCodeText.isCard(jws) else { return nil }
        let parts = (1...card.count).compactMap { card.parts[$0] }
        let orders: [[[UInt8]]] = [parts.reversed()] + parts.indices.map { Array(parts[$0...] + parts[..<$0]) }
        return orders.map { Array($0.joined()) }.first(where: QRCodeText.isCard)
    }
}

extension DeepLink {
    /// The JSON of the card file, or why a strict reader cannot read it: one that does not decode a fragment that begins with a
    /// brace.
    var lintedFile: Result<JSONValue, Defect>? { partialEncoding.map { .failure($0) } ?? file }
}

/// A directory of issuers: a list, or a snapshot with keys.
struct DirectorySubject: Sendable {
    let document: Document
    let value: JSONValue
    let policy: LintPolicy

    /// Whether the directory is a snapshot, which has keys.
    var isSnapshot: Bool { value["participating_issuers"] == nil && value["issuerInfo"] != nil }

    /// The elements of a snapshot: issuers with what they had published.
    var infos: [JSONValue] { isSnapshot ? value["issuerInfo"]?.elements.map { Array($0) } ?? [] : [] }

    /// The entries for issuers, in a list or a snapshot.
    var entries: [JSONValue] {
        isSnapshot
            ? infos.compactMap { $0["issuer"] } : value["participating_issuers"]?.elements.map { Array($0) } ?? []
    }
}

/// A card revocation list.
struct RevocationListSubject: Sendable {
    let document: Document
    /// The JSON, which should be a revocation list.
    let value: JSONValue
    let policy: LintPolicy

    /// A list of the key that a card names, wherever it came from.
    static func ofKey(_ list: RevocationList, of card: CardSubject) -> RevocationListSubject {
        let document = Document(source: card.document.source, layer: .crl, text: list.json.text, root: list.json.root)
        return RevocationListSubject(document: document, value: list.json, policy: card.policy)
    }

    /// Whether the list names cards by a hash of their Bundle, as in a draft.
    var isOfHashes: Bool { value["method"]?.isString("hash-fhir") == true }

    /// The violations that a rule finds in the entries that are strings, up to the limit.
    func problems(inEntries find: (_ entry: RevocationListEntry, _ value: JSONValue) -> Problem?) -> [Problem] {
        guard let elements = value["rids"]?.elements else { return [] }
        var problems: [Problem] = []
        for element in elements {
            guard let entry = RevocationListEntry(element), let problem = find(entry, element) else { continue }
            problems.append(problem)
            if problems.count == Bounds.problems { break }
        }
        return problems
    }
}

/// An entry of a revocation list, `rid` or `rid.timestamp`, split at the first dot.
struct RevocationListEntry {
    let revocationID: ArraySlice<UInt8>
    /// The text after the dot; nil if there is no dot.
    let timestamp: ArraySlice<UInt8>?

    /// Nil if the value is not a string.
    init?(_ value: JSONValue) {
        // A list may have a million entries, of which few are written with escapes.
        guard let text = value.plainStringBytes ?? value.stringBytes.map({ $0[...] }) else { return nil }
        let dot = text.firstIndex(of: UInt8(ascii: ".")) ?? text.endIndex
        revocationID = text[..<dot]
        timestamp = dot < text.endIndex ? text[(dot + 1)...] : nil
    }

    /// The time; nil if there is none, or it cannot be read.
    var moment: NumericDate? {
        guard let timestamp, isTimestamp else { return nil }
        return NumericDate(sinceEpoch: .seconds(timestamp.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }))
    }

    /// Whether the text after the dot is digits, and not too many for a time.
    var isTimestamp: Bool {
        guard let timestamp else { return false }
        return (1...15).contains(timestamp.count) && timestamp.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// WHO's list of signers, with what is known of its proof.
struct TrustListSubject: Sendable {
    let document: Document
    let value: JSONValue
    let policy: LintPolicy
    /// What the table of the proof says about the list.
    let reader: ListReader
    /// What is known of the proof.
    let outcome: ListProof.Outcome

    init(document: Document, value: JSONValue, policy: LintPolicy) {
        self.document = document
        self.value = value
        self.policy = policy
        reader = ListReader(value)
        outcome = ListProof(of: value).outcome(by: policy.listKeys)
    }

    /// The violations of a kind.
    func problems(_ kind: ListProblem.Kind) -> [Problem] {
        reader.problems.filter { $0.kind == kind }.prefix(Bounds.problems).map { problem in
            let subject = problem.path.isEmpty ? "the list" : "`\(problem.path)`"
            return Problem("\(subject) \(problem.words)", at: place(problem.path))
        }
    }

    /// The value at a path such as `verificationMethod[3].domain`, or the nearest one around it.
    func place(_ path: String) -> JSONValue {
        var here = value
        for step in path.utf8.split(whereSeparator: {
            [UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]")].contains($0)
        }) {
            let name = String(decoding: Array(step), as: UTF8.self)
            if let index = Int(name), let elements = here.elements {
                guard let element = elements.enumerated().first(where: { $0.offset == index })?.element else { break }
                here = element
            } else if let member = here[name] {
                here = member
            } else {
                break
            }
        }
        return here
    }

    /// The entries with a key.
    var entries: [ListedKey] {
        value["verificationMethod"]?.elements?.compactMap { entry in
            guard entry.kind == .object, let jwk = entry["publicKeyJwk"], jwk.kind == .object else { return nil }
            return ListedKey(value: entry, jwk: jwk)
        } ?? []
    }

    /// What a check finds in each entry.
    func problems(ofEntries find: (ListedKey) -> Problem?) -> [Problem] {
        var problems: [Problem] = []
        for entry in entries where problems.count < Bounds.problems {
            if let problem = find(entry) { problems.append(problem) }
        }
        return problems
    }
}
