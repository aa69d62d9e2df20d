public import JSON

/// The codes of a FHIR ValueSet or CodeSystem (R4 §4.9, §4.8), with what it calls them.
///
/// Of a ValueSet: the codes that `compose.include` and `expansion.contains` list one by one, without those of
/// `compose.exclude`; one that includes a whole code system, or a filter of it, has to be expanded first. Of a
/// CodeSystem: its concepts, however deep; of a supplement, the concepts of what it supplements.
public struct CodeList: Sendable {
    /// A code, and what the list calls it; nil if it does not say.
    public struct Entry: Sendable, Hashable {
        public let code: Code
        public let display: UTF8Text?
    }

    /// Bytes of a list's JSON that are accepted.
    public static let maximumSize = 8 << 20
    /// Codes of a list that are accepted.
    public static let maximumCount = 100_000
    /// Bytes of a name that are accepted.
    public static let maximumNameSize = 4096

    /// The codes, in the order of the list.
    public let entries: [Entry]
    /// Whether the list says of itself that it is one of COVID-19: its `url`, `name` or `title` holds `covid` or
    /// `sars-cov-2`, however it is written, and not `non`, `not`, `except`, `excluding`, `without` or `other than`
    /// right before that. All of its codes are then (CLI.md, "Filters").
    public let isOfCOVID19: Bool

    /// Reads a list.
    ///
    /// - Parameter fhirJSON: the resource's JSON, of `maximumSize` bytes at most, nested no deeper than
    ///   `JSONDocument.defaultMaximumDepth`.
    /// - Throws: `CodeListError`.
    public init(fhirJSON: [UInt8]) throws(CodeListError) {
        guard fhirJSON.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
        let list: JSONValue
        do throws(JSONError) {
            list = try JSONDocument.parse(fhirJSON)
        } catch {
            throw .notJSON(error)
        }
        var reader = CodeListReader()
        switch list.text("resourceType") {
        case "ValueSet": try reader.readValueSet(list)
        case "CodeSystem": try reader.readCodeSystem(list)
        case let other: throw .notAList(resourceType: other)
        }
        guard !reader.entries.isEmpty else { throw .noCodes }
        entries = reader.entries
        isOfCOVID19 = ["url", "name", "title"].contains { list.text($0).map(Self.saysCOVID19) == true }
    }

    private static func saysCOVID19(_ words: UTF8Text) -> Bool {
        // Letters and digits of ASCII, and whatever is not ASCII.
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
