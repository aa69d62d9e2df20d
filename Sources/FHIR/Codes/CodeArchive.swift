public import Encodings

/// Lists of codes in a compact form, as they are installed: a description of each list, and its codes in rows that are searched
/// as they are. So a large list that is not needed costs nothing but the reading of its bytes.
public struct CodeArchive: Sendable {
    /// One list.
    public struct List: Sendable {
        /// The form that the list had.
        public let form: CodeList.Form
        /// What tells the list from others of its form (`CodeList.id`).
        public let id: UTF8Text
        /// The name of the list for people.
        public let name: UTF8Text
        /// The date of the list (`YYYY-MM-DD`). If the list has none, the day of its installation.
        public let date: String
        /// Whether the list itself has a date.
        public let isDated: Bool
        /// The number of codes.
        public let count: Int
        /// Where the list came from: the name of a file or an address.
        public let origin: UTF8Text
        /// The rows of each code system. Lists have few, so they are searched one by one.
        fileprivate(set) var tables: [Table]

        /// The rows of a code system, which is empty for codes without one.
        struct Table {
            let system: UTF8Text
            let rows: CodeTable
        }

        /// The code systems of the codes.
        public var systems: [UTF8Text] { tables.map(\.system) }

        /// Whether a list is an edition of this one. It has the same form and ID: the table of CDC that is called `cvx` is not a
        /// list of FHIR with the `url` `cvx`.
        public func isEdition(of list: CodeList) -> Bool { form == list.form && id == list.id }

        /// What all editions of the list have in common, and no other list.
        var edition: Edition { Edition(form: form, id: id) }

        /// The form and the ID of a list.
        struct Edition: Hashable {
            let form: CodeList.Form
            let id: UTF8Text
        }

        /// All that the list says of codes, to compare or to digest. Where the list came from is not in it, nor the day of
        /// its installation.
        public var content: [UInt8] {
            var content = Array("\(form.rawValue)\n\(id)\n\(isDated ? date : "")\n".utf8)
            for table in tables {
                content += Array("\(table.system)\n\(table.rows.size)\n".utf8) + table.rows.bytes
            }
            return content
        }
    }

    /// The lists, in the order of their installation.
    public private(set) var lists: [List] = []

    /// An archive without lists.
    public init() {}

    /// The lists in the order in which names are looked for: the newest first.
    public var newestFirst: [List] { lists.newestFirst(by: \.date) }

    /// Adds a list, or replaces the list of its form and ID.
    ///
    /// - Parameters:
    ///   - list: the list. It must have an ID.
    ///   - origin: where it came from.
    ///   - day: the day of the installation (`YYYY-MM-DD`), the date of a list that has none.
    /// - Returns: whether the list was added; false if it has no ID.
    @discardableResult
    public mutating func install(_ list: CodeList, from origin: UTF8Text, on day: String) -> Bool {
        guard let id = list.id else { return false }
        lists.removeAll { $0.isEdition(of: list) }
        lists.append(
            List(
                list, id: id, date: day, origin: CodeList.plain(origin),
                tables: Self.tables(of: list, groups: Self.builtInGroups(of: list))))
        return true
    }

    /// The lists of two archives. Of two editions of one list, the newer.
    public func joined(with other: CodeArchive) -> CodeArchive {
        var joined = self
        var places = Dictionary(zip(lists.map(\.edition), lists.indices)) { first, _ in first }
        for list in other.lists {
            if let own = places[list.edition] {
                if joined.lists[own].date.utf8.lexicographicallyPrecedes(list.date.utf8) { joined.lists[own] = list }
            } else {
                places[list.edition] = joined.lists.count
                joined.lists.append(list)
            }
        }
        return joined
    }

    // MARK: Rows

    private static let separator = "\u{1F}"
    /// In a row's second field, beside the marks of diseases: a condition with the code is COVID-19.
    fileprivate static let infectionMark = UInt8(ascii: "i")
    /// In a row's second field: the list does not tell what the code is about.
    fileprivate static let silenceMark = UInt8(ascii: "?")
    /// After that mark: but it tells whether the code is about COVID-19.
    fileprivate static let nameMark = UInt8(ascii: "n")
    /// In a row's second field: the kind of test that the code stands for.
    fileprivate static let tests: [(mark: UInt8, name: UTF8Text)] = [
        (UInt8(ascii: "m"), "PCR test"), (UInt8(ascii: "a"), "antigen test"), (UInt8(ascii: "b"), "antibody test"),
    ]
    /// In a row's second field: the code is a laboratory result by which the thing tested for is or was present.
    fileprivate static let positiveMark = UInt8(ascii: "+")

    /// The number of trade names that are kept of one vaccine. The real ones have a few, and every look-up reads past a row.
    static let mostTradeNames = 100

    /// The rows of a list: code, mark, group, names.
    ///
    /// - Parameter groups: other names for its groups.
    fileprivate static func tables(of list: CodeList, groups builtIn: [UTF8Text: UTF8Text]) -> [List.Table] {
        var rows: [Code: Row] = [:]
        for entry in list.entries {
            let group = entry.group.map { CodeList.plain(builtIn[$0] ?? $0) }
            // In place: a copy for each of a vaccine's many names would take their square.
            rows[entry.code.canonical, default: Row()].add(entry, in: group, isTradeName: list.form == .tradeNames)
        }
        var bySystem: [UTF8Text: [(code: UTF8Text, row: Row)]] = [:]
        for (code, row) in rows { bySystem[code.system ?? "", default: []].append((code.code, row)) }
        return bySystem.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { system, rows in
            let sorted = rows.sorted { $0.code.utf8.lexicographicallyPrecedes($1.code.utf8) }
            let lines = sorted.map { code, row in
                ([code, row.marks, row.group] + row.names).map(\.description).joined(separator: separator)
            }
            return List.Table(
                system: system,
                rows: CodeTable(Array(lines.joined(separator: "\n").utf8), separator: UInt8(ascii: "\u{1F}")))
        }
    }

    /// The built-in names of a list's groups: that of the first vaccine in the group that has one. So old and new vaccines against
    /// one disease are counted together.
    private static func builtInGroups(of list: CodeList) -> [UTF8Text: UTF8Text] {
        var groups: [UTF8Text: UTF8Text] = [:]
        for entry in list.entries {
            guard let group = entry.group, groups[group] == nil else { continue }
            groups[group] = CodeNames.builtIn.group(of: entry.code)
        }
        return groups
    }

    private struct Row {
        var names: [UTF8Text] = []
        var group: UTF8Text = ""
        private var diseases: Set<TargetDisease> = []
        private var isInfection = false
        private var isTelling = false
        private var isTellingOfCOVID19 = false

        mutating func add(_ entry: CodeList.Entry, in group: UTF8Text?, isTradeName: Bool) {
            // Only a vaccine has several names, which are trade names.
            if names.count < (isTradeName ? mostTradeNames : 1), let display = entry.display.map(CodeList.plain),
                !display.isEmpty, !names.contains(display)
            {
                names.append(display)
            }
            if let group { self.group = group }
            diseases.formUnion(entry.diseases)
            if entry.isInfection { isInfection = true }
            if entry.isTelling { isTelling = true }
            if entry.isTellingOfCOVID19 { isTellingOfCOVID19 = true }
        }

        var marks: UTF8Text {
            var marks = TargetDisease.allCases.filter { diseases.contains($0) }.map(\.mark)
            if isInfection { marks.append(infectionMark) }
            if !isTelling { marks += isTellingOfCOVID19 ? [silenceMark, nameMark] : [silenceMark] }
            return UTF8Text(decoding: marks)
        }
    }
}

extension CodeArchive.List {
    /// A list that a user gives for one run.
    init(given list: CodeList) {
        self.init(list, id: list.id ?? "", date: "", origin: "", tables: CodeArchive.tables(of: list, groups: [:]))
    }

    /// - Parameter date: the date of a list that has none.
    fileprivate init(_ list: CodeList, id: UTF8Text, date: String, origin: UTF8Text, tables: [Table]) {
        self.init(
            form: list.form, id: id, name: list.name, date: list.date ?? date, isDated: list.date != nil,
            count: Set(list.entries.map(\.code.canonical)).count, origin: origin, tables: tables)
    }

    /// What a list says of a code.
    struct Finding {
        /// Marks, group, names.
        private let row: ArraySlice<UInt8>
        private let separator: UInt8

        fileprivate init?(_ row: ArraySlice<UInt8>, separator: UInt8) {
            guard row.contains(separator) else { return nil }
            self.row = row
            self.separator = separator
        }

        private var marks: ArraySlice<UInt8> { row.prefix { $0 != separator } }
        /// The field of a number: 1 is the group, and the names begin at 2.
        private func field(_ number: Int) -> UTF8Text? {
            var start = row.startIndex
            for _ in 0..<number {
                guard let end = row[start...].firstIndex(of: separator) else { return nil }
                start = end + 1
            }
            let field = row[start...].prefix { $0 != separator }
            return field.isEmpty ? nil : UTF8Text(decoding: field)
        }

        /// The group in which the code is counted.
        var group: UTF8Text? { field(1) }
        /// The name of the code; the first if it has several.
        var name: UTF8Text? { field(2) }
        /// All names of the code.
        var names: [UTF8Text] {
            row.split(separator: separator, omittingEmptySubsequences: false).dropFirst(2).map {
                UTF8Text(decoding: $0)
            }
        }

        /// Whether the list says that a condition with the code is COVID-19.
        var isInfection: Bool { marks.contains(CodeArchive.infectionMark) }
        /// The kind of test that the code stands for; nil if the list does not say.
        var test: UTF8Text? { CodeArchive.tests.first { marks.contains($0.mark) }?.name }
        /// Whether the code is a laboratory result by which the thing tested for is or was present.
        var isPositive: Bool { marks.contains(CodeArchive.positiveMark) }

        /// Whether the list puts the code with a disease.
        func isAbout(_ disease: TargetDisease) -> Bool { marks.contains(disease.mark) }

        /// Whether the list says of the code whether it is about a disease.
        func tells(of disease: TargetDisease) -> Bool {
            !marks.contains(CodeArchive.silenceMark)
                || disease == .covid19 && marks.contains(CodeArchive.nameMark)
        }
    }

    /// All codes, system by system.
    var codes: [Code] {
        tables.flatMap { table in table.rows.codes.map { Code(system: table.system, code: $0) } }
    }

    /// What the tables of a list say of a code in its canonical form; nil if they do not have the code.
    static func finding(on code: Code, in tables: ArraySlice<Table>) -> Finding? {
        let system = code.system ?? ""
        // By index, because to copy each table in turn takes longer than to compare.
        for index in tables.indices where tables[index].system == system {
            return tables[index].rows.row(of: code.code.utf8.span).flatMap {
                Finding($0, separator: tables[index].rows.separator)
            }
        }
        return nil
    }

    /// The codes whose rows contain some bytes in any case of the letters A to Z, system by system. Reads the whole list once.
    ///
    /// - Parameters:
    ///   - words: the bytes, in lower case.
    ///   - isOfCOVID19: whether to give all codes that are about COVID-19, too.
    func codes(saying words: [UInt8], orOfCOVID19 isOfCOVID19: Bool) -> [Code] {
        tables.flatMap { table in
            table.rows.codes(saying: words, orMarked: isOfCOVID19 ? TargetDisease.covid19.mark : nil)
                .map { Code(system: table.system.isEmpty ? nil : table.system, code: $0) }
        }
    }
}

// MARK: - The file

extension CodeArchive {
    /// The first line of the file of any version, without the number that tells it.
    private static let anyHeading = "shcverify code lists "
    /// The first line of the file.
    private static let heading = anyHeading + "1\n"
    /// The largest file that is read, in bytes.
    public static let maximumSize = 64 << 20

    /// The content of the file: a heading, a line of JSON that describes the lists and counts the bytes of their rows, and the rows.
    public var bytes: [UInt8] {
        var bytes = Array(Self.heading.utf8) + description + [UInt8(ascii: "\n")]
        bytes.reserveCapacity(size)
        for table in tables { bytes += table.bytes }
        return bytes
    }

    /// The size of that content in bytes.
    public var size: Int { Self.heading.utf8.count + description.count + 1 + tables.reduce(0) { $0 + $1.size } }

    /// The tables of all lists, in the order of the file.
    private var tables: [CodeTable] { lists.flatMap { $0.tables.map(\.rows) } }

    private var description: [UInt8] {
        var writer = JSONWriter(layout: .compact)
        writer.array { writer in
            for list in lists {
                writer.object { writer in
                    writer.member("form", list.form.rawValue)
                    writer.member("id", list.id)
                    writer.member("name", list.name)
                    writer.member("date", list.date)
                    writer.member("dated", list.isDated)
                    writer.member("count", list.count)
                    writer.member("origin", list.origin)
                    writer.array("tables") { writer in
                        for table in list.tables {
                            writer.object { writer in
                                writer.member("system", table.system)
                                writer.member("bytes", table.rows.size)
                            }
                        }
                    }
                }
            }
        }
        return writer.bytes
    }

    /// A list as the file describes it, before its rows.
    private struct Description {
        /// The list without its rows.
        let list: List
        /// The code systems of the rows, with the number of their bytes.
        let tables: [(system: UTF8Text, size: Int)]
    }

    /// Reads the content of the file.
    ///
    /// - Throws: `Malformed` if it is not such a file, or is damaged.
    public init(_ bytes: [UInt8]) throws(Malformed) {
        guard let (descriptions, start) = try Self.descriptions(in: bytes) else { throw .damagedArchive }
        var place = start
        for description in descriptions {
            var list = description.list
            for (system, size) in description.tables {
                guard size <= bytes.count - place else { throw .damagedArchive }
                let rows = CodeTable(Array(bytes[place..<place + size]), separator: UInt8(ascii: "\u{1F}"))
                list.tables.append(List.Table(system: system, rows: rows))
                place += size
            }
            lists.append(list)
        }
        guard place == bytes.count else { throw .damagedArchive }
    }

    /// The lists in the content of a file, without their codes. The rows are not read, so that it takes only a moment.
    ///
    /// - Parameters:
    ///   - beginning: the beginning of the content.
    ///   - size: the size of the content in bytes.
    /// - Returns: nil if the description of the lists is longer than the beginning.
    /// - Throws: `Malformed` if it is not the beginning of such a file, or of one of another size.
    package static func outline(ofBeginning beginning: [UInt8], size: Int) throws(Malformed) -> [List]? {
        guard let (descriptions, start) = try descriptions(in: beginning) else { return nil }
        var rest = size - start
        for (_, size) in descriptions.lazy.flatMap(\.tables) {
            guard size <= rest else { throw .damagedArchive }
            rest -= size
        }
        guard rest == 0 else { throw .damagedArchive }
        return descriptions.map(\.list)
    }

    /// The descriptions of the lists, and where the rows begin; nil if the description does not end within these bytes.
    private static func descriptions(
        in bytes: [UInt8]
    ) throws(Malformed) -> (descriptions: [Description], start: Int)? {
        let heading = Array(Self.heading.utf8)
        guard bytes.starts(with: heading) else {
            throw bytes.starts(with: Array(Self.anyHeading.utf8)) ? .archiveOfOtherVersion : .damagedArchive
        }
        guard let end = bytes[heading.count...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        guard let described = try? JSONDocument.parse(Array(bytes[heading.count..<end])),
            let elements = described.elements
        else { throw .damagedArchive }
        let descriptions = try elements.map { element throws(Malformed) in
            guard let form = element.text("form").flatMap({ CodeList.Form(rawValue: $0.description) }),
                let id = element.text("id"), let name = element.text("name"), let isDated = element["dated"]?.boolean,
                let date = element.text("date").flatMap({ CodeListDate.day($0.utf8) }),
                let count = element["count"]?.number?.integer, (1...Int64(CodeList.maximumCount)).contains(count)
            else { throw .damagedArchive }
            let tables = try element.all("tables").map { table throws(Malformed) in
                guard let size = table["bytes"]?.number?.integer, let size = Int(exactly: size), size >= 0 else {
                    throw .damagedArchive
                }
                return (system: table.text("system") ?? "", size: size)
            }
            let list = List(
                form: form, id: id, name: name, date: date, isDated: isDated, count: Int(count),
                origin: element.text("origin") ?? "", tables: [])
            return Description(list: list, tables: tables)
        }
        return (descriptions, end + 1)
    }

    /// The names of the lists in a file that cannot be read, as far as they can still be made out. The file may be damaged, or of
    /// another version.
    public static func names(inUnusable bytes: [UInt8]) -> [UTF8Text] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count > 1, lines[0].starts(with: Array(anyHeading.utf8)),
            let described = try? JSONDocument.parse(Array(lines[1]))
        else { return [] }
        return described.elements?.compactMap { $0.text("name") } ?? []
    }
}

/// Why a file is not one of installed lists of codes.
extension Malformed {
    /// It is another file, or damaged.
    package static let damagedArchive = Malformed("it is not a file of installed lists of codes, or it is damaged")
    /// Another version of the program wrote it, in another form.
    package static let archiveOfOtherVersion = Malformed(
        "another version of shcverify wrote it, in a form that this one cannot read")
}
