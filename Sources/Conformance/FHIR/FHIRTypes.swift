import JSON

/// The types that a walk has met. A type is read out of the tables when it is first met.
struct FHIRTypes {
    private var known: [String: FHIRType] = [:]

    /// The type of this name; nil if there is none.
    mutating func type(named name: String) -> FHIRType? {
        if let type = known[name] { return type }
        guard let words = StructureTable.row(of: name), let first = words.first else { return nil }
        let type: FHIRType
        if first == "=" {
            type = FHIRType(name: name, codes: Array(words.dropFirst()))
        } else {
            let base = first == "-" ? nil : self.type(named: first)
            let isOpen = words.contains { $0.contains(":*") && $0.contains("[x]") }
            type = FHIRType(name: name, words: words, base: base, open: isOpen ? openTypes() : [])
        }
        known[name] = type
        return type
    }

    /// The resource type of this name; nil if R4 has none.
    mutating func resource(named name: UTF8Text) -> FHIRType? {
        guard name.utf8.count <= 64, name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return type(named: name.description).flatMap { $0.isResource ? $0 : nil }
    }

    private mutating func openTypes() -> [String] { type(named: "OpenType")?.codes ?? [] }
}
