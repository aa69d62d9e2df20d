import JSON

/// Takes the codes out of a ValueSet or a CodeSystem.
struct CodeListReader {
    private(set) var entries: [CodeList.Entry] = []

    mutating func readValueSet(_ list: JSONValue) throws(CodeListError) {
        if let compose = list["compose"] {
            for include in compose.all("include") {
                // `concept` of one system each; what it filters or refers to is not in the file.
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
        // A version may follow the bar.
        guard let system = url?.utf8.prefix(while: { $0 != UInt8(ascii: "|") }), !system.isEmpty else {
            throw .noSystem
        }
        try readConcepts(of: list, system: UTF8Text(decoding: system))
    }

    /// Concepts and the concepts below them. The JSON's own bound on nesting is this one's.
    private mutating func readConcepts(of parent: JSONValue, system: UTF8Text) throws(CodeListError) {
        for concept in parent.all("concept") {
            try add(concept, system: system)
            try readConcepts(of: concept, system: system)
        }
    }

    /// An expansion's codes; each names its own system.
    private mutating func readContains(of parent: JSONValue) throws(CodeListError) {
        for concept in parent.all("contains") {
            if let system = concept.text("system") { try add(concept, system: system) }
            try readContains(of: concept)
        }
    }

    private mutating func add(_ concept: JSONValue, system: UTF8Text) throws(CodeListError) {
        // An abstract entry of an expansion has no code.
        guard let code = concept.text("code") else { return }
        guard entries.count < CodeList.maximumCount else { throw .tooManyCodes(limit: CodeList.maximumCount) }
        let display = concept.text("display") ?? concept.all("designation").lazy.compactMap { $0.text("value") }.first
        guard display?.utf8.count ?? 0 <= CodeList.maximumNameSize else {
            throw .nameTooLong(code: code, limit: CodeList.maximumNameSize)
        }
        entries.append(CodeList.Entry(code: Code(system: system, code: code), display: display))
    }
}
