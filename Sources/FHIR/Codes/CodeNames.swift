public import Bytes
public import StrictJSON

/// Names and groups for codes, from lists that do not come from the card.
///
/// Codes with the same meaning (`Code.canonical`) have one name. Added names have priority over built-in ones.
public struct CodeNames: Sendable {
    private(set) var names: [Code: CodeName] = [:]
    /// The groups of vaccines in added lists without names.
    private(set) var groups: [Code: UTF8Text] = [:]
    /// The codes that were added, with or without a name.
    private(set) var added: [Code: Addition] = [:]
    /// The installed lists, the newest first.
    private(set) var installed: [CodeArchive.List] = []
    /// The added lists, in their order.
    private(set) var given: [KnownCodeList] = []
    /// The code systems of the added lists, without those of the EU's value sets.
    private var givenSystems: Set<UTF8Text> = []
    private let hasBuiltIn: Bool

    /// What added names and lists say of a code.
    struct Addition {
        var diseases: Set<TargetDisease> = []
        var isInfection = false
        var isTelling = false
        /// Whether it is in anything but a value set of the EU.
        var isForCards = false
    }

    /// Makes an empty set of names. Records then have the issuer's names, or none.
    public init() {
        hasBuiltIn = false
    }

    /// The built-in names: CDC's vaccines and manufacturers, words for laboratory results, and the EU's value sets
    /// (`name(of:in:)`). They need no preparation, because a look-up searches a text in the executable.
    public static let builtIn = CodeNames(hasBuiltIn: true)

    /// The lists that are in use: the built-in ones, the installed ones, and the added ones.
    public var lists: [KnownCodeList] {
        (hasBuiltIn ? BuiltInCodes.lists : []) + installed.map { KnownCodeList($0) } + given
    }

    /// Whether the built-in lists are in use.
    var usesBuiltIn: Bool { hasBuiltIn }

    /// Whether an installed or added list has codes of a code system. The value sets of the EU are left out.
    package func hasOwnList(of system: UTF8Text) -> Bool {
        installed.contains { $0.isOfCards(in: system) } || givenSystems.contains(system)
    }

    /// Whether a built-in list has codes of a code system, if those lists are in use. They have all codes of CVX, and of other code
    /// systems only a part, such as the codes about COVID-19.
    package func hasBuiltInList(of system: UTF8Text) -> Bool {
        hasBuiltIn && BuiltInCodes.lists.contains { $0.isOfCards(in: system) }
    }

    /// Whether a list in use has codes of a code system.
    func hasList(of system: UTF8Text) -> Bool { hasOwnList(of: system) || hasBuiltInList(of: system) }

    /// The date of the newest list that has codes of a code system (`YYYY-MM-DD`). Nil if there is no such list, or if none has a
    /// date.
    public func newestDate(of system: UTF8Text) -> String? {
        let builtIn = (hasBuiltIn ? BuiltInCodes.lists : []).filter { $0.isOfCards(in: system) }
        let others = givenSystems.contains(system) ? given.filter { $0.isOfCards(in: system) } : []
        return ((builtIn + others).compactMap(\.date) + installed.filter { $0.isOfCards(in: system) }.map(\.date))
            .max { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

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
        added[code.canonical, default: Addition()].isTelling = true
        added[code.canonical]?.isForCards = true
    }

    /// Adds a list (`--codes`). Its names have priority over those of installed and built-in lists. Of CDC's tables, the groups and
    /// the names of makers and vaccines are used, but no trade names.
    public mutating func add(_ list: CodeList) {
        let known = KnownCodeList(list)
        given.append(known)
        if !known.isForCertificates { givenSystems.formUnion(known.systems) }
        for entry in list.entries {
            let code = entry.code.canonical
            var addition = added[code] ?? Addition()
            addition.diseases.formUnion(entry.diseases)
            if entry.isInfection { addition.isInfection = true }
            if list.form != .euValueSet {
                addition.isForCards = true
                if entry.isTelling { addition.isTelling = true }
            }
            added[code] = addition
            if let display = entry.display, list.form != .tradeNames || code.system != Code.cvx {
                names[code] = CodeName(display: display, source: .codesFile, group: entry.group)
            }
            if let group = entry.group, entry.display == nil { groups[code] = group }
        }
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
        installed = (installed + archive.lists).enumerated().sorted { left, right in
            left.element.date == right.element.date
                ? left.offset < right.offset : right.element.date.utf8.lexicographicallyPrecedes(left.element.date.utf8)
        }.map(\.element)
    }

    /// The name of a code, or nil if no list has it.
    public subscript(code: Code) -> CodeName? {
        guard hasBuiltIn || !names.isEmpty || !installed.isEmpty else { return nil }
        let code = code.canonical
        if let added = addedName(ofCanonical: code) { return added }
        let builtIn = hasBuiltIn ? BuiltInCodes.name(of: code) : nil
        let isNoOlder = { (date: String) in
            builtIn == nil || !date.utf8.lexicographicallyPrecedes(BuiltInCodes.date(of: code.system).utf8)
        }
        return installedName(ofCanonical: code, ifDate: isNoOlder) ?? builtIn
    }

    /// The name that the newest installed list has for a code, if the date of that list is suitable.
    private func installedName(ofCanonical code: Code, ifDate isSuitable: (String) -> Bool) -> CodeName? {
        for list in installed {
            guard let name = list.name(of: code) else { continue }
            guard isSuitable(list.date) else { return nil }
            return CodeName(display: name, source: list.displaySource(of: code), group: group(ofCanonical: code))
        }
        return nil
    }

    /// Whether any list in use has the code. The value sets of the EU are left out, because their codes are read only in EU
    /// certificates, which name the disease.
    public func isKnown(_ code: Code) -> Bool {
        let code = code.canonical
        return added[code]?.isForCards == true
            || installed.contains { $0.form != .euValueSet && $0.finding(on: code) != nil }
            || hasBuiltIn && BuiltInCodes.has(code)
    }

    /// Whether a list in use that has the code also tells what it is about: by a name, by a group, or because the list is about one
    /// disease. The value sets of the EU are left out.
    public func isTold(_ code: Code) -> Bool {
        let code = code.canonical
        return added[code].map { $0.isForCards && $0.isTelling } == true
            || installed.contains { $0.form != .euValueSet && $0.finding(on: code)?.isTelling == true }
            || hasBuiltIn && BuiltInCodes.has(code)
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
        for system in installed.isEmpty ? [] : entry.map({ [$0.system, set.defaultSystem] }) ?? set.systems {
            let isNoOlder = { (date: String) in
                entry == nil || !hasBuiltIn || !date.utf8.lexicographicallyPrecedes(EUValueSet.date.utf8)
            }
            let code = Code(system: system, code: code).canonical
            if let name = installedName(ofCanonical: code, ifDate: isNoOlder) { return name }
        }
        guard hasBuiltIn, let entry else { return nil }
        let group = group(of: Code(system: entry.system, code: code))
        return CodeName(display: entry.display, source: .euValueSet, group: group)
    }

    /// The name of a vaccine or a disease in WHO's certificate of vaccination (ICVP); nil if no list has one. WHO's own lists are
    /// built in. An added name comes first, and that of an installed list if the list is not older.
    public func nameInICVP(of code: Code) -> CodeName? {
        let code = code.canonical
        if let added = addedName(ofCanonical: code) { return added }
        let builtIn = hasBuiltIn ? BuiltInCodes.icvpName(of: code) : nil
        let isNoOlder = { (date: String) in
            builtIn == nil || !date.utf8.lexicographicallyPrecedes(CodeTable.icvpDate.utf8)
        }
        return installedName(ofCanonical: code, ifDate: isNoOlder) ?? builtIn
    }

    /// The group in which a vaccine is counted, such as `COVID-19`. Nil if it is counted by its own code. A code may
    /// have a group, but no name.
    public func group(of code: Code) -> UTF8Text? {
        group(ofCanonical: code.canonical)
    }

    /// The trade names of a vaccine, according to CDC. Empty for codes other than CVX.
    public func tradeNames(of code: Code) -> [UTF8Text] {
        let code = code.canonical
        if code.system == Code.cvx, let list = installed.first(where: { $0.form == .tradeNames }),
            let names = list.finding(on: code)?.names, !names.isEmpty
        {
            return Array(names)
        }
        return hasBuiltIn ? BuiltInCodes.tradeNames(of: code) : []
    }

    /// Whether a record with this code is about COVID-19 (`isAbout(_:_:)`).
    public func isCOVID19(_ code: Code) -> Bool { isAbout(.covid19, code) }

    /// Whether a record with this code is about a disease. For COVID-19, the built-in lists have vaccines in CVX, SNOMED CT and
    /// ICD-11, tests in LOINC, and the disease itself in SNOMED CT (840539006) and ICD-11; for others, vaccines in CVX and ICD-11.
    /// Any list that says so counts.
    public func isAbout(_ disease: TargetDisease, _ code: Code) -> Bool {
        let code = code.canonical
        return added[code]?.diseases.contains(disease) == true
            || installed.contains { $0.finding(on: code)?.isAbout(disease) == true }
            || hasBuiltIn && BuiltInCodes.isAbout(disease, code)
    }

    /// Whether a condition with this code is COVID-19. A name that contains the word is not enough, because a contact or a suspicion
    /// has such a name as well: the title of a list has to say so, or a name that says nothing else.
    func isInfectionWithCOVID19(_ code: Code) -> Bool {
        let code = code.canonical
        return added[code]?.isInfection == true
            || installed.contains { $0.finding(on: code)?.isInfection == true }
            || hasBuiltIn && BuiltInCodes.isAbout(.covid19, code)
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
        if added[code]?.diseases.contains(.covid19) == true { return Self.covid19Group }
        let findings = installed.lazy.compactMap { $0.finding(on: code) }
        if findings.contains(where: { $0.isAbout(.covid19) }) { return Self.covid19Group }
        return groups[code] ?? findings.compactMap(\.group).first
    }

    /// The group of the COVID-19 vaccines.
    static let covid19Group: UTF8Text = "COVID-19"
}

/// A list of codes that is in use: what it is called, how old it is, and where it is from.
public struct KnownCodeList: Sendable, Hashable {
    /// Where a list is from.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// It is part of this release.
        case builtIn = "built-in"
        /// It was installed.
        case installed
        /// The user gave it (`--codes`).
        case codesFile = "codes-file"
    }

    /// The name for people.
    public let name: UTF8Text
    /// The date (`YYYY-MM-DD`); nil if it is not known. That of an installed list without a date is the day of its installation.
    public let date: String?
    /// Whether the list itself has a date.
    public let isDated: Bool
    /// Where it is from.
    public let source: Source
    /// The number of codes.
    public let count: Int
    /// The code systems of its codes.
    public let systems: [UTF8Text]
    /// Where an installed list came from: the name of a file or an address. Nil for others.
    public let origin: UTF8Text?
    /// Whether it is a value set of the EU, for certificates only.
    let isForCertificates: Bool

    /// Whether it has codes of a code system for cards.
    fileprivate func isOfCards(in system: UTF8Text) -> Bool { !isForCertificates && systems.contains(system) }

    init(_ name: UTF8Text, date: String, count: Int, systems: [UTF8Text], isForCertificates: Bool = false) {
        self.isForCertificates = isForCertificates
        self.name = name
        self.date = date
        isDated = true
        source = .builtIn
        self.count = count
        self.systems = systems
        origin = nil
    }

    init(_ list: CodeArchive.List) {
        isForCertificates = list.form == .euValueSet
        name = list.name
        date = list.date
        isDated = list.isDated
        source = .installed
        count = list.count
        systems = list.systems
        origin = list.origin
    }

    init(_ list: CodeList) {
        isForCertificates = list.form == .euValueSet
        name = list.name
        date = list.date
        isDated = list.date != nil
        source = .codesFile
        count = Set(list.entries.map(\.code.canonical)).count
        systems = Set(list.entries.compactMap(\.code.canonical.system)).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        origin = nil
    }
}

extension CodeArchive.List {
    /// Whether it has codes of a code system for cards.
    fileprivate func isOfCards(in system: UTF8Text) -> Bool { form != .euValueSet && tables[system] != nil }

    /// The source of the words for a code.
    fileprivate func displaySource(of code: Code) -> DisplaySource {
        switch code.system {
        case _ where form == .euValueSet: .euValueSet
        case Code.cvx, Code.mvx: .cvx
        case Code.loinc: .loinc
        default: .installed
        }
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
