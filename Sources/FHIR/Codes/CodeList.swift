public import JSON

/// The codes of a FHIR ValueSet or CodeSystem (R4 §4.9, §4.8), or of a value set of the EU, with their names.
///
/// A ValueSet gives the codes that `compose.include` and `expansion.contains` list one by one, without those of
/// `compose.exclude`. If a ValueSet includes or filters a whole code system, expand it first. A CodeSystem gives its
/// concepts at all levels. The concepts of a supplement belong to the code system that it supplements. A value set of
/// the EU (`valueSetId`, `valueSetDate`, `valueSetValues`) gives its codes that name a code system, deprecated ones
/// too.
public struct CodeList: Sendable {
    /// A code and its name.
    public struct Entry: Sendable, Hashable {
        /// The code, with the code system that the list gives it.
        public let code: Code
        /// The list's name for the code, or nil if it has none.
        public let display: UTF8Text?
    }

    /// The largest JSON text that is accepted, in bytes.
    public static let maximumSize = 8 << 20
    /// The most codes that are accepted.
    public static let maximumCount = 100_000
    /// The longest name that is accepted, in bytes.
    public static let maximumNameSize = 4096

    /// The codes, in the order of the list.
    public let entries: [Entry]
    /// Whether the list, and so each of its codes, is about COVID-19. It is if its `url`, `name` or `title` contains
    /// `covid` or `sars-cov-2`, in any case and with any punctuation. The words `non`, `not`, `except`, `excluding`,
    /// `without` or `other than` must not come directly before it. A value set of the EU never is: the codes for
    /// results in such sets are not only for tests for COVID-19.
    public let isOfCOVID19: Bool

    /// Reads a list.
    ///
    /// - Parameter fhirJSON: the JSON of the resource or of the EU's value set, at most `maximumSize` bytes, nested no
    ///   deeper than `JSONDocument.defaultMaximumDepth`.
    /// - Throws: `CodeListError` if the text is not such a list.
    public init(fhirJSON: [UInt8]) throws(CodeListError) {
        guard fhirJSON.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
        let list: JSONValue
        do throws(JSONError) {
            list = try JSONDocument.parse(fhirJSON)
        } catch {
            throw .notJSON(error)
        }
        var reader = CodeListReader()
        let type = list.text("resourceType")
        switch type {
        case "ValueSet": try reader.readValueSet(list)
        case "CodeSystem": try reader.readCodeSystem(list)
        case nil where list["valueSetValues"] != nil: try reader.readEUValueSet(list)
        default: throw .notAList(resourceType: type)
        }
        guard !reader.entries.isEmpty else { throw .noCodes }
        entries = reader.entries
        isOfCOVID19 = type != nil && ["url", "name", "title"].contains { list.text($0).map(Self.saysCOVID19) == true }
    }

    private static func saysCOVID19(_ words: UTF8Text) -> Bool {
        // ASCII letters and digits, and everything outside ASCII.
        let letters = words.asciiLowercased.utf8.filter { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
        }
        for word in ["covid", "sarscov2"] where letters.contains(Array(word.utf8)) {
            return !["non", "not", "except", "excluding", "without", "otherthan"].contains {
                letters.contains(Array(($0 + word).utf8))
            }
        }
        return false
    }
}

/// Reads the codes of a ValueSet, a CodeSystem, or a value set of the EU.
struct CodeListReader {
    private(set) var entries: [CodeList.Entry] = []

    mutating func readValueSet(_ list: JSONValue) throws(CodeListError) {
        if let compose = list["compose"] {
            for include in compose.all("include") {
                // Only the codes in `concept` are in the file. Those of filters and of other ValueSets are not.
                guard let system = include.text("system") else { continue }
                for concept in include.all("concept") { try add(concept, system: system) }
            }
        }
        if let expansion = list["expansion"] { try readContains(of: expansion) }
        guard let excluded = list["compose"]?.all("exclude") else { return }
        var outside: Set<Code> = []
        for exclude in excluded {
            guard let system = exclude.text("system") else { continue }
            for concept in exclude.all("concept") {
                if let code = concept.text("code") { outside.insert(Code(system: system, code: code).canonical) }
            }
        }
        if !outside.isEmpty { entries.removeAll { outside.contains($0.code.canonical) } }
    }

    mutating func readCodeSystem(_ list: JSONValue) throws(CodeListError) {
        let url = list.text("content") == "supplement" ? list.text("supplements") : list.text("url")
        // A version may follow, after a bar.
        guard let system = url?.utf8.prefix(while: { $0 != UInt8(ascii: "|") }), !system.isEmpty else {
            throw .noSystem
        }
        try readConcepts(of: list, system: UTF8Text(decoding: system))
    }

    /// Reads a value set of the EU. The names of the members of `valueSetValues` are the codes.
    mutating func readEUValueSet(_ list: JSONValue) throws(CodeListError) {
        guard let values = list["valueSetValues"]?.members else { return }
        for (code, value) in values where !code.isEmpty {
            guard let system = value.text("system") else { continue }
            try add(code, display: value.text("display"), system: system)
        }
    }

    /// Reads concepts and the concepts below them. The parser's limit on nesting also limits this recursion.
    private mutating func readConcepts(of parent: JSONValue, system: UTF8Text) throws(CodeListError) {
        for concept in parent.all("concept") {
            try add(concept, system: system)
            try readConcepts(of: concept, system: system)
        }
    }

    /// Reads the codes of an expansion. Each names its own system.
    private mutating func readContains(of parent: JSONValue) throws(CodeListError) {
        for concept in parent.all("contains") {
            if let system = concept.text("system") { try add(concept, system: system) }
            try readContains(of: concept)
        }
    }

    private mutating func add(_ concept: JSONValue, system: UTF8Text) throws(CodeListError) {
        // An abstract entry of an expansion has no code.
        guard let code = concept.text("code") else { return }
        let display = concept.text("display") ?? concept.all("designation").lazy.compactMap { $0.text("value") }.first
        try add(code, display: display, system: system)
    }

    private mutating func add(_ code: UTF8Text, display: UTF8Text?, system: UTF8Text) throws(CodeListError) {
        guard entries.count < CodeList.maximumCount else { throw .tooManyCodes(limit: CodeList.maximumCount) }
        guard display?.utf8.count ?? 0 <= CodeList.maximumNameSize else {
            throw .nameTooLong(code: code, limit: CodeList.maximumNameSize)
        }
        entries.append(CodeList.Entry(code: Code(system: system, code: code), display: display))
    }
}

/// Why a file cannot be used as a list of codes.
public enum CodeListError: Error, Sendable, Equatable {
    /// It has more bytes than this limit.
    case tooLarge(limit: Int)
    /// It is not JSON, or is nested too deeply.
    case notJSON(JSONError)
    /// It is another resource, or neither a resource nor a value set of the EU.
    case notAList(resourceType: UTF8Text?)
    /// A CodeSystem has no `url`, or a supplement no `supplements`.
    case noSystem
    /// It lists no codes.
    case noCodes
    /// It lists more codes than this limit.
    case tooManyCodes(limit: Int)
    /// A code's name has more bytes than this limit.
    case nameTooLong(code: UTF8Text, limit: Int)
}

extension CodeListError: CustomStringConvertible {
    /// The error in plain words. Text from the file is quoted and shortened.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "it is larger than \(limit >> 20) MiB"
        case .notJSON(let error): "it is not acceptable JSON: \(error)"
        case .notAList(let resourceType?):
            "it is a \(resourceType.quoted(upTo: 40)), not a ValueSet or a CodeSystem"
        case .notAList(nil): "it is not a FHIR ValueSet or CodeSystem, nor a value set of the EU"
        case .noSystem:
            "the CodeSystem has no `url` (a supplement: no `supplements`), so the code system of its codes is unknown"
        case .noCodes: "it lists no codes one by one; expand a ValueSet that includes whole code systems first"
        case .tooManyCodes(let limit): "it lists more than \(limit) codes"
        case .nameTooLong(let code, let limit):
            "the name of the code \(code.quoted(upTo: 40)) is longer than \(limit) bytes"
        }
    }
}
