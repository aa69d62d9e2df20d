public import JSON

/// Names and groups for codes, from lists that do not come from the card.
///
/// Codes with the same meaning (`Code.canonical`) have one name. Added names have priority over built-in ones.
public struct CodeNames: Sendable {
    private var names: [Code: CodeName] = [:]
    /// Codes that added lists assign to COVID-19.
    private var covid19: Set<Code> = []
    private let hasBuiltIn: Bool

    /// Makes an empty set of names. Records then have the issuer's names, or none.
    public init() {
        hasBuiltIn = false
    }

    /// The built-in names: CDC's vaccines and manufacturers, words for laboratory results, and the EU's value sets
    /// (`name(of:in:)`). They need no preparation, because a look-up searches a text in the executable.
    public static let builtIn = CodeNames(hasBuiltIn: true)

    /// The date of the newest built-in list of vaccines (`YYYY-MM-DD`).
    public static var vaccineDate: String { CodeTable.vaccineDate }

    /// The date of the newest built-in value set of the EU (`YYYY-MM-DD`).
    public static var euDate: String { CodeTable.euDate }

    private init(hasBuiltIn: Bool) {
        self.hasBuiltIn = hasBuiltIn
    }

    /// - Parameter names: the names. If there are several for one code, the last is used.
    public init(_ names: some Sequence<(key: Code, value: CodeName)>) {
        self.init()
        for (code, name) in names { add(name, for: code) }
    }

    /// Sets the name of a code. If the name has no group, the code keeps the group that it already has.
    public mutating func add(_ name: CodeName, for code: Code) {
        names[code.canonical] = name
    }

    /// Adds the names of a list's codes. If the list is about COVID-19, its codes are marked so.
    public mutating func add(_ list: CodeList) {
        for entry in list.entries {
            if let display = entry.display { add(CodeName(display: display, source: .codesFile), for: entry.code) }
            if list.isOfCOVID19 { covid19.insert(entry.code.canonical) }
        }
    }

    /// Adds the codes of a FHIR ValueSet or CodeSystem, or of a value set of the EU (`--codes`).
    ///
    /// - Parameter fhirJSON: its JSON.
    /// - Throws: `CodeListError` if it cannot be used. Then nothing has been added.
    public mutating func add(fhirJSON: [UInt8]) throws(CodeListError) {
        add(try CodeList(fhirJSON: fhirJSON))
    }

    /// The name of a code, or nil if no list has it.
    public subscript(code: Code) -> CodeName? {
        guard hasBuiltIn || !names.isEmpty else { return nil }
        let code = code.canonical
        return addedName(ofCanonical: code) ?? (hasBuiltIn ? BuiltInCodes.name(of: code) : nil)
    }

    /// The name of a code in an EU Digital COVID Certificate. Such a code comes without its code system. Nil if no list
    /// has a name.
    ///
    /// An added name comes first. It is looked up with the code system that the built-in set gives the code, then with
    /// `EUValueSet.defaultSystem`. For a code that the built-in set does not have, the set's other code systems follow.
    /// The name of the built-in set comes last, if this value has built-in names. The names of other lists, such as the
    /// words for laboratory results, are not used.
    ///
    /// - Parameters:
    ///   - code: the code, without white space around it. It is compared byte by byte.
    ///   - set: the value set that the code is from.
    public func name(of code: UTF8Text, in set: EUValueSet) -> CodeName? {
        let entry = set.entry(of: code)
        if !names.isEmpty {
            let systems = entry.map { [$0.system, set.defaultSystem] } ?? set.systems
            for system in systems {
                if let added = addedName(ofCanonical: Code(system: system, code: code).canonical) { return added }
            }
        }
        guard hasBuiltIn, let entry else { return nil }
        let group = group(of: Code(system: entry.system, code: code))
        return CodeName(display: entry.display, source: .euValueSet, group: group)
    }

    /// The group in which a vaccine is counted, such as `COVID-19`. Nil if it is counted by its own code. A code may
    /// have a group, but no name.
    public func group(of code: Code) -> UTF8Text? {
        group(ofCanonical: code.canonical)
    }

    /// The trade names of a vaccine, according to CDC. Empty for codes other than CVX.
    public func tradeNames(of code: Code) -> [UTF8Text] {
        hasBuiltIn ? BuiltInCodes.tradeNames(of: code.canonical) : []
    }

    /// Whether a record with this code is about COVID-19: a vaccine in CVX, SNOMED CT or ICD-11, a test in LOINC, the
    /// disease itself in SNOMED CT (840539006), or a code of an added list about COVID-19 (`CodeList.isOfCOVID19`).
    public func isCOVID19(_ code: Code) -> Bool {
        let code = code.canonical
        return covid19.contains(code) || hasBuiltIn && BuiltInCodes.isCOVID19(code)
    }

    /// Whether a laboratory result means that the thing tested for is or was present (detected, positive, reactive, a
    /// past or recent infection). False for all other results, including presumed and suspected ones. Nil if no list
    /// has the code.
    public func isPositive(_ code: Code) -> Bool? {
        hasBuiltIn ? BuiltInCodes.isPositive(code.canonical) : nil
    }

    /// An added name, with the group that the code has.
    private func addedName(ofCanonical code: Code) -> CodeName? {
        guard let added = names[code] else { return nil }
        guard added.group == nil, let group = group(ofCanonical: code) else { return added }
        return CodeName(display: added.display, source: added.source, group: group)
    }

    private func group(ofCanonical code: Code) -> UTF8Text? {
        if let group = names[code]?.group { return group }
        if hasBuiltIn, let group = BuiltInCodes.group(of: code) { return group }
        return covid19.contains(code) ? Self.covid19Group : nil
    }

    /// The group of the COVID-19 vaccines.
    static let covid19Group: UTF8Text = "COVID-19"
}

/// A name for a code, and its source.
public struct CodeName: Sendable, Hashable {
    /// The name to show.
    public let display: UTF8Text
    /// The source of the name.
    public let source: DisplaySource
    /// The group in which the code is counted. For a vaccine, this is the vaccine group. `CodeNames.group(of:)` also
    /// finds the groups of codes without a name.
    public let group: UTF8Text?

    /// Makes a name, to use with `CodeNames.add(_:for:)`.
    public init(display: UTF8Text, source: DisplaySource, group: UTF8Text? = nil) {
        self.display = display
        self.source = source
        self.group = group
    }
}

/// The source of the words for a code.
public enum DisplaySource: String, Sendable, Hashable {
    /// CDC's lists of vaccines and their manufacturers. Names of COVID-19 vaccines are composed from them.
    case cvx
    /// LOINC.
    case loinc
    /// The project's own words for laboratory results.
    case builtIn = "built-in"
    /// The EU's value sets for EU Digital COVID Certificates (`EUValueSet`).
    case euValueSet = "eu-valueset"
    /// A file that the user gave with `--codes`.
    case codesFile = "codes-file"
    /// The card itself. Its issuer signed the words, but nobody else confirms them.
    case issuer
}
