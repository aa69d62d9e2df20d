import Encodings

/// Reads one of CDC's tables of vaccines: `cvx.txt`, `TRADENAME.txt`, `mvx.txt` or `VG.txt`.
///
/// All lines must be of one table. Its first line decides which one it is.
struct CDCTableReader {
    private var form: CodeList.Form?
    /// The number of a first line that is of no table.
    private var heading: Int?
    private var entries: [CodeList.Entry] = []
    private var newest: String?
    private var notes: [String] = []
    /// The names of the codes so far.
    private var names: [Code: UTF8Text] = [:]
    /// The groups of the vaccines so far; several of a combination.
    private var groups: [Code: [UTF8Text]] = [:]
    private var order: [Code] = []
    /// The same, to look up: a list may give one vaccine any number of groups.
    private var seen: Set<Membership> = []
    private var repeated = 0
    private var reencoded = 0

    private struct Membership: Hashable {
        let code: Code
        let group: UTF8Text
    }

    private static let separator = UInt8(ascii: "|")

    mutating func read(_ bytes: ArraySlice<UInt8>) throws(Malformed) {
        var number = 0
        var rest = bytes
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
            rest = rest[line.endIndex...]
            // CRLF ends one line, not two.
            let isCRLF = rest.starts(with: [0x0D, 0x0A])
            rest = rest.dropFirst(isCRLF ? 2 : 1)
            number += 1
            guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
            try readLine(line, number)
        }
    }

    /// The list. There must be a line.
    func list() throws(Malformed) -> CodeList {
        guard let form else { throw heading == nil ? .empty : .notATable }
        var notes = notes
        if reencoded > 0 {
            notes.append(
                "\(Self.lines(reencoded)) not in UTF-8, and \(reencoded == 1 ? "was" : "were") read as Windows-1252")
        }
        if repeated > 0 {
            notes.append("\(repeated) of its codes occur again with other names; the first name is used")
        }
        let grouped = order.map { code in
            let all = groups[code] ?? []
            return CodeList.Entry(code, display: nil, group: all.count == 1 ? all.first : nil, names: [], groups: all)
        }
        return CodeList(
            form: form, id: UTF8Text(form.rawValue), name: form.cdcTable.name, date: newest, entries: entries + grouped,
            notes: notes)
    }

    private static func lines(_ count: Int) -> String { count == 1 ? "1 line is" : "\(count) lines are" }

    private mutating func readLine(_ line: ArraySlice<UInt8>, _ number: Int) throws(Malformed) {
        guard entries.count + order.count < CodeList.maximumCount else {
            throw .tooManyCodes(limit: CodeList.maximumCount)
        }
        let fields = try fields(of: line)
        guard fields.count > 1 else {
            guard form == nil else { throw .badLine(number, "it has no fields that are separated by |") }
            throw .notATable
        }
        guard let form = form ?? Self.form(of: fields) else {
            guard heading == nil else { throw .notATable }
            heading = number
            return
        }
        if let heading { throw Malformed("line \(heading) has no code: remove the heading") }
        self.form = form
        let table = form.cdcTable
        guard fields.count >= table.fieldCount else {
            throw .badLine(number, "it has \(fields.count) fields, not \(table.fieldCount) as \(table.name) has")
        }
        switch form {
        case .cvx:
            guard Self.isFlag(fields[5]) else {
                throw .badLine(number, "\(fields[5].quoted(upTo: 20)) is neither True nor False")
            }
            try add(fields[0], name: fields[1], alsoCalled: fields[2], system: Code.cvx, number)
            try note(date: fields[6], number)
        case .tradeNames:
            let code = try code(fields[2], system: Code.cvx, number)
            // The second name is that of CVX.
            let names = [try name(fields[0], number), fields[1]].filter { !$0.isEmpty }
            entries.append(CodeList.Entry(code, display: names.first, names: names))
            if !fields[4].isEmpty { try add(fields[4], name: fields[3], system: Code.mvx, number) }
            try note(date: fields[7], number)
        case .mvx:
            try add(fields[0], name: fields[1], system: Code.mvx, number)
            try note(date: fields[4], number)
        case .vaccineGroups:
            let code = try code(fields[1], system: Code.cvx, number)
            let group = try name(fields[3], number)
            guard Self.isNumber(fields[4]) else {
                throw .badLine(number, "\(fields[4].quoted(upTo: 20)) is not a code of a group")
            }
            if groups[code] == nil { order.append(code) }
            if seen.insert(Membership(code: code, group: group)).inserted { groups[code, default: []].append(group) }
        case .valueSet, .codeSystem, .euValueSet: break
        }
    }

    /// Adds a code with its name.
    private mutating func add(
        _ text: UTF8Text, name: UTF8Text, alsoCalled: UTF8Text = "", system: UTF8Text, _ number: Int
    ) throws(Malformed) {
        let code = try code(text, system: system, number)
        let name = try self.name(name, number)
        let words = [name, alsoCalled].filter { !$0.isEmpty }
        guard let known = names[code] else {
            names[code] = name
            entries.append(CodeList.Entry(code, display: name, names: words))
            return
        }
        guard known != name else { return }
        repeated += 1
        // Any of its names says what a vaccine is against.
        let again = CodeList.Entry(code, display: known, names: words)
        if !again.diseases.isEmpty { entries.append(again) }
    }

    private func code(_ text: UTF8Text, system: UTF8Text, _ number: Int) throws(Malformed) -> Code {
        let isCode =
            system == Code.cvx
            ? Self.isNumber(text) : (1...8).contains(text.utf8.count) && text.utf8.allSatisfy(Self.isWord)
        guard isCode else {
            throw .badLine(number, "\(text.quoted(upTo: 20)) is not a code of \(system == Code.cvx ? "CVX" : "MVX")")
        }
        return Code(system: system, code: text).canonical
    }

    private func name(_ text: UTF8Text, _ number: Int) throws(Malformed) -> UTF8Text {
        guard !text.isEmpty else { throw .badLine(number, "the code has no name") }
        guard text.unicodeScalars.count <= CodeList.maximumNameLength else {
            throw .badLine(number, "the name is longer than \(CodeList.maximumNameLength) characters")
        }
        return text
    }

    private mutating func note(date text: UTF8Text, _ number: Int) throws(Malformed) {
        guard !text.isEmpty else { return }
        guard let day = CodeListDate.day(text.utf8) else {
            throw .badLine(number, "\(text.quoted(upTo: 20)) is not a date as CDC writes it, such as 2025/09/03")
        }
        // All dates have the same length, and only digits and hyphens.
        if newest.map({ $0.utf8.lexicographicallyPrecedes(day.utf8) }) != false { newest = day }
    }

    // MARK: Lines

    /// The fields of a line without the padding. Bytes that are not UTF-8 are taken as Windows-1252, in which CDC's editors write.
    private mutating func fields(of line: ArraySlice<UInt8>) throws(Malformed) -> [UTF8Text] {
        var bytes = line
        if String(validating: line, as: UTF8.self) == nil {
            reencoded += 1
            bytes = ArraySlice(line.flatMap { Array(String(Self.windows1252($0)).utf8) })
        }
        return bytes.split(separator: Self.separator, omittingEmptySubsequences: false).map { field in
            // One space for any number of spaces and control characters, and none at the ends.
            UTF8Text(decoding: Array(field.split { $0 <= 0x20 || $0 == 0x7F }.joined(separator: [0x20])))
        }
    }

    /// The table that a first line belongs to; nil if it is of none.
    private static func form(of fields: [UTF8Text]) -> CodeList.Form? {
        let isDay = { (text: UTF8Text) in text.isEmpty || CodeListDate.day(text.utf8) != nil }
        if fields.count >= 7, isNumber(fields[0]), isFlag(fields[5]) { return .cvx }
        if fields.count >= 8, isNumber(fields[2]), isDay(fields[7]) { return .tradeNames }
        if fields.count >= 5, isNumber(fields[1]), isNumber(fields[4]) { return .vaccineGroups }
        if fields.count >= 5, isDay(fields[4]), !fields[0].isEmpty, fields[0].utf8.allSatisfy(isWord) { return .mvx }
        return nil
    }

    private static func isFlag(_ text: UTF8Text) -> Bool { ["true", "false"].contains(text.asciiLowercased) }

    private static func isNumber(_ text: UTF8Text) -> Bool {
        (1...4).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// A byte of Windows-1252.
    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return Unicode.Scalar(upperControls[Int(byte) - 0x80]) ?? "\u{FFFD}"
    }

    /// The characters of Windows-1252 from 0x80 to 0x9F.
    private static let upperControls: [UInt16] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
        0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0xFFFD, 0x017E, 0x0178,
    ]
}

extension CodeList.Form {
    /// Whether it is one of CDC's tables.
    public var isOfCDC: Bool { cdcTable.fieldCount > 0 }

    /// Of a table of CDC: its name for people, and the number of fields in a line.
    fileprivate var cdcTable: (name: UTF8Text, fieldCount: Int) {
        switch self {
        case .cvx: ("CVX", 7)
        case .tradeNames: ("CVX trade names", 8)
        case .mvx: ("MVX", 5)
        case .vaccineGroups: ("CVX groups", 5)
        case .valueSet, .codeSystem, .euValueSet: ("", 0)
        }
    }
}
