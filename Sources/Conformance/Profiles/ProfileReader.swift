import CData
import Encodings

/// Reads the file of a profile (docs/profiles.md).
struct ProfileReader {
    private(set) var rules: [Rule] = []
    private(set) var rows: [ProfileRow] = []
    private var sets: [[UInt8]: ProfileRow.CodeSet] = [:]
    private var citation: Citation?
    /// The checks that are code, by the names of their rules.
    private let checks: [String: RuleCheck]
    /// What the names of a user's rules begin with; nil for a profile of this program.
    private let prefix: String?
    /// Whether rows are read, or rules alone.
    private let readsRows: Bool
    private var draft: Draft?

    /// A rule whose lines are being read.
    private struct Draft {
        let name: String
        let severity: Severity
        let citation: Citation
        var requirement: String?
        var remedy: String?
        var check: RuleCheck?
        let line: Int
    }

    private typealias Words = ArraySlice<ArraySlice<UInt8>>

    /// How many rows a profile may have.
    private static let mostRows = 1000

    /// - Parameters:
    ///   - text: the file.
    ///   - checks: the checks that are code, by the names of their rules.
    ///   - prefix: what the names of a user's rules begin with.
    ///   - readsRows: whether rows are read, or rules alone.
    init(
        _ text: some RandomAccessCollection<UInt8>, checks: [String: RuleCheck] = [:], prefix: String? = nil,
        readsRows: Bool = true
    ) throws(Malformed) {
        self.checks = checks
        self.prefix = prefix
        self.readsRows = readsRows
        var number = 0
        var rest = Array(text)[...]
        while !rest.isEmpty {
            number += 1
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            var line = rest[..<end]
            rest = rest[end...].dropFirst()
            if line.last == 0x0D { line = line.dropLast() }
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            // The words of a profile are in lower case, and rows begin with a type.
            if !readsRows, !(0x61...0x7A).contains(first) { continue }
            do throws(Malformed) {
                try read(line, number)
            } catch {
                throw Malformed("line \(number): \(error)")
            }
        }
        try finishRule()
        guard !rules.isEmpty else { throw Malformed("line \(number): there is no rule") }
    }

    private mutating func read(_ line: ArraySlice<UInt8>, _ number: Int) throws(Malformed) {
        guard String(validating: line, as: UTF8.self) != nil else { throw Malformed("the text is not UTF-8") }
        let end = line.firstIndex(of: 0x20) ?? line.endIndex
        let rest = line[end...].dropFirst()
        switch Self.text(line[..<end]) {
        case "cite": citation = try Self.citation(rest)
        case "codes": if readsRows { try readCodes(rest) }
        case "rule":
            try finishRule()
            let words = rest.split(separator: 0x20)
            let severity = words.dropFirst().first.map { Severity(rawValue: Self.text($0)) } ?? .error
            guard let citation else { throw Malformed("there is no line cite before the rule") }
            guard let name = words.first, name.allSatisfy(Self.isOfName), let severity, severity != .unchecked else {
                throw Malformed("a rule has a name of letters, digits, - and _, and is an error or a warning")
            }
            draft = Draft(
                name: (prefix ?? "") + Self.text(name), severity: severity, citation: citation, line: number)
        case "requires" where draft != nil: draft?.requirement = Self.text(rest)
        case "remedy" where draft != nil: draft?.remedy = Self.text(rest)
        case "code" where draft.map({ checks[$0.name] != nil }) == true:
            let check = draft.flatMap { checks[$0.name] }
            draft?.check = check
        default:
            guard let draft else { throw Malformed("there is no rule before this line") }
            guard readsRows else { return }
            guard rows.count < Self.mostRows else { throw Malformed("there are more than \(Self.mostRows) rows") }
            rows.append(try row(line, of: "profile-error/\(draft.name)"))
        }
    }

    private mutating func finishRule() throws(Malformed) {
        guard let draft else { return }
        guard let requirement = draft.requirement, let remedy = draft.remedy else {
            throw Malformed("line \(draft.line): the rule needs a line requires and a line remedy")
        }
        guard !rules.contains(where: { $0.name == draft.name }) else {
            throw Malformed("line \(draft.line): there is a rule of this name already")
        }
        let id = "profile-error/\(draft.name)"
        rules.append(
            Rule(
                "profile-error", draft.name, draft.citation, severity: draft.severity, requirement: requirement,
                remedy: remedy, check: draft.check ?? .bundle(needing: .rows) { $0.problems(withRowsOf: id) }))
        self.draft = nil
    }

    // MARK: Lines

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    static func isOfName(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }

    /// `Title <address>`
    private static func citation(_ text: ArraySlice<UInt8>) throws(Malformed) -> Citation {
        guard let start = text.lastIndex(of: UInt8(ascii: "<")), text.last == UInt8(ascii: ">"),
            text[start...].dropFirst().starts(with: "https://".utf8)
                || text[start...].dropFirst().starts(with: "http://".utf8)
        else { throw Malformed("a source is a title and an address in angle brackets") }
        return Citation(self.text(text[..<start].dropLast()), self.text(text[start...].dropFirst().dropLast()))
    }

    /// `codes NAME SYSTEM CODE…`
    private mutating func readCodes(_ text: ArraySlice<UInt8>) throws(Malformed) {
        let words = text.split(separator: 0x20)
        guard words.count > 2 else { throw Malformed("a value set has a name, a code system and codes") }
        sets[Array(words[0]), default: [:]][UTF8Text(decoding: words[1]), default: []]
            .formUnion(words[2...].map { UTF8Text(decoding: $0) })
    }

    /// `TYPES [when PATHS|unless PATHS] [warning|error] [some] CONSTRAINT [ARGUMENT] PATH… [| MESSAGE]`
    private func row(_ line: ArraySlice<UInt8>, of rule: String) throws(Malformed) -> ProfileRow {
        let bar = line.indices.first { line[$0...].starts(with: " | ".utf8) }
        var words = line[..<(bar ?? line.endIndex)].split(separator: 0x20)[...]
        let types = (words.popFirst() ?? []).split(separator: UInt8(ascii: ",")).map { UTF8Text(decoding: $0) }
        guard !types.isEmpty, types.allSatisfy({ $0 == "*" || (0x41...0x5A).contains($0.utf8.first ?? 0) }) else {
            throw Malformed("the line begins with neither a type of resource nor a word that profiles have")
        }
        var condition: (names: [String], isPresent: Bool)?
        var (isSome, severity) = (false, Severity?.none)
        while let word = words.first.map(Self.text), ["when", "unless", "some", "warning", "error"].contains(word) {
            words.removeFirst()
            if word == "some" {
                isSome = true
            } else if let given = Severity(rawValue: word) {
                severity = given
            } else {
                condition = (try Self.step(Self.next(&words)), word == "when")
            }
        }
        let constraint = try constraint(&words)
        switch constraint {
        case .entries, .only: break
        default: if words.isEmpty { throw Malformed("the row names no element") }
        }
        var paths: [ProfileRow.Path] = []
        for word in words {
            var path: ProfileRow.Path = []
            for step in word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
                path.append(try Self.step(step))
            }
            paths.append(path)
        }
        return ProfileRow(
            rule: rule, types: types == ["*"] ? [] : types, condition: condition, needsOnlyOne: isSome,
            severity: severity, constraint: constraint, paths: paths,
            message: bar.map { Self.text(line[($0 + 3)...]) })
    }

    private static func next(_ words: inout Words) throws(Malformed) -> ArraySlice<UInt8> {
        guard let word = words.popFirst() else { throw Malformed("the row is not complete") }
        return word
    }

    /// The names in a step of a path. `onset[x]` stands for all its types.
    private static func step(_ text: ArraySlice<UInt8>) throws(Malformed) -> [String] {
        var names: [String] = []
        for name in text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let isChoice = name.suffix(3).elementsEqual("[x]".utf8)
            let stem = isChoice ? name.dropLast(3) : name
            guard !stem.isEmpty, stem.allSatisfy(isOfName) else {
                throw Malformed("\(UTF8Text(decoding: text).quoted(upTo: 40)) is no name of an element")
            }
            names += isChoice ? choices.map { self.text(stem) + $0 } : [self.text(stem)]
        }
        // An element that is named twice would be looked at twice, and so would all within it.
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    /// The types that a choice of types may have: those of `Extension.value[x]`.
    private static let choices = (StructureTable.row(of: "OpenType") ?? []).dropFirst().map {
        $0.prefix(1).uppercased() + $0.dropFirst()
    }

    private func constraint(_ words: inout Words) throws(Malformed) -> ProfileRow.Constraint {
        let name = Self.text(try Self.next(&words))
        switch name {
        case "required": return .required
        case "needs": return .wholePath
        case "single": return .single
        case "one": return .one
        case "prohibited": return .prohibited
        case "refersTo": return .refersTo(UTF8Text(decoding: try Self.next(&words)))
        case "isFrom":
            guard let set = sets[Array(try Self.next(&words))] else { throw Malformed("there is no such value set") }
            return .isFrom(set)
        case "is", "isNot":
            let values = try Self.next(&words).split(separator: UInt8(ascii: "/")).map(Self.text)
            return name == "is" ? .isOneOf(values) : .isNoneOf(values)
        case "pattern":
            guard let pattern = TextPattern(try Self.next(&words)) else {
                throw Malformed("the pattern cannot be used")
            }
            return .pattern(pattern)
        case "shorter":
            guard let limit = Int(Self.text(try Self.next(&words))), limit > 0 else {
                throw Malformed("shorter needs a number of characters")
            }
            return .shorter(limit)
        case "without": return .without(try Self.next(&words).map { $0 | 0x20 })
        case "entries":
            guard let count = Int(Self.text(try Self.next(&words))), let type = words.popFirst() else {
                throw Malformed("entries needs a number and a type of resource")
            }
            let hasMore = words.popFirst().map { $0.elementsEqual("more".utf8) } == true
            return .entries(count...(hasMore ? max(count, Int.max) : count), UTF8Text(decoding: type))
        case "only":
            defer { words = [] }
            return .only(words.map { UTF8Text(decoding: $0) })
        default: throw Malformed("\(UTF8Text(name).quoted(upTo: 40)) is no constraint")
        }
    }
}
