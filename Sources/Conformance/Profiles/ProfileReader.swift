import CData
import Encodings

/// Reads the file of a profile (docs/profiles.md).
struct ProfileReader {
    private(set) var rules: [Rule] = []
    private(set) var rows: [ProfileRow] = []
    private var sets: [[UInt8]: CodeSet] = [:]
    private var citation: Citation?
    /// What is code.
    private let code: ProfileCode
    /// The profiles of the file, if it has several.
    private let profiles: [LintPolicy.Profile]
    /// The profiles that the rows now read are of.
    private var meant: [LintPolicy.Profile] = []
    /// What the names of a user's rules begin with; nil for a profile of this program.
    private let prefix: String?
    /// Whether rows are read, or rules alone.
    private let readsRows: Bool
    private var draft: Draft?
    /// The number of the line that is read.
    private var line = 0

    /// A rule whose lines are being read.
    private struct Draft {
        let name: String
        var id: String { "profile-error/\(name)" }
        let severity: Severity
        let citation: Citation
        var requirement: String?
        var remedy: String?
        var check: RuleCheck?
        var hasRow = false
        let line: Int
    }

    private typealias Words = ArraySlice<ArraySlice<UInt8>>

    /// How many elements the rows are about. A path has as many as all names of its steps together make.
    private var size = 0
    private static let largestSize = 20_000

    /// How many rows a profile may have.
    private static let mostRows = 1000

    /// - Parameters:
    ///   - text: the file.
    ///   - profiles: the profiles of the file, if it has several.
    ///   - code: what is code.
    ///   - prefix: what the names of a user's rules begin with.
    ///   - readsRows: whether rows are read, or rules alone.
    init(
        _ text: some RandomAccessCollection<UInt8>, profiles: [LintPolicy.Profile] = [],
        code: ProfileCode = ProfileCode(), prefix: String? = nil, readsRows: Bool = true
    ) throws(Malformed) {
        self.profiles = profiles
        self.code = code
        self.prefix = prefix
        self.readsRows = readsRows
        var rest = Array(text)[...]
        while !rest.isEmpty {
            line += 1
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            var words = rest[..<end]
            rest = rest[end...].dropFirst()
            if words.last == 0x0D { words = words.dropLast() }
            guard let first = words.first, first != UInt8(ascii: "#") else { continue }
            // The words of a profile are in lower case, and rows begin with a type.
            if !readsRows, !(0x61...0x7A).contains(first) { continue }
            try naming { reader throws(Malformed) in try reader.read(words) }
        }
        try naming { reader throws(Malformed) in try reader.finishRule() }
        guard !rules.isEmpty else { throw Malformed("line \(max(line, 1)): there is no rule") }
    }

    /// Names the line of a mistake.
    private mutating func naming(_ body: (inout ProfileReader) throws(Malformed) -> Void) throws(Malformed) {
        do throws(Malformed) {
            try body(&self)
        } catch {
            throw Malformed("line \(line): \(error)")
        }
    }

    private mutating func read(_ line: ArraySlice<UInt8>) throws(Malformed) {
        guard let text = String(validating: line, as: UTF8.self) else { throw Malformed("the text is not UTF-8") }
        // What a file says is shown on terminals and in logs.
        guard !text.unicodeScalars.contains(where: \.isUnprintable) else {
            throw Malformed("the line has a character that cannot be shown")
        }
        let end = line.firstIndex(of: 0x20) ?? line.endIndex
        let rest = line[end...].dropFirst()
        switch Self.text(line[..<end]) {
        case "cite": citation = try Self.citation(rest)
        case "codes": if readsRows { try readCodes(rest) }
        case "rule":
            let words = rest.split(separator: 0x20)
            let severity = words.dropFirst().first.map { Severity(rawValue: Self.text($0)) } ?? .error
            guard let citation else { throw Malformed("there is no line cite before the rule") }
            guard let name = words.first, name.allSatisfy(Self.isOfName), let severity, severity != .unchecked,
                words.count <= 2
            else {
                throw Malformed("a rule has a name of letters, digits, - and _, and is an error or a warning")
            }
            guard name.count <= Self.longestName else { throw Malformed("the name of the rule is too long") }
            try finishRule()
            meant = []
            draft = Draft(
                name: (prefix ?? "") + Self.text(name), severity: severity, citation: citation, line: self.line)
        case "requires" where draft != nil:
            guard draft?.requirement == nil else { throw Malformed("the rule has a line requires already") }
            draft?.requirement = try Self.sentence(rest)
        case "remedy" where draft != nil:
            guard draft?.remedy == nil else { throw Malformed("the rule has a line remedy already") }
            draft?.remedy = try Self.sentence(rest)
        case "code" where draft.map({ code.checks[$0.name] != nil }) == true:
            let check = draft.flatMap { code.checks[$0.name] }
            draft?.check = check
        case "in" where !profiles.isEmpty:
            let words = rest.split(separator: 0x20).map(Self.text)
            meant = profiles.filter { profile in words.contains { profile.rawValue.contains($0) } }
            guard !meant.isEmpty else { throw Malformed("no profile of the file has such a name") }
        default:
            guard let draft else { throw Malformed("there is no rule before this line") }
            guard readsRows else { return }
            guard rows.count < Self.mostRows else { throw Malformed("there are more than \(Self.mostRows) rows") }
            let row = try row(line, of: draft)
            size += row.size
            guard size <= Self.largestSize else { throw Malformed("the rows are about too many elements") }
            rows.append(row)
            self.draft?.hasRow = true
        }
    }

    private mutating func finishRule() throws(Malformed) {
        guard let draft else { return }
        let here = line
        line = draft.line
        guard let requirement = draft.requirement, let remedy = draft.remedy else {
            throw Malformed("the rule needs a line requires and a line remedy")
        }
        guard !rules.contains(where: { $0.name == draft.name }) else {
            throw Malformed("there is a rule of this name already")
        }
        guard draft.hasRow || draft.check != nil || !readsRows else { throw Malformed("the rule has no row") }
        line = here
        let id = draft.id
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

    /// The most bytes of a name.
    private static let longestName = 64

    /// A text for people, which findings repeat.
    private static func sentence(_ text: ArraySlice<UInt8>) throws(Malformed) -> String {
        guard text.contains(where: { $0 != 0x20 }) else { throw Malformed("a text is empty") }
        guard text.count <= 1000 else { throw Malformed("a text has more than 1000 bytes") }
        return self.text(text)
    }

    /// `Title <address>`
    private static func citation(_ text: ArraySlice<UInt8>) throws(Malformed) -> Citation {
        guard let start = text.lastIndex(of: UInt8(ascii: "<")), text.last == UInt8(ascii: ">"),
            text[..<start].last == 0x20,
            text[start...].dropFirst().starts(with: "https://".utf8)
                || text[start...].dropFirst().starts(with: "http://".utf8)
        else { throw Malformed("a source is a title and an address in angle brackets") }
        let address = try sentence(text[start...].dropFirst().dropLast())
        guard !address.unicodeScalars.contains(where: \.properties.isWhitespace) else {
            throw Malformed("the address has a blank")
        }
        return Citation(try sentence(text[..<start].dropLast()), address)
    }

    /// `codes NAME SYSTEM CODE…`
    private mutating func readCodes(_ text: ArraySlice<UInt8>) throws(Malformed) {
        let words = text.split(separator: 0x20)
        guard words.count > 2 else { throw Malformed("a value set has a name, a code system and codes") }
        let system = UTF8Text(decoding: words[1])
        // It is taken out, since a copy for each line would take long.
        var set = sets.removeValue(forKey: Array(words[0])) ?? CodeSet()
        let place = set.parts.firstIndex { $0.system == system }
        var part = place.map { set.parts.remove(at: $0) } ?? CodeSet.Part(system: system)
        if part.hasCase, words[2...].contains(where: { $0.elementsEqual(":caseless".utf8) }) {
            part.hasCase = false
            part.codes = Set(part.codes.map(\.asciiLowercased))
        }
        for word in words[2...] {
            switch Self.text(word) {
            case ":caseless": break
            case let name where word.first == UInt8(ascii: ":"):
                guard let form = CodeForms.named(name, set: words[0]) else {
                    throw Malformed("\(UTF8Text(name).quoted(upTo: 40)) is no form of codes")
                }
                guard part.form == nil else { throw Malformed("a code system has one form of codes") }
                part.form = form
            case let name where word.first == UInt8(ascii: "!"): part.others.insert(UTF8Text(String(name.dropFirst())))
            case let name: part.codes.insert(part.hasCase ? UTF8Text(name) : UTF8Text(name).asciiLowercased)
            }
        }
        set.parts.append(part)
        sets[Array(words[0])] = set
    }

    /// `TYPES [when PATHS|unless PATHS] [asked] [warning|error] [some] CONSTRAINT [ARGUMENT] PATH… [| MESSAGE]`
    private func row(_ line: ArraySlice<UInt8>, of rule: Draft) throws(Malformed) -> ProfileRow {
        let bar = line.indices.first { line[$0...].starts(with: " | ".utf8) }
        var words = line[..<(bar ?? line.endIndex)].split(separator: 0x20)[...]
        let types = (words.popFirst() ?? []).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard types == [[UInt8(ascii: "*")]] || types.allSatisfy({ (0x41...0x5A).contains($0.first ?? 0) }) else {
            throw Malformed(
                types.contains([UInt8(ascii: "*")])
                    ? "* stands alone, for all types"
                    : "the line begins with neither a type of resource nor a word that profiles have")
        }
        let known = try Self.types(types == [[UInt8(ascii: "*")]] ? [] : types[...])
        let isOfBundle = known.contains("Bundle")
        guard !isOfBundle || known.count == 1 else { throw Malformed("Bundle stands alone, without other types") }
        var condition: (names: [String], isPresent: Bool)?
        var (isSome, isForAsked, severity): (Bool, Bool, Severity?) = (false, false, nil)
        while let word = words.first.map(Self.text),
            ["when", "unless", "some", "warning", "error"].contains(word) || word == "asked" && prefix == nil
        {
            words.removeFirst()
            switch word {
            case "some" where !isSome: isSome = true
            case "asked" where !isForAsked: isForAsked = true
            case "when", "unless":
                guard condition == nil else { throw Malformed("the row has two conditions") }
                var elements = Elements(of: known)
                condition = (try elements.names(Self.next(&words)), word == "when")
            case let word where severity == nil && Severity(rawValue: word) != nil: severity = Severity(rawValue: word)
            default: throw Malformed("the word \(word) is one too many")
            }
        }
        let constraint = try constraint(&words)
        guard !isSome || constraint.role == .value else { throw Malformed("some is for what is said of values") }
        guard isOfBundle || constraint.role != .entries else { throw Malformed("the row is not about the Bundle") }
        var paths: [[ProfileRow.Step]] = []
        // The program's own profiles forbid what other tools forbid, also where R4 has no such element.
        let mayBeUnknown = prefix == nil && constraint.role == .prohibition
        for word in words { paths.append(try path(word, constraint, Elements(of: mayBeUnknown ? [] : known))) }
        if paths.isEmpty, constraint.role == .entries || prefix == nil && constraint.role == .remark { paths = [[]] }
        guard !paths.isEmpty else { throw Malformed("the row names no element") }
        var message: String?
        if let bar { message = try Self.message(line[(bar + 3)...]) }
        return ProfileRow(
            rule: rule.id, profiles: meant, types: known, condition: condition, needsOnlyOne: isSome,
            isForAsked: isForAsked, severity: severity ?? rule.severity, constraint: constraint, paths: paths,
            message: message)
    }

    /// A type of resource.
    private static func type(_ word: ArraySlice<UInt8>) throws(Malformed) -> UTF8Text {
        var types = FHIRTypes()
        let type = UTF8Text(decoding: word)
        guard types.resource(named: type) != nil else {
            throw Malformed("\(type.quoted(upTo: 40)) is no type of resource in FHIR R4")
        }
        return type
    }

    private static func types(_ words: Words) throws(Malformed) -> [UTF8Text] {
        var types: [UTF8Text] = []
        for word in words { types.append(try type(word)) }
        return types
    }

    /// A message, whose placeholders are known.
    private static func message(_ text: ArraySlice<UInt8>) throws(Malformed) -> String {
        let parts = text.split(separator: UInt8(ascii: "{"), omittingEmptySubsequences: false).dropFirst()
        guard parts.count <= 16 else { throw Malformed("the message has more than 16 braces") }
        for part in parts {
            guard let end = part.firstIndex(of: UInt8(ascii: "}")),
                ProfileRow.placeholders.contains(self.text(part[..<end]))
            else {
                throw Malformed("a brace in the message begins neither {type}, {path}, {element}, {value} nor {count}")
            }
        }
        return try sentence(text)
    }

    private static func next(_ words: inout Words) throws(Malformed) -> ArraySlice<UInt8> {
        guard let word = words.popFirst() else { throw Malformed("the row is not complete") }
        return word
    }

    /// A path, whose steps have dots between them. `component:NAME` stands for those whose `code` is of a value set.
    private func path(
        _ word: ArraySlice<UInt8>, _ constraint: ProfileRow.Constraint, _ elements: Elements
    ) throws(Malformed) -> [ProfileRow.Step] {
        var elements = elements
        var path: [ProfileRow.Step] = []
        let steps = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard steps.count <= 32 else { throw Malformed("a path has more than 32 steps") }
        for text in steps {
            let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            let label = parts[0].prefix { $0 != UInt8(ascii: "/") }
            path.append(ProfileRow.Step(names: try elements.names(parts[0]), label: Self.text(label), slice: nil))
            guard parts.count > 1 else { continue }
            guard parts.count == 2, let set = sets[Array(parts[1])] else {
                throw Malformed("there is no such value set")
            }
            path.append(ProfileRow.Step(names: [], label: "", slice: (Self.text(parts[1]), set)))
        }
        if constraint.role == .resource, path.contains(where: { $0.slice != nil }) {
            throw Malformed("needs takes no value set in a path")
        }
        if path.last?.slice != nil, ![.value, .remark].contains(constraint.role) {
            throw Malformed("the path ends with a value set")
        }
        return path
    }

    /// The elements on the way along a path. A misspelt one would find nothing, and nobody would notice.
    private struct Elements {
        private var known = FHIRTypes()
        /// The types that may have the next element; empty if nothing is known of them.
        private var types: [FHIRType]

        /// - Parameter resources: the types of the resources; empty for all.
        init(of resources: [UTF8Text]) {
            var known = FHIRTypes()
            types = resources.compactMap { known.resource(named: $0) }
            self.known = known
        }

        /// The names in the next step of the path. `onset[x]` stands for all its types.
        mutating func names(_ step: ArraySlice<UInt8>) throws(Malformed) -> [String] {
            var names: [String] = []
            for name in step.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
                let isChoice = name.suffix(3).elementsEqual("[x]".utf8)
                let stem = isChoice ? name.dropLast(3) : name
                guard (1...longestName).contains(stem.count), stem.allSatisfy(isOfName) else {
                    throw Malformed("\(UTF8Text(decoding: step).quoted(upTo: 40)) is no name of an element")
                }
                let all = isChoice ? choices.map { text(stem) + $0 } : [text(stem)]
                let found = types.isEmpty ? all : all.filter { name in types.contains { $0.elements[name] != nil } }
                guard !found.isEmpty else {
                    let name = UTF8Text(decoding: name).quoted(upTo: 40)
                    throw Malformed("\(types[0].name) has no element \(name) in FHIR R4")
                }
                // An element that is named twice would be looked at twice, and so would all within it.
                names += found.filter { !names.contains($0) }
            }
            let found = types.flatMap { type in names.compactMap { type.elements[$0] } }
            // Any resource may be in a resource.
            let mayHoldAny = found.contains { if case .resource = $0.kind { true } else { false } }
            types = mayHoldAny ? [] : found.compactMap { inner(of: $0) }
            return names
        }

        /// The types of what is in an element.
        private mutating func inner(of element: FHIRElement) -> FHIRType? {
            if case .named(let name) = element.kind, let type = known.type(named: name), type.codes == nil {
                return type
            }
            return known.type(named: "Element")
        }
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
        case "unwanted": return .unwanted
        case "refersTo": return .refersTo(try Self.type(Self.next(&words)))
        case "mayReferTo": return .mayReferTo(try Self.type(Self.next(&words)))
        case "isFrom", "codedBy":
            guard let set = sets[Array(try Self.next(&words))] else { throw Malformed("there is no such value set") }
            return name == "isFrom" ? .isFrom(set) : .codedBy(set)
        case "obeys":
            guard let judge = code.judges[Self.text(try Self.next(&words))] else {
                throw Malformed("there is no such code")
            }
            return .obeys(judge)
        case "is", "isNot":
            let values = try Self.next(&words).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .map(Self.text)
            guard !values.contains("") else { throw Malformed("a value is empty") }
            guard values.count <= 1000, values.allSatisfy({ $0.utf8.count <= 64 }) else {
                throw Malformed("there are more than 1000 values, or one has more than 64 bytes")
            }
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
        case "without":
            let word = try Self.next(&words)
            guard word.count <= Self.longestName else { throw Malformed("the word is too long") }
            return .without(word.map { $0 | 0x20 })
        case "entries":
            guard let count = Int(Self.text(try Self.next(&words))), count >= 0, let type = words.popFirst() else {
                throw Malformed("entries needs a number and a type of resource")
            }
            let hasMore = words.first?.elementsEqual("more".utf8) == true
            if hasMore { words.removeFirst() }
            guard words.isEmpty else { throw Malformed("the row has words after the type of resource") }
            return .entries(count...(hasMore ? Int.max : count), try Self.type(type))
        case "only":
            let types = try Self.types(words)
            guard !types.isEmpty else { throw Malformed("only needs types of resources") }
            words = []
            return .only(types)
        default: throw Malformed("\(UTF8Text(name).quoted(upTo: 40)) is no constraint")
        }
    }
}
