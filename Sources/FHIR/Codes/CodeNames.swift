public import Encodings

/// Names and groups for codes, from lists that do not come from the card.
///
/// Codes with the same meaning (`Code.canonical`) have one name. Added names have priority over built-in ones.
public struct CodeNames: Sendable {
    /// The lists in use, in the order in which names are looked for: those of the user, the last one first, then the others, the newest
    /// first.
    private(set) var inUse: [ListInUse] = []
    /// Names that a program has set for single codes. They come before those of all lists.
    private var names: [Code: CodeName] = [:]
    /// Whether the built-in lists are in use.
    let usesBuiltIn: Bool

    /// Makes an empty set of names. Records then have the issuer's names, or none.
    public init() {
        usesBuiltIn = false
    }

    private init(_ builtIn: [ListInUse]) {
        inUse = builtIn
        usesBuiltIn = true
    }

    /// The built-in names: CDC's vaccines and manufacturers, words for laboratory results, and the EU's value sets
    /// (`name(of:in:)`).
    public static let builtIn = CodeNames(ListInUse.builtIn.newestFirst(by: \.list.date))

    /// - Parameter names: the names. If there are several for one code, the last is used.
    public init(_ names: some Sequence<(key: Code, value: CodeName)>) {
        self.init()
        for (code, name) in names { add(name, for: code) }
    }

    /// Sets the name of a code. If the name has no group, the code keeps the group that it already has.
    public mutating func add(_ name: CodeName, for code: Code) { names[code.canonical] = name }

    /// Adds a list (`--codes`). Its names have priority over those of installed and built-in lists. Of CDC's tables, the groups and
    /// the names of makers and vaccines are used, but no trade names.
    public mutating func add(_ list: CodeList) {
        inUse.insert(ListInUse(CodeArchive.List(given: list), from: .codesFile), at: 0)
    }

    /// Adds the codes of a FHIR ValueSet or CodeSystem, or of a value set of the EU.
    ///
    /// - Parameter fhirJSON: its JSON.
    /// - Throws: `Malformed` if it cannot be used. Then nothing has been added.
    public mutating func add(fhirJSON: [UInt8]) throws(Malformed) {
        add(try CodeList(fhirJSON: fhirJSON))
    }

    /// Adds the installed lists. For each code, the newest of the installed and the built-in lists decides its name.
    public mutating func add(_ archive: CodeArchive) {
        let given = inUse.filter { $0.source == .codesFile }
        let builtIn = inUse.filter { $0.source == .builtIn }
        let installed = inUse.filter { $0.source == .installed } + archive.lists.map { ListInUse($0, from: .installed) }
        // Of two lists of one day, the installed one comes first.
        inUse = given + (installed + builtIn).newestFirst(by: \.list.date)
    }

    // MARK: Lists

    /// The lists that are in use: the built-in ones, the installed ones, and the added ones.
    package var lists: [KnownCodeList] {
        (usesBuiltIn ? ListInUse.knownBuiltIn + [EUValueSet.list] : [])
            + inUse.filter { $0.source == .installed }.map(\.description)
            + inUse.filter { $0.source == .codesFile }.reversed().map(\.description)
    }

    /// Whether an installed or added list has codes of a code system. The value sets of the EU are left out.
    package func hasOwnList(of system: UTF8Text) -> Bool {
        inUse.contains { $0.source != .builtIn && $0.isForCards(of: system) }
    }

    /// Whether a built-in list has codes of a code system, if those lists are in use. They have all codes of CVX, and of other code
    /// systems only a part, such as the codes about COVID-19.
    package func hasBuiltInList(of system: UTF8Text) -> Bool {
        inUse.contains { $0.source == .builtIn && $0.isForCards(of: system) }
    }

    /// Whether a list in use has codes of a code system.
    func hasList(of system: UTF8Text) -> Bool { inUse.contains { $0.isForCards(of: system) } }

    /// The date of the newest list that has codes of a code system (`YYYY-MM-DD`). Nil if there is no such list, or if none has a
    /// date.
    public func newestDate(of system: UTF8Text) -> String? {
        inUse.filter { $0.isForCards(of: system) }.map(\.list.date).filter { !$0.isEmpty }
            .max { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    // MARK: Names

    /// The name of a code, or nil if no list has it.
    public subscript(code: Code) -> CodeName? { name(ofCanonical: code.canonical) { !$0.isOfICVP } }

    /// What a code stands for of which the built-in lists know the kind and have no name, such as "COVID-19 antigen test".
    func kind(of code: Code) -> UTF8Text? {
        let code = code.canonical
        guard usesBuiltIn, let finding = ListInUse.covid19.finding(on: code) else { return nil }
        return UTF8Text("\(Self.covid19Group) \(code.system == Code.loinc ? finding.test ?? "test" : "vaccine")")
    }

    /// The name of a vaccine or a disease in WHO's certificate of vaccination (ICVP); nil if no list has one. WHO's own lists are
    /// built in. An added name comes first, and that of an installed list if the list is not older.
    public func nameInICVP(of code: Code) -> CodeName? {
        name(ofCanonical: code.canonical) { $0.source != .builtIn || $0.isOfICVP || $0.isOfWHOProducts }
    }

    /// The name of a code in the first of some lists that has one.
    private func name(ofCanonical code: Code, in isWanted: (ListInUse) -> Bool) -> CodeName? {
        if let own = names[code] {
            return CodeName(display: own.display, source: own.source, group: own.group ?? group(ofCanonical: code))
        }
        for list in inUse where isWanted(list) && list.hasNames(of: code.system) {
            guard let finding = list.finding(on: code), let name = finding.name else { continue }
            let source = list.displaySource(of: code)
            guard list.source == .builtIn else {
                return CodeName(display: name, source: source, group: group(ofCanonical: code))
            }
            // Of the built-in names, only those of CVX are of vaccines that are counted in groups.
            let group = code.system == Code.cvx ? finding.group ?? group(ofCanonical: code) : nil
            return CodeName(display: name, source: source, group: group)
        }
        return nil
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
    package func name(of code: UTF8Text, in set: EUValueSet) -> CodeName? {
        let entry = set.entry(of: code)
        if !names.isEmpty || inUse.contains(where: { $0.source != .builtIn }) {
            let systems = entry.map { [$0.system, set.defaultSystem] } ?? set.systems
            let codes = systems.map { Code(system: $0, code: code).canonical }
            let given = codes.lazy.compactMap { name(ofCanonical: $0) { $0.source == .codesFile } }.first
            if let given { return given }
            // An older list does not replace a name of the built-in set.
            let isNoOlder = { (list: ListInUse) in
                entry == nil || !usesBuiltIn || !list.list.date.utf8.lexicographicallyPrecedes(EUValueSet.date.utf8)
            }
            let installed = codes.lazy
                .compactMap { name(ofCanonical: $0) { $0.source == .installed && isNoOlder($0) } }.first
            if let installed { return installed }
        }
        guard usesBuiltIn, let entry else { return nil }
        let group = group(of: Code(system: entry.system, code: code))
        return CodeName(display: entry.display, source: .euValueSet, group: group)
    }

    /// The trade names of a vaccine, according to CDC. Empty for codes other than CVX.
    public func tradeNames(of code: Code) -> [UTF8Text] {
        let code = code.canonical
        let lists = inUse.filter { $0.form == .tradeNames && $0.source != .codesFile }
        // The newest installed list comes before the built-in one.
        let newest = [lists.first { $0.source == .installed }, lists.first { $0.source == .builtIn }]
        guard code.system == Code.cvx else { return [] }
        return newest.compactMap { $0?.finding(on: code)?.names }.first { !$0.isEmpty } ?? []
    }

    // MARK: What a code is about

    /// Whether a code is that of the disease itself. The built-in lists have no names for these.
    private func isBuiltIn(_ code: Code, of disease: TargetDisease) -> Bool {
        usesBuiltIn && disease.codes.contains(code)
    }

    /// Whether any list in use has the code. The value sets of the EU are left out, because their codes are read only in EU
    /// certificates, which name the disease.
    public func isKnown(_ code: Code) -> Bool {
        let code = code.canonical
        return names[code] != nil || isBuiltIn(code, of: .covid19)
            || inUse.contains { $0.isForCards && $0.finding(on: code) != nil }
    }

    /// Whether a list in use says of a code whether it is about a disease. A name alone does not. The value sets of the EU are left out.
    public func isTold(_ code: Code, of disease: TargetDisease = .covid19) -> Bool {
        let code = code.canonical
        return isBuiltIn(code, of: .covid19)
            || inUse.contains { $0.isForCards && $0.finding(on: code)?.tells(of: disease) == true }
    }

    /// Whether a record with this code is about COVID-19 (`isAbout(_:_:)`).
    public func isCOVID19(_ code: Code) -> Bool { isAbout(.covid19, code) }

    /// Whether a record with this code is about a disease. For COVID-19, the built-in lists have vaccines in CVX, SNOMED CT and
    /// ICD-11, tests in LOINC, and the disease itself in SNOMED CT (840539006) and ICD-11; for others, vaccines in CVX and ICD-11.
    /// A built-in list or a table of CDC that says so counts. Another list counts for codes of which the built-in ones do not tell: what
    /// somebody says of a whole list, or a name in it, is no better than what is known of one code.
    package func isAbout(_ disease: TargetDisease, _ code: Code) -> Bool {
        let code = code.canonical
        guard !isBuiltIn(code, of: disease) else { return true }
        var (isTold, isSaid) = (false, false)
        for list in inUse {
            guard let finding = list.finding(on: code) else { continue }
            let isAbout = finding.isAbout(disease)
            if list.source == .builtIn || list.form.isOfCDC {
                guard !isAbout else { return true }
                isTold = isTold || list.source == .builtIn && finding.tells(of: disease)
            } else {
                isSaid = isSaid || isAbout
            }
        }
        return isSaid && !isTold
    }

    /// Whether a condition with this code is COVID-19.
    func isInfectionWithCOVID19(_ code: Code) -> Bool {
        let code = code.canonical
        return isBuiltIn(code, of: .covid19)
            || inUse.contains { $0.finding(on: code)?.isInfection == true } && isAbout(.covid19, code)
    }

    /// Whether a laboratory result means that the thing tested for is or was present (detected, positive, reactive, a
    /// past or recent infection). False for all other results, including presumed and suspected ones. Nil if no list
    /// has the code.
    public func isPositive(_ code: Code) -> Bool? {
        usesBuiltIn ? ListInUse.results.finding(on: code.canonical)?.isPositive : nil
    }

    /// The group in which a vaccine is counted, such as `COVID-19`. Nil if it is counted by its own code. A code may
    /// have a group, but no name.
    public func group(of code: Code) -> UTF8Text? { group(ofCanonical: code.canonical) }

    /// The built-in group comes first, so that old and new vaccines against one disease are counted together.
    private func group(ofCanonical code: Code) -> UTF8Text? {
        if let group = names[code]?.group { return group }
        // Trade names have no group.
        for list in inUse where list.source == .builtIn && list.form != .tradeNames {
            if let group = list.finding(on: code)?.group { return group }
        }
        var found: UTF8Text?
        for list in inUse where list.source != .builtIn {
            guard let finding = list.finding(on: code) else { continue }
            if finding.isAbout(.covid19), isAbout(.covid19, code) { return Self.covid19Group }
            found = found ?? finding.group
        }
        return found
    }

    /// The group of the COVID-19 vaccines.
    static let covid19Group: UTF8Text = "COVID-19"
}

/// A list of codes, and where it is from. A class, since each look-up goes through all of them, and copies would take most of its time.
final class ListInUse: Sendable {
    let list: CodeArchive.List
    let source: KnownCodeList.Source
    let form: CodeList.Form
    private let tables: [CodeArchive.List.Table]
    /// Where the tables of code systems are; nil if they are so few that they are searched one by one.
    private let places: [UTF8Text: Int]?
    /// What is said of an installed or added list, which may have many code systems; nil for a built-in one.
    private let known: KnownCodeList?
    /// Whether its names are used in ICVP alone.
    let isOfICVP: Bool
    /// Whether it has WHO's products, which ICVP names too.
    let isOfWHOProducts: Bool

    init(_ list: CodeArchive.List, from source: KnownCodeList.Source) {
        self.list = list
        self.source = source
        form = list.form
        tables = list.tables
        places =
            tables.count < 16
            ? nil : Dictionary(zip(tables.map(\.system), tables.indices)) { first, _ in first }
        known = source == .builtIn ? nil : KnownCodeList(list, from: source)
        isOfICVP = source == .builtIn && list.id == Code.icd11
        isOfWHOProducts = source == .builtIn && list.id == Code.whoProducts
    }

    /// Whether it is read for cards, and not only for certificates of the EU.
    var isForCards: Bool { form != .euValueSet }

    /// Whether it is read for cards, and has codes of a code system.
    func isForCards(of system: UTF8Text) -> Bool {
        guard isForCards else { return false }
        return places.map { $0[system] != nil } ?? tables.indices.contains { tables[$0].system == system }
    }

    /// What the list says of a code in its canonical form; nil if it does not have the code.
    func finding(on code: Code) -> CodeArchive.List.Finding? {
        guard let places else { return CodeArchive.List.finding(on: code, in: tables[...]) }
        return places[code.system ?? ""].flatMap { CodeArchive.List.finding(on: code, in: tables[$0...$0]) }
    }

    /// What is said of the list.
    var description: KnownCodeList { known ?? KnownCodeList(list, from: source) }

    /// Whether it names the codes of a system: not if it has groups or trade names of vaccines.
    func hasNames(of system: UTF8Text?) -> Bool {
        form != .vaccineGroups && (form != .tradeNames || system != Code.cvx)
    }

    /// The source of the words for a code.
    func displaySource(of code: Code) -> DisplaySource {
        switch (source, code.system) {
        case (.codesFile, _): .codesFile
        case (.builtIn, Code.whoProducts): .whoPrequalified
        case (.builtIn, Code.icd11): .icd11
        case (.installed, _) where form == .euValueSet: .euValueSet
        case (_, Code.cvx), (_, Code.mvx): .cvx
        case (.builtIn, _): .builtIn
        case (.installed, Code.loinc): .loinc
        case (.installed, _): .installed
        }
    }
}

/// A list of codes that is in use: what it is called, how old it is, and where it is from.
package struct KnownCodeList: Sendable, Hashable {
    /// Where a list is from.
    package enum Source: String, Sendable, Hashable, CaseIterable {
        /// It is part of this release.
        case builtIn = "built-in"
        /// It was installed.
        case installed
        /// The user gave it (`--codes`).
        case codesFile = "codes-file"
    }

    /// The name for people.
    package let name: UTF8Text
    /// The date (`YYYY-MM-DD`); nil if it is not known. That of an installed list without a date is the day of its installation.
    package let date: String?
    /// Whether the list itself has a date.
    package let isDated: Bool
    /// Where it is from.
    package let source: Source
    /// The number of codes.
    package let count: Int
    /// The code systems of its codes.
    package let systems: [UTF8Text]
    /// Where an installed list came from: the name of a file or an address. Nil for others.
    package let origin: UTF8Text?
}

extension KnownCodeList {
    fileprivate init(_ list: CodeArchive.List, from source: Source) {
        // A list that was given stays without a date if it has none.
        self.init(
            name: list.name, date: list.date.isEmpty ? nil : list.date, isDated: list.isDated, source: source,
            count: list.count, systems: list.systems, origin: source == .installed ? list.origin : nil)
    }
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
public enum DisplaySource: String, Sendable, Hashable, CaseIterable {
    /// CDC's lists of vaccines and their manufacturers. Names of COVID-19 vaccines are composed from them.
    case cvx
    /// LOINC.
    case loinc
    /// The project's own words for laboratory results.
    case builtIn = "built-in"
    /// The EU's value sets for EU Digital COVID Certificates (`EUValueSet`).
    case euValueSet = "eu-valueset"
    /// WHO's list of prequalified vaccines, for its certificate of vaccination (ICVP).
    case whoPrequalified = "who-prequal"
    /// WHO's names for codes of ICD-11, for the same certificate.
    case icd11 = "icd-11"
    /// A file that the user gave with `--codes`.
    case codesFile = "codes-file"
    /// An installed list of another code system (`CodeArchive`).
    case installed
    /// The card itself. Its issuer signed the words, but nobody else confirms them.
    case issuer = "card"
}
