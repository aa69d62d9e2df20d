package import Encodings

/// A code that a search has found.
package struct FoundCode: Sendable, Hashable {
    /// The code, in its canonical form.
    package let code: Code
    /// Its name, if a list in use has one.
    package let name: CodeName?
    /// The group in which it is counted.
    package let group: UTF8Text?
    /// Its trade names, if it is a vaccine.
    package let tradeNames: [UTF8Text]
    /// Whether a record with this code is about COVID-19.
    package let isOfCOVID19: Bool
    /// The lists in use that have the code, the newest first.
    package let lists: [KnownCodeList]
}

extension CodeNames {
    /// Looks for codes in the lists in use. Reads all lists, so it is not for every record.
    ///
    /// - Parameter wanted: a code, with or without its system before a bar, or a part of a name, a trade name or a group, in any case of
    ///   the letters A to Z. `cvx`, `mvx`, `snomed`, `loinc` and `icd11` mean those systems, too.
    package func search(_ wanted: String) -> [FoundCode] {
        let words = Array(UTF8Text(wanted).asciiLowercased.utf8)
        guard !words.isEmpty else { return [] }
        let spellings = [wanted, Code.withWholeSystem(wanted)].compactMap(\.self)
        var seen: Set<Code> = []
        var found: [FoundCode] = []
        for code in codes(spelt: spellings) + codes(saying: words) where seen.insert(code).inserted {
            let (name, group, tradeNames) = (nameAnywhere(of: code), group(of: code), tradeNames(of: code))
            let says = { (text: UTF8Text) in text.asciiLowercased.utf8.contains(words) }
            guard
                spellings.contains(where: { code.isSpelt($0) })
                    || ([name?.display, group].compactMap(\.self) + tradeNames).contains(where: says)
            else { continue }
            found.append(
                FoundCode(
                    code: code, name: name, group: group, tradeNames: tradeNames, isOfCOVID19: isCOVID19(code),
                    lists: lists(with: code)))
        }
        return found
    }

    /// The name of a code, also of one that is only in a value set of the EU.
    private func nameAnywhere(of code: Code) -> CodeName? {
        self[code] ?? (usesBuiltIn ? EUValueSet.name(of: code) : nil)
    }

    /// The installed and the added lists.
    private var others: [ListInUse] {
        inUse.filter { $0.source == .installed } + inUse.filter { $0.source == .codesFile }.reversed()
    }

    /// The codes of installed and added lists that are spelt in one of these ways.
    private func codes(spelt spellings: [String]) -> [Code] {
        // "" stands for no system.
        let systems = others.flatMap(\.list.systems) + [""]
        var seen: Set<UTF8Text> = []
        return systems.filter { seen.insert($0).inserted }.flatMap { system in
            spellings.flatMap { Code.spelt($0, in: system.isEmpty ? nil : system) }.filter { code in
                others.contains { $0.finding(on: code) != nil }
            }
        }
    }

    /// The codes that some words may be about: all built-in ones, and those of other lists that contain the words themselves. To look
    /// for the words in all that is known of every code would take a second for each 20,000 codes. Some codes occur several times.
    private func codes(saying words: [UInt8]) -> [Code] {
        let isCOVID19 = Self.covid19Group.asciiLowercased.utf8.contains(words)
        return (usesBuiltIn ? ListInUse.allBuiltIn : [])
            + others.flatMap { $0.list.codes(saying: words, orOfCOVID19: isCOVID19) }
    }

    /// The lists that have a code in its canonical form, the newest first.
    private func lists(with code: Code) -> [KnownCodeList] {
        let builtIn = (usesBuiltIn ? ListInUse.shown : []).filter { $0.finding(on: code) != nil }
        let ofEU = usesBuiltIn && EUValueSet.name(of: code) != nil ? [EUValueSet.list] : []
        let own = others.filter { $0.finding(on: code) != nil }
        return (builtIn.map(\.description) + ofEU + own.map(\.description)).newestFirst { $0.date ?? "" }
    }
}

extension Code {
    /// The systems that have a short name.
    private static let shortNames: [(name: UTF8Text, system: UTF8Text)] = [
        ("cvx", cvx), ("mvx", mvx), ("snomed", snomed), ("loinc", loinc), ("icd11", icd11), ("icd-11", icd11),
    ]

    /// The text with the system's URI in place of its short or other name before a bar; nil if it has no bar.
    fileprivate static func withWholeSystem(_ text: String) -> String? {
        guard let bar = text.utf8.firstIndex(of: UInt8(ascii: "|")) else { return nil }
        let name = UTF8Text(String(text[..<bar]))
        let short = shortNames.first { $0.name == name.asciiLowercased }?.system
        return (short ?? canonicalSystem(name)).description + text[bar...]
    }

    /// The codes of a system that a person may mean, in their canonical form: the text may be the code alone, or have the system
    /// before a bar.
    fileprivate static func spelt(_ text: String, in system: UTF8Text?) -> [Code] {
        let plain = Code(system: system, code: UTF8Text(text)).canonical
        guard let system, text.utf8.starts(with: Array(system.utf8) + [UInt8(ascii: "|")]) else { return [plain] }
        let code = UTF8Text(decoding: text.utf8.dropFirst(system.utf8.count + 1))
        return [Code(system: system, code: code).canonical, plain]
    }

    /// Whether this is how a person writes the code: the code alone, or with its system before a bar.
    fileprivate func isSpelt(_ text: String) -> Bool { Self.spelt(text, in: system).contains(self) }
}
