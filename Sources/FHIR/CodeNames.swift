public import JSON

/// Names for codes, and what they have in common, from lists that do not come with the card.
///
/// Codes that mean the same (`Code.canonical`) have one name. What is added comes before what is built in.
public struct CodeNames: Sendable {
    private var names: [Code: CodeName] = [:]
    /// Codes that added lists put to COVID-19.
    private var covid19: Set<Code> = []
    private let hasBuiltIn: Bool

    /// No names: records are called what the issuer calls them, or nothing.
    public init() {
        hasBuiltIn = false
    }

    /// The names that ship: CDC's vaccines and manufacturers, and words for what laboratories answer. It costs nothing
    /// to make; a look-up searches a text of the executable's.
    public static let builtIn = CodeNames(hasBuiltIn: true)

    private init(hasBuiltIn: Bool) {
        self.hasBuiltIn = hasBuiltIn
    }

    /// - Parameter names: the names; of several for one code, the last.
    public init(_ names: some Sequence<(key: Code, value: CodeName)>) {
        self.init()
        for (code, name) in names { add(name, for: code) }
    }

    /// Names a code, in place of the name it may have had. A group that the code has from elsewhere stays, unless the
    /// name brings its own.
    public mutating func add(_ name: CodeName, for code: Code) {
        names[code.canonical] = name
    }

    /// Takes over the codes of a list: their names, and that they are of COVID-19 where the list is.
    public mutating func add(_ list: CodeList) {
        for entry in list.entries {
            if let display = entry.display { add(CodeName(display: display, source: .codesFile), for: entry.code) }
            if list.isOfCOVID19 { covid19.insert(entry.code.canonical) }
        }
    }

    /// Takes over the codes of a FHIR ValueSet or CodeSystem (`--codes`).
    ///
    /// - Parameter fhirJSON: its JSON.
    /// - Throws: `CodeListError` if it is none that can be used; nothing has been added then.
    public mutating func add(fhirJSON: [UInt8]) throws(CodeListError) {
        add(try CodeList(fhirJSON: fhirJSON))
    }

    /// The name of a code; nil if the lists do not have it.
    public subscript(code: Code) -> CodeName? {
        guard hasBuiltIn || !names.isEmpty else { return nil }
        let code = code.canonical
        guard let added = names[code] else { return hasBuiltIn ? BuiltInCodes.name(of: code) : nil }
        guard added.group == nil, let group = group(ofCanonical: code) else { return added }
        return CodeName(display: added.display, source: added.source, group: group)
    }

    /// The group that a vaccine is counted in, `COVID-19`; nil if it is counted by its own code. A code may have a
    /// group and no name.
    public func group(of code: Code) -> UTF8Text? {
        group(ofCanonical: code.canonical)
    }

    /// The names that CDC lists a vaccine to be sold under; none for codes other than CVX.
    public func tradeNames(of code: Code) -> [UTF8Text] {
        hasBuiltIn ? BuiltInCodes.tradeNames(of: code.canonical) : []
    }

    /// Whether a record of this code is one of COVID-19: its vaccines in CVX, SNOMED CT and ICD-11, its tests in LOINC,
    /// and what an added list puts there (`CodeList.isOfCOVID19`).
    public func isCOVID19(_ code: Code) -> Bool {
        let code = code.canonical
        return covid19.contains(code) || hasBuiltIn && BuiltInCodes.isCOVID19(code)
    }

    /// Whether a laboratory's answer says that the thing looked for is or was there (detected, positive, reactive, a
    /// past or recent infection); false for every other answer, presumed and suspected among them; nil if the lists
    /// do not have it.
    public func isPositive(_ code: Code) -> Bool? {
        hasBuiltIn ? BuiltInCodes.isPositive(code.canonical) : nil
    }

    private func group(ofCanonical code: Code) -> UTF8Text? {
        if let group = names[code]?.group { return group }
        if hasBuiltIn, let group = BuiltInCodes.group(of: code) { return group }
        return covid19.contains(code) ? Self.covid19Group : nil
    }

    /// The group of COVID-19's vaccines.
    static let covid19Group: UTF8Text = "COVID-19"
}
