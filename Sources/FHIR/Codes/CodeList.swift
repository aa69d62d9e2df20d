public import Encodings

/// A list of codes with their names, as its publisher gives it.
///
/// A list is one of these forms. The content decides which, not the name of the file.
///
/// - A FHIR ValueSet or CodeSystem (R4 §4.9, §4.8), as JSON. A ValueSet gives the codes that `compose.include` and
///   `expansion.contains` list one by one, without those of `compose.exclude`. If it includes or filters a whole code system,
///   expand it first. With an expansion, only that counts. A CodeSystem gives its concepts at all levels. The concepts of a
///   supplement belong to the code system that it supplements.
/// - A value set of the EU (`valueSetId`, `valueSetDate`, `valueSetValues`), as JSON. It gives all its codes, deprecated ones too.
/// - One of CDC's tables: `cvx.txt`, `TRADENAME.txt`, `mvx.txt` or `VG.txt`. Fields are separated by `|` and padded with spaces.
///   Lines end with CR, LF or CRLF.
public struct CodeList: Sendable {
    /// The forms of lists.
    public enum Form: String, Sendable, CaseIterable {
        /// CDC's vaccine codes, `cvx.txt`.
        case cvx
        /// CDC's trade names of vaccines with their makers, `TRADENAME.txt`.
        case tradeNames = "trade-names"
        /// CDC's makers of vaccines, `mvx.txt`.
        case mvx
        /// CDC's groups of vaccines, `VG.txt`.
        case vaccineGroups = "vaccine-groups"
        /// A FHIR ValueSet.
        case valueSet = "value-set"
        /// A FHIR CodeSystem.
        case codeSystem = "code-system"
        /// A value set of the EU.
        case euValueSet = "eu-value-set"
    }

    /// A code and what the list says of it.
    public struct Entry: Sendable, Hashable {
        /// The code, with the code system that the list gives it.
        public let code: Code
        /// The list's name for the code, or nil if it has none. In a list of trade names, one of several names of a vaccine.
        public let display: UTF8Text?
        /// The group in which CDC counts the vaccine; nil if the list has no groups, or several for this vaccine.
        public let group: UTF8Text?
        /// The diseases that the list puts the code with.
        private(set) var diseases: Set<TargetDisease>
        /// Whether a condition with the code is COVID-19: the user says it of all codes of the list.
        private(set) var isInfection = false
        /// Whether the list says what the code is about: it puts it with a disease or a group.
        private(set) var isTelling: Bool
        /// Whether the list says at least whether the code is about COVID-19. CDC's name of a vaccine does.
        let isTellingOfCOVID19: Bool

        /// Whether the list puts this code with COVID-19.
        public var isOfCOVID19: Bool { diseases.contains(.covid19) }

        /// - Parameters:
        ///   - code: the code.
        ///   - display: the name to show.
        ///   - group: the group to count the vaccine in.
        ///   - names: all names of the code in the list.
        ///   - groups: all groups of the code in the list.
        init(_ code: Code, display: UTF8Text?, group: UTF8Text? = nil, names: [UTF8Text], groups: [UTF8Text] = []) {
            self.code = code
            self.display = display
            self.group = group
            let isNamed = code.system == Code.cvx && !names.isEmpty
            diseases = Set(TargetDisease.allCases.filter { disease in groups.contains { disease.isGroup($0) } })
            // In CVX the name says so, and nothing else counts.
            if isNamed, names.contains(where: { $0.holdsNameOfCOVID19 }) { diseases.insert(.covid19) }
            isTelling = !groups.isEmpty || !diseases.isEmpty
            isTellingOfCOVID19 = isTelling || isNamed
        }

        /// Takes the user's word for what the code is about. Then its name does not count.
        fileprivate mutating func take(_ disease: TargetDisease) {
            diseases = [disease]
            isInfection = disease == .covid19
            isTelling = true
        }
    }

    /// The largest list that is accepted, in bytes.
    public static let maximumSize = 16 << 20
    /// The most codes that are accepted.
    public static let maximumCount = 100_000
    /// The longest name that is accepted, in Unicode scalars.
    public static let maximumNameLength = 300
    /// The longest `url` or `valueSetId` that is accepted, in bytes.
    public static let maximumIDSize = 2000
    /// The longest code that is accepted, in bytes.
    public static let maximumCodeSize = 64

    /// The form of the list.
    public let form: Form
    /// What tells this list from others: the form of a table of CDC, or the `url` or `valueSetId`. Nil if a list of FHIR has no
    /// `url`. Of two lists with one ID, one is an edition of the other.
    public let id: UTF8Text?
    /// The list's name for people: its title, or else its ID.
    public let name: UTF8Text
    /// The date of the list (`YYYY-MM-DD`), or nil if it has none. That of a table of CDC is its newest date of change.
    public let date: String?
    /// The codes, in the order of the list.
    public private(set) var entries: [Entry]
    /// What is odd about the file, in plain words, each with the number of lines or codes. The list can be used all the same.
    public let notes: [String]
}

extension CodeList {
    /// Reads a list of any form.
    ///
    /// - Parameters:
    ///   - bytes: the file, at most `maximumSize` bytes; JSON nested no deeper than `JSONDocument.defaultMaximumDepth`.
    ///   - disease: what all its codes are about; nil if they are about this and that.
    /// - Throws: `Malformed` if a part of the file is not understood.
    public init(_ bytes: [UInt8], about disease: TargetDisease? = nil) throws(Malformed) {
        guard bytes.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let first = bytes[start...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        switch first {
        case nil: throw .empty
        case UInt8(ascii: "{"), UInt8(ascii: "["): try self.init(fhirJSON: bytes)
        case UInt8(ascii: "<"): throw Malformed("it is a page in HTML or XML, not a list of codes")
        default:
            guard !bytes.prefix(1024).contains(0) else {
                throw Malformed("it is not text in UTF-8; UTF-16 is not read")
            }
            var reader = CDCTableReader()
            try reader.read(bytes[start...])
            self = try reader.list()
        }
        guard let disease else { return }
        guard [.valueSet, .codeSystem].contains(form) else {
            throw Malformed(
                "it tells itself what its codes are about, or they are about none: leave \"\(disease.rawValue)=\" out")
        }
        // A maker is about no disease.
        for index in entries.indices where entries[index].code.system != Code.mvx { entries[index].take(disease) }
    }

    /// Reads a list of FHIR or of the EU.
    ///
    /// - Parameter fhirJSON: the JSON of the resource or of the EU's value set, at most `maximumSize` bytes, nested no
    ///   deeper than `JSONDocument.defaultMaximumDepth`.
    /// - Throws: `Malformed` if the text is not such a list.
    public init(fhirJSON: [UInt8]) throws(Malformed) {
        guard fhirJSON.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
        let list: JSONValue
        do throws(JSONError) {
            list = try JSONDocument.parse(fhirJSON)
        } catch {
            throw Malformed("it is not acceptable JSON: \(error)")
        }
        var reader = CodeListReader()
        let type = list.text("resourceType")
        switch type {
        case "ValueSet":
            form = .valueSet
            try reader.readValueSet(list)
        case "CodeSystem":
            form = .codeSystem
            try reader.readCodeSystem(list)
        case nil where list["valueSetValues"] != nil:
            form = .euValueSet
            try reader.readEUValueSet(list)
        case let type?: throw Malformed("it is a \(type.quoted(upTo: 40)), not a ValueSet or a CodeSystem")
        case nil: throw Malformed("it is not a FHIR ValueSet or CodeSystem, nor a value set of the EU")
        }
        let entries = reader.entries
        guard !entries.isEmpty else {
            throw Malformed(
                type == "ValueSet"
                    ? "it lists no codes one by one; expand a ValueSet that includes whole code systems first"
                    : "it lists no codes")
        }
        self.entries = entries
        let id = list.text("url") ?? list.text("valueSetId")
        guard id?.utf8.count ?? 0 <= Self.maximumIDSize else { throw .idTooLong(limit: Self.maximumIDSize) }
        self.id = id.map(Self.plain)
        let title = list.text("title") ?? list.text("name") ?? id ?? list.text("id") ?? "a list without a name"
        name = title.unicodeScalars.count <= Self.maximumNameLength ? Self.plain(title) : "a list with a long name"
        var notes = reader.notes
        var date: String?
        for element in ["date", "valueSetDate"] where date == nil {
            guard let value = list.optional(element) else { continue }
            date = value.string.flatMap { CodeListDate.firstDay($0) }
            if date == nil {
                let text = value.string.map { " " + $0.quoted(upTo: 40) } ?? ""
                notes.append("its `\(element)`\(text) is not a date, and is not used")
            }
        }
        self.date = date ?? list.text("version").flatMap { CodeListDate.firstDay($0) }
        self.notes = notes
    }

    /// A text without control characters, each of which becomes a space.
    static func plain(_ text: UTF8Text) -> UTF8Text {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text.unicodeScalars.map { isControl($0) ? " " : $0 })
        return UTF8Text(String(scalars))
    }

    /// C0, DEL and C1, and the ends of lines and paragraphs.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
    }
}

extension Sequence {
    /// What has the latest date first (`YYYY-MM-DD`; empty for none). What has the same date stays in its order.
    func newestFirst(by date: (Element) -> String) -> [Element] {
        enumerated().map { (offset: $0, date: date($1), element: $1) }.sorted { left, right in
            left.date == right.date
                ? left.offset < right.offset : right.date.utf8.lexicographicallyPrecedes(left.date.utf8)
        }.map(\.element)
    }
}

/// The dates of lists.
enum CodeListDate {
    /// The first day of a date of FHIR, which may be a year, a month, a day or a time, or the day in `20250903`. Nil for other text.
    static func firstDay(_ text: UTF8Text) -> String? {
        if text.utf8.count == 8, let day = day(text.utf8) { return day }
        guard let date = FHIRDate(text), (1900...9999).contains(date.year) else { return nil }
        return day("\(date.year)-\(padded(date.month ?? 1))-\(padded(date.day ?? 1))".utf8)
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The day in a date: `2025-09-03` with or without a time, `20250903`, or CDC's `2025/09/03`. Nil for other text, and for a day
    /// that does not exist.
    static func day(_ text: some Collection<UInt8>) -> String? {
        let text = Array(text)
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        let fields: [ArraySlice<UInt8>]
        switch text.count {
        case 8 where text.allSatisfy(isDigit): fields = [text[..<4], text[4..<6], text[6...]]
        case 10...:
            guard text[4] == text[7], [UInt8(ascii: "-"), UInt8(ascii: "/")].contains(text[4]) else { return nil }
            guard text.count == 10 || text[10] == UInt8(ascii: "T") else { return nil }
            fields = [text[..<4], text[5..<7], text[8..<10]]
        default: return nil
        }
        guard fields.allSatisfy({ $0.allSatisfy(isDigit) }) else { return nil }
        let numbers = fields.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 3, CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2]) != nil else {
            return nil
        }
        return fields.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    }
}

/// What is often wrong with a list of codes. Text from the file is quoted and shortened.
extension Malformed {
    package static func tooLarge(limit: Int) -> Malformed { Malformed("it is larger than \(limit >> 20) MiB") }

    package static func idTooLong(limit: Int) -> Malformed {
        Malformed("its `url` or `valueSetId` is longer than \(limit) bytes")
    }

    package static func tooManyCodes(limit: Int) -> Malformed { Malformed("it lists more than \(limit) codes") }

    package static func nameTooLong(code: UTF8Text, limit: Int) -> Malformed {
        Malformed("the name of the code \(code.quoted(upTo: 40)) is longer than \(limit) characters")
    }

    /// A part of a list is not understood.
    static func notUnderstood(_ problem: String) -> Malformed {
        Malformed("it is not understood as a whole: \(problem)")
    }

    /// A line of a table does not fit the others.
    static func badLine(_ number: Int, _ problem: String) -> Malformed { Malformed("line \(number): \(problem)") }

    static let empty = Malformed("the file is empty")

    static let notATable = Malformed(
        "it is not a list of codes: neither JSON nor one of CDC's tables, whose fields are separated by |")
}
