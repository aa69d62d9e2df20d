import JSON

/// Reads the codes of a ValueSet, a CodeSystem, or a value set of the EU.
struct CodeListReader {
    private(set) var entries: [CodeList.Entry] = []
    /// Whether all codes are about COVID-19.
    var isOfCOVID19 = false
    /// The parts of a ValueSet whose codes are not in the file.
    private var openParts = 0
    private var names: [Code: UTF8Text] = [:]
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

    mutating func readValueSet(_ list: JSONValue) throws(CodeListError) {
        if let compose = list["compose"] {
            for include in compose.all("include") {
                // Only the codes in `concept` are in the file. Those of filters and of other ValueSets are not.
                let concepts = Array(include.all("concept"))
                guard let system = include.text("system"), !concepts.isEmpty else {
                    openParts += 1
                    continue
                }
                for concept in concepts { try add(concept, system: system) }
            }
        }
        if let expansion = list["expansion"] {
            openParts = 0
            try readContains(of: expansion)
        }
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

    private mutating func add(_ text: UTF8Text, display: UTF8Text?, system: UTF8Text) throws(CodeListError) {
        guard entries.count < CodeList.maximumCount else { throw .tooManyCodes(limit: CodeList.maximumCount) }
        guard text.utf8.count <= CodeList.maximumCodeSize else { throw .codeTooLong(limit: CodeList.maximumCodeSize) }
        guard text.utf8.allSatisfy({ $0 >= 0x20 }) else { throw .codeWithControlCharacter }
        guard display?.unicodeScalars.count ?? 0 <= CodeList.maximumNameLength else {
            throw .nameTooLong(code: text, limit: CodeList.maximumNameLength)
        }
        let code = Code(system: system, code: text)
        var display = display
        if let name = display {
            let first = names[code.canonical] ?? name
            if first != name { renamed += 1 }
            names[code.canonical] = first
            display = first
        }
        let isVaccine = system == Code.cvx && display.map { CodeList.isVaccineAgainstCOVID19($0.utf8) } == true
        entries.append(
            CodeList.Entry(code: code, display: display, group: nil, isOfCOVID19: isOfCOVID19 || isVaccine))
    }
}
