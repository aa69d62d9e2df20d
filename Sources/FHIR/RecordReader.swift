import JSON

/// Turns the resources of a Bundle into records.
///
/// What a record takes from other resources (names of organizations, codes of medicines) is read from each once, and
/// bounded in all: a card in which every record refers to one enormous resource stays as large as it is.
struct RecordReader {
    private let bundle: FHIRBundle
    private let names: CodeNames
    private let subjectIndices: [Int: Int]
    /// What entries that were referred to are called.
    private var entryNames: [Int: UTF8Text?] = [:]
    /// What entries that roles referred to call themselves.
    private var holderNames: [Int: UTF8Text?] = [:]
    /// What entries that were referred to are of, and how much text that is.
    private var entryConcepts: [Int: (concept: CodeableConcept?, size: Int)] = [:]
    /// Medications whose codes a record has taken over.
    private var takenOver: Set<Int> = []
    /// The types of the resources that are no record of their own.
    private(set) var supportingTypes: Set<UTF8Text> = []
    /// How much text records may still take from other resources, in UTF-8 bytes. Past it a reference leads nowhere.
    private var borrowable = 1 << 20

    /// How many performers are looked at for one with a name.
    private static let performersTried = 8

    /// - Parameter subjects: the Patients, in the order of the card.
    init(bundle: FHIRBundle, subjects: [Subject], names: CodeNames) {
        self.bundle = bundle
        self.names = names
        subjectIndices = .init(subjects.enumerated().map { ($1.entryIndex, $0) }) { first, _ in first }
    }

    /// The records in the order of the entries. A Medication that another record names is part of that one.
    mutating func records() -> [Record] {
        var records: [Record] = []
        records.reserveCapacity(bundle.entries.count)
        for (index, entry) in bundle.entries.enumerated() {
            guard let resource = entry.resource else { continue }
            if ResourceShape.supporting.contains(resource.resourceType) {
                supportingTypes.insert(resource.resourceType)
            } else {
                records.append(record(of: resource, at: index))
            }
        }
        if !takenOver.isEmpty {
            let count = records.count
            records.removeAll { $0.resourceType == "Medication" && takenOver.contains($0.entryIndex) }
            if records.count < count { supportingTypes.insert("Medication") }
        }
        return records
    }

    private mutating func record(of resource: FHIRResource, at index: Int) -> Record {
        let isImmunization = resource.type == .immunization
        let maker = isImmunization ? resource.value["manufacturer"] : nil
        let makerCode = maker?["identifier"].flatMap { identifier in
            identifier.text("value").map { Code(system: identifier.text("system"), code: $0) }
        }
        return Record(
            resourceType: resource.resourceType, type: resource.type,
            concept: concept(of: resource),
            date: resource.date, hasUnreadableDate: resource.hasUnreadableDate, status: resource.status,
            verificationStatus: resource.verificationStatus,
            isNotDone: resource.isNotDone,
            isSubpotent: isImmunization ? resource.value["isSubpotent"]?.boolean : nil,
            performer: performer(of: resource),
            lotNumber: isImmunization ? resource.value.text("lotNumber") : nil,
            manufacturer: makerCode.flatMap { names[$0]?.display } ?? maker.flatMap { name(of: $0, in: resource) },
            manufacturerCode: makerCode,
            doseNumber: isImmunization ? Self.doseNumber(of: resource) : nil,
            results: RecordResult.all(of: resource, names: names),
            identityAssurance: resource.identityAssurance,
            subjectIndex: subjectIndex(of: resource), entryIndex: index)
    }

    private static func doseNumber(of resource: FHIRResource) -> UTF8Text? {
        for element in ["protocolApplied", "vaccinationProtocol"] {
            for series in resource.value.all(element) {
                let number = series["doseNumberPositiveInt"] ?? series["doseSequence"]
                if let dose = number?.number.map({ UTF8Text($0.digits) }) ?? series.text("doseNumberString") {
                    return dose
                }
            }
        }
        return nil
    }

    /// Which Patient the record is about. Nil unless every element that says whose record it is leads to the same one:
    /// nobody is guessed.
    private func subjectIndex(of resource: FHIRResource) -> Int? {
        var found: Int?
        for name in ["patient", "subject", "beneficiary"] {
            guard let element = resource.value.optional(name) else { continue }
            guard let reference = element.text("reference"),
                case .entry(let index)? = bundle.target(of: reference, from: resource),
                let subject = subjectIndices[index], found == nil || found == subject
            else { return nil }
            found = subject
        }
        return found
    }

    // MARK: What it is of

    private mutating func concept(of resource: FHIRResource) -> CodedText {
        if let own = resource.code { return CodedText(own, title: resource.title, names: names) }
        if let element = resource.shape.codeReference, let reference = resource.value[element] {
            let referred = concept(referredToBy: reference, in: resource)
            return CodedText(referred, title: reference.text("display"), names: names)
        }
        return CodedText(nil, title: resource.title, names: names)
    }

    private mutating func concept(referredToBy reference: JSONValue, in resource: FHIRResource) -> CodeableConcept? {
        guard let address = reference.text("reference") else { return nil }
        switch bundle.target(of: address, from: resource) {
        case .contained(let target)?: return target.code
        case .entry(let index)?:
            let known = entryConcepts[index] ?? Self.measured(bundle.entries[index].resource?.code)
            entryConcepts[index] = known
            guard let concept = known.concept, borrow(known.size) else { return nil }
            takenOver.insert(index)
            return concept
        case nil: return nil
        }
    }

    // MARK: Who did it

    private mutating func performer(of resource: FHIRResource) -> UTF8Text? {
        for element in resource.shape.performer {
            for performer in resource.value.all(element).prefix(Self.performersTried) {
                let reference = performer["actor"] ?? performer["agent"] ?? performer
                if let found = name(of: reference, in: resource) { return found }
            }
        }
        return nil
    }

    /// What a reference calls its target, else what the target calls itself.
    private mutating func name(of reference: JSONValue, in resource: FHIRResource) -> UTF8Text? {
        if let display = reference.text("display") { return display }
        guard let address = reference.text("reference") else { return nil }
        switch bundle.target(of: address, from: resource) {
        case .contained(let target)?: return ownName(of: target, in: resource)
        case .entry(let index)?: return entryName(index).flatMap { borrow($0.utf8.count) ? $0 : nil }
        case nil: return nil
        }
    }

    /// What an entry's resource is called, read once.
    private mutating func entryName(_ index: Int) -> UTF8Text? {
        if let known = entryNames[index] { return known }
        let found = bundle.entries[index].resource.flatMap { ownName(of: $0, in: $0) }
        entryNames.updateValue(found, forKey: index)
        return found
    }

    /// A resource's own name; of a role, that of its practitioner or organization, one step away.
    private mutating func ownName(of target: FHIRResource, in source: FHIRResource) -> UTF8Text? {
        guard target.resourceType == "PractitionerRole" else { return target.name }
        for element in ["practitioner", "organization"] {
            guard let reference = target.value[element] else { continue }
            if let display = reference.text("display") { return display }
            guard let address = reference.text("reference") else { continue }
            switch bundle.target(of: address, from: source) {
            case .contained(let holder)?: if let found = holder.name { return found }
            case .entry(let index)?: if let found = holderName(index) { return found }
            case nil: continue
            }
        }
        return nil
    }

    /// The name that a role's holder has itself, read once: many roles may be of one organization.
    private mutating func holderName(_ index: Int) -> UTF8Text? {
        if let known = holderNames[index] { return known }
        let found = bundle.entries[index].resource?.name
        holderNames.updateValue(found, forKey: index)
        return found
    }

    private mutating func borrow(_ size: Int) -> Bool {
        guard size <= borrowable else { return false }
        borrowable -= size
        return true
    }

    /// A concept, and how much text it is: with something for each coding, which takes room as well.
    private static func measured(_ concept: CodeableConcept?) -> (concept: CodeableConcept?, size: Int) {
        var size = concept?.text?.utf8.count ?? 0
        for coding in concept?.codings ?? [] {
            size += 16 + (coding.system?.utf8.count ?? 0) + (coding.code?.utf8.count ?? 0)
            size += coding.display?.utf8.count ?? 0
        }
        return (concept, size)
    }
}
