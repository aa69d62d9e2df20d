import Encodings

/// Reads the codes of a ValueSet, a CodeSystem, or a value set of the EU.
struct CodeListReader {
    /// The entries, in the order of the list.
    var entries: [CodeList.Entry] {
        found.map { code, display in
            // The names of an EU certificate's codes do not say what it is about; it names the disease.
            CodeList.Entry(code, display: display, names: isOfEU ? [] : names[code.canonical, default: []])
        }
    }
    private var found: [(code: Code, display: UTF8Text?)] = []
    private var isOfEU = false
    /// The parts of a ValueSet whose codes are not in the file.
    private var openParts = 0
    /// All names of each code, the one to show first.
    private var names: [Code: [UTF8Text]] = [:]
    private var renamed = 0

    /// What is odd about the list, in plain words.
    var notes: [String] {
        var notes: [String] = []
        if openParts > 0 {
            notes.append(
                openParts == 1
                    ? "a part of `compose` includes or filters codes without listing them; those are not in the file"
                    : "\(openParts) parts of `compose` include or filter codes without listing them; those are not in the file"
            )
        }
        if renamed > 0 {
            notes.append(
                renamed == 1
                    ? "1 code has two names; the first is used"
                    : "\(renamed) codes are there again with other names; the first name is used")
        }
        return notes
    }

    mutating func readValueSet(_ list: JSONValue) throws(Malformed) {
        // An expansion is what `compose` results in.
        if let expansion = try Self.object("expansion", of: list) { return try readExpansion(expansion) }
        guard let compose = try Self.object("compose", of: list) else { return }
        for include in try Self.objects("include", of: compose) {
            let concepts = try Self.objects("concept", of: include)
            // Only the codes in `concept` are in the file. Those of filters and of other ValueSets are not.
            guard !concepts.isEmpty else {
                openParts += 1
                continue
            }
            // Of these codes, only those that the filters and ValueSets have too are included.
            guard Self.has(nothing: ["filter", "valueSet"], include) else {
                throw .notUnderstood("a part of `compose.include` lists codes and filters them")
            }
            guard let system = include.text("system") else {
                throw .notUnderstood("a part of `compose.include` lists codes without their `system`")
            }
            for concept in concepts { try add(concept, system: system) }
        }
        var outside: Set<Code> = []
        for exclude in try Self.objects("exclude", of: compose) {
            let concepts = try Self.objects("concept", of: exclude)
            guard let system = exclude.text("system"), !concepts.isEmpty,
                Self.has(nothing: ["filter", "valueSet"], exclude)
            else {
                throw .notUnderstood(
                    "`compose.exclude` leaves out codes without listing them; expand the ValueSet first")
            }
            for concept in concepts { outside.insert(Code(system: system, code: try Self.code(of: concept)).canonical) }
        }
        if !outside.isEmpty { found.removeAll { outside.contains($0.code.canonical) } }
    }

    mutating func readCodeSystem(_ list: JSONValue) throws(Malformed) {
        let url = list.text("content") == "supplement" ? list.text("supplements") : list.text("url")
        // A version may follow, after a bar.
        guard let system = url?.utf8.prefix(while: { $0 != UInt8(ascii: "|") }), !system.isEmpty else {
            throw Malformed(
                "the CodeSystem has no `url` (a supplement: no `supplements`), so the code system of its codes is unknown"
            )
        }
        try readConcepts(of: list, system: UTF8Text(decoding: system))
    }

    /// Reads a value set of the EU. The names of the members of `valueSetValues` are the codes.
    mutating func readEUValueSet(_ list: JSONValue) throws(Malformed) {
        isOfEU = true
        guard let values = list["valueSetValues"]?.members else {
            throw .notUnderstood("`valueSetValues` is not an object")
        }
        for (code, value) in values {
            guard !code.isEmpty else { throw .notUnderstood("a code is empty") }
            guard value.members != nil else { throw .notUnderstood("\(Self.words(for: code)) is not an object") }
            guard let system = value.text("system") else {
                throw .notUnderstood("\(Self.words(for: code)) has no `system`")
            }
            try add(code, names: [Self.string("display", of: value, code)].compactMap(\.self), system: system)
        }
    }

    // MARK: Concepts

    /// Reads concepts and the concepts below them. The parser's limit on nesting also limits this recursion.
    private mutating func readConcepts(of parent: JSONValue, system: UTF8Text) throws(Malformed) {
        for concept in try Self.objects("concept", of: parent) {
            try add(concept, system: system)
            try readConcepts(of: concept, system: system)
        }
    }

    private mutating func readExpansion(_ expansion: JSONValue) throws(Malformed) {
        let count = try readContains(of: expansion)
        let number = { (name: String) in expansion[name]?.number?.integer }
        guard (number("offset") ?? 0) == 0, (number("total") ?? 0) <= Int64(count) else {
            throw .notUnderstood(
                "the expansion is one page of several: it has \(count) of \(number("total").map { "\($0)" } ?? "more") codes"
            )
        }
    }

    /// Reads the codes of an expansion. Each names its own system.
    ///
    /// - Returns: how many entries there are, with and without a code.
    private mutating func readContains(of parent: JSONValue) throws(Malformed) -> Int {
        var count = 0
        for concept in try Self.objects("contains", of: parent) {
            // An abstract entry need not have a code.
            if concept.optional("code") != nil || concept.optional("abstract")?.boolean != true {
                let code = try Self.code(of: concept)
                guard let system = concept.text("system") else {
                    throw .notUnderstood("\(Self.words(for: code)) has no `system`")
                }
                try add(concept, system: system)
            }
            count += try readContains(of: concept) + 1
        }
        return count
    }

    private mutating func add(_ concept: JSONValue, system: UTF8Text) throws(Malformed) {
        let code = try Self.code(of: concept)
        var names = [try Self.string("display", of: concept, code)].compactMap(\.self)
        for designation in try Self.objects("designation", of: concept) {
            names += [try Self.string("value", of: designation, code)].compactMap(\.self)
        }
        try add(code, names: names, system: system)
    }

    private mutating func add(_ text: UTF8Text, names: [UTF8Text], system: UTF8Text) throws(Malformed) {
        guard found.count < CodeList.maximumCount else { throw .tooManyCodes(limit: CodeList.maximumCount) }
        guard text.utf8.count <= CodeList.maximumCodeSize else {
            throw Malformed("a code is longer than \(CodeList.maximumCodeSize) bytes")
        }
        guard system.utf8.count <= CodeList.maximumIDSize else { throw .idTooLong(limit: CodeList.maximumIDSize) }
        guard CodeList.plain(text) == text, CodeList.plain(system) == system else {
            throw Malformed("a code or its system contains a control character")
        }
        guard names.allSatisfy({ $0.unicodeScalars.count <= CodeList.maximumNameLength }) else {
            throw .nameTooLong(code: text, limit: CodeList.maximumNameLength)
        }
        let code = Code(system: system, code: text)
        var all = self.names[code.canonical, default: []]
        if let first = all.first, let name = names.first, first != name { renamed += 1 }
        for name in names where all.count < Self.namesRead && !all.contains(name) { all.append(name) }
        self.names[code.canonical] = all
        found.append((code, names.isEmpty ? nil : all.first))
    }

    /// How many names of one code are read.
    private static let namesRead = 32

    // MARK: Elements

    private static func words(for code: UTF8Text) -> String { "the code \(code.quoted(upTo: 40))" }

    private static func code(of concept: JSONValue) throws(Malformed) -> UTF8Text {
        guard let code = concept.text("code") else {
            let name = concept.text("display").map { " (\($0.quoted(upTo: 40)))" } ?? ""
            throw .notUnderstood("an entry\(name) has no `code` that is a text")
        }
        return code
    }

    /// A text that may be missing.
    private static func string(_ name: String, of value: JSONValue, _ code: UTF8Text) throws(Malformed) -> UTF8Text? {
        guard let element = value.optional(name) else { return nil }
        guard let text = element.string else {
            throw .notUnderstood("the `\(name)` of \(words(for: code)) is not a text")
        }
        return text.isEmpty ? nil : text
    }

    /// An object that may be missing.
    private static func object(_ name: String, of value: JSONValue) throws(Malformed) -> JSONValue? {
        guard let element = value.optional(name) else { return nil }
        guard element.members != nil else { throw .notUnderstood("`\(name)` is not an object") }
        return element
    }

    /// The objects of an array that may be missing.
    private static func objects(_ name: String, of value: JSONValue) throws(Malformed) -> [JSONValue] {
        guard let element = value.optional(name) else { return [] }
        guard let elements = element.elements.map(Array.init), elements.allSatisfy({ $0.members != nil }) else {
            throw .notUnderstood("`\(name)` is not a list of objects")
        }
        return elements
    }

    private static func has(nothing names: [String], _ value: JSONValue) -> Bool {
        names.allSatisfy { value.optional($0) == nil }
    }
}
