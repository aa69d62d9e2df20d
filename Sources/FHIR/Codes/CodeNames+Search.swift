public import JSON

/// A code that a search has found.
public struct FoundCode: Sendable, Hashable {
    /// The code, in its canonical form.
    public let code: Code
    /// Its name, if a list in use has one.
    public let name: CodeName?
    /// The group in which it is counted.
    public let group: UTF8Text?
    /// Its trade names, if it is a vaccine.
    public let tradeNames: [UTF8Text]
    /// Whether a record with this code is about COVID-19.
    public let isOfCOVID19: Bool
    /// The lists in use that have the code, the newest first.
    public let lists: [KnownCodeList]
}

extension CodeNames {
    /// Looks for codes in the lists in use. Reads all lists, so it is not for every record.
    ///
    /// - Parameter wanted: a code, with or without its system before a bar, or a part of a name, a trade name or a group, in any case of
    ///   the letters A to Z.
    public func search(_ wanted: String) -> [FoundCode] {
        let words = Array(UTF8Text(wanted).asciiLowercased.utf8)
        guard !words.isEmpty else { return [] }
        var seen: Set<Code> = []
        var found: [FoundCode] = []
        for code in allCodes where seen.insert(code).inserted {
            guard code.isSpelt(wanted) || says(words, of: code) else { continue }
            found.append(
                FoundCode(
                    code: code, name: nameAnywhere(of: code), group: group(of: code), tradeNames: tradeNames(of: code),
                    isOfCOVID19: isCOVID19(code), lists: lists(with: code)))
        }
        return found
    }

    /// The name of a code, also of one that is only in a value set of the EU.
    private func nameAnywhere(of code: Code) -> CodeName? {
        self[code] ?? (usesBuiltIn ? BuiltInCodes.euName(of: code) : nil)
    }

    private func says(_ words: [UInt8], of code: Code) -> Bool {
        ([nameAnywhere(of: code)?.display, group(of: code)].compactMap(\.self) + tradeNames(of: code)).contains {
            $0.asciiLowercased.utf8.contains(words)
        }
    }
}

extension Code {
    /// Whether this is how a person writes the code: the code alone, or with its system before a bar.
    fileprivate func isSpelt(_ text: String) -> Bool {
        if let system, text.utf8.starts(with: Array(system.utf8) + [UInt8(ascii: "|")]) {
            let code = UTF8Text(decoding: text.utf8.dropFirst(system.utf8.count + 1))
            return Code(system: system, code: code).canonical == self
        }
        return Code(system: system, code: UTF8Text(text)).canonical == self
    }
}
