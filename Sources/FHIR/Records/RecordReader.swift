import Encodings

/// Turns the resources of a Bundle into records.
///
/// Records also take text from other resources (names of organizations, codes of medicines). That text is read once per
/// resource and limited in total. So many references to one huge resource do not multiply its size.
struct RecordReader {
    private let bundle: FHIRBundle
    private let names: CodeNames
    private let moment: FHIRDate?
    private let subjectIndices: [Int: Int]
    /// Whether the card has a single person: one Patient, and nothing that another program may take for one.
    private let hasOnePerson: Bool
    /// The names of entries that were referred to.
    private var entryNames: [Int: UTF8Text?] = [:]
    /// The names of entries that roles referred to, without following further references.
    private var holderNames: [Int: UTF8Text?] = [:]
    /// The concepts of entries that were referred to, and their sizes.
    private var entryConcepts: [Int: (concept: CodeableConcept?, size: Int)] = [:]
    /// Whether entries that were referred to for their codes have a modifier.
    private var modifiedEntries: [Int: Bool] = [:]
    /// Medications whose codes another record has used.
    private var takenOver: Set<Int> = []
    /// The types of the resources that are not records of their own.
    private(set) var supportingTypes: Set<UTF8Text> = []
    /// Those of them of which a resource is of a person on the card.
    private(set) var attributedTypes: Set<UTF8Text> = []
    /// How much text records may still take from other resources, in bytes. When it is used up, references are not
    /// followed.
    private var borrowable = 1 << 20

    /// How many performers are tried to find one with a name.
    private static let performersTried = 8

    /// - Parameters:
    ///   - subjects: the Patients, in the order of the card.
    ///   - moment: the moment for which the records are read; nil to disregard whether they are in force.
    init(bundle: FHIRBundle, subjects: [Subject], names: CodeNames, at moment: FHIRDate?) {
        self.bundle = bundle
        self.names = names
        self.moment = moment
        subjectIndices = .init(subjects.enumerated().map { ($1.entryIndex, $0) }) { first, _ in first }
        hasOnePerson = subjects.count == 1
    }

    /// The records in the order of the entries. A Medication that another record refers to becomes part of that record.
    mutating func records() -> [Record] {
        var records: [Record] = []
        records.reserveCapacity(bundle.entries.count)
        for (index, entry) in bundle.entries.enumerated() {
            guard let resource = entry.resource else { continue }
            if !resource.isRecord {
                supportingTypes.insert(resource.resourceType)
                // A Patient is the person.
                if resource.resourceType == "Patient" || isAttributed(person(of: resource)) {
                    attributedTypes.insert(resource.resourceType)
                }
            } else {
                var record = record(of: resource, at: index)
                // An entry may have one too.
                record.hasUnknownModifier = FHIRResource.hasModifier(entry.value) || isOfModified(resource)
                if resource.resourceType == "Coverage" {
                    setCoverage(of: resource, in: &record)
                } else {
                    record.setLapse(at: moment)
                }
                records.append(record)
            }
        }
        if !takenOver.isEmpty {
            let isPart = { (record: Record) in
                record.resourceType == "Medication" && takenOver.contains(record.entryIndex)
            }
            let parts = records.filter(isPart)
            if !parts.isEmpty { supportingTypes.insert("Medication") }
            if parts.contains(where: { $0.isAttributed && $0.objection == nil }) {
                attributedTypes.insert("Medication")
            }
            records.removeAll(where: isPart)
        }
        return records
    }

    /// Whether the entry that a resource refers to for its code has a modifier. It is searched once, because many may refer to it. What is
    /// contained is searched with the resource.
    private mutating func isOfModified(_ resource: FHIRResource) -> Bool {
        guard let address = resource.codeReference?.text("reference"),
            case .entry(let index)? = bundle.target(of: address, from: resource)
        else { return false }
        let isModified = modifiedEntries[index] ?? FHIRResource.hasModifier(bundle.entries[index].value)
        modifiedEntries[index] = isModified
        return isModified
    }

    private mutating func record(of resource: FHIRResource, at index: Int) -> Record {
        let isImmunization = resource.type == .immunization
        let person = person(of: resource)
        let concept = concept(of: resource)
        let maker = isImmunization ? resource.value["manufacturer"] : nil
        let makerCode = maker?["identifier"].flatMap { identifier in
            identifier.text("value").map { Code(system: identifier.text("system"), code: $0) }
        }
        return Record(
            resourceType: resource.resourceType, type: resource.type,
            concept: concept,
            date: resource.resourceType == "Coverage" ? resource.value["period"]?.text("start") : resource.date,
            hasUnreadableDate: resource.hasUnreadableDate, status: resource.status,
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
            subjectIndex: person.index, isAttributed: isAttributed(person), entryIndex: index,
            isAbsent: concept.codes.contains { AbsenceCode.name(of: $0) != nil },
            statusObjection: resource.statusObjection)
    }

    // MARK: Insurance cards

    /// Adds what only an insurance card says. Its performer is the payer.
    private mutating func setCoverage(of resource: FHIRResource, in record: inout Record) {
        var coverage = CoverageDetails(resource.value)
        var payers = resource.value.all("payor")
        if let payer = payers.next() {
            let organization = organization(of: payer, in: resource)
            // Many coverages may name one Organization with many contacts.
            let hasContacts = organization?["contact"].map { borrow($0.rawBytes.count) } ?? false
            coverage.setPayer(organization, display: payer.text("display"), hasContacts: hasContacts)
            record.performer = coverage.payer
        }
        if let plan = coverage.planName ?? coverage.plan {
            record.concept = CodedText(display: plan, source: .issuer, codes: record.codes)
        }
        let period = resource.value["period"]
        record.validFrom = period?.text("start")
        record.validUntil = period?.text("end")
        record.statusObjection =
            record.statusObjection ?? CoverageForce.statusObjection(to: resource.value).map { "with \($0)" }
        record.setLapse(at: moment, RecordValidity(period: period))
        record.identifier = coverage.memberID ?? coverage.subscriberID
        record.coverage = coverage
    }

    /// The Organization on the card to which a reference leads; nil if there is none, or if its text is used up.
    private mutating func organization(of reference: JSONValue, in resource: FHIRResource) -> JSONValue? {
        guard let address = reference.text("reference") else { return nil }
        let target: FHIRResource? =
            switch bundle.target(of: address, from: resource) {
            case .contained(let target)?: target
            case .entry(let index)?: bundle.entries[index].resource
            case nil: nil
            }
        guard let target, target.resourceType == "Organization" else { return nil }
        let size = ["name", "identifier"].reduce(0) { $0 + (target.value[$1]?.rawBytes.count ?? 0) }
        return borrow(size) ? target.value : nil
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

    /// The person that a resource names.
    private enum Person: Equatable {
        /// No element names anybody.
        case nobody
        /// The Patient with this index among the card's subjects.
        case subject(Int)
        /// Somebody who is no Patient of the card, or several persons.
        case unknown

        var index: Int? { if case .subject(let index) = self { index } else { nil } }
    }

    /// The Patient that a resource is about, if the elements that name a person all refer to the same Patient. The
    /// person is never guessed.
    private func person(of resource: FHIRResource) -> Person {
        var found = Person.nobody
        for name in Self.personElements {
            guard let element = resource.value.optional(name), Self.namesSomebody(element) else { continue }
            guard let reference = element.text("reference"),
                case .entry(let index)? = bundle.target(of: reference, from: resource),
                let subject = subjectIndices[index], found == .nobody || found == .subject(subject)
            else { return .unknown }
            found = .subject(subject)
        }
        // An Observation with a focus is about that: a donor's result may be in the recipient's record.
        guard let focus = resource.value.optional("focus") else { return found }
        for element in focus.elements.map({ Array($0) }) ?? [focus] where Self.namesSomebody(element) {
            guard let reference = element.text("reference"),
                case .entry(let index)? = bundle.target(of: reference, from: resource),
                let subject = subjectIndices[index], found == .subject(subject)
            else { return .unknown }
        }
        return found
    }

    /// The elements that name the person of a resource.
    private static let personElements = ["patient", "subject", "beneficiary"]

    /// Whether a reference names somebody. If it is no object, it may.
    private static func namesSomebody(_ reference: JSONValue) -> Bool {
        guard reference.members != nil else { return true }
        return ["reference", "identifier", "display"].contains { reference.optional($0) != nil }
    }

    /// Whether a resource is of a person on the card. If it names nobody, it is that of the only Patient.
    private func isAttributed(_ person: Person) -> Bool { person.index != nil || person == .nobody && hasOnePerson }

    // MARK: Concept

    private mutating func concept(of resource: FHIRResource) -> CodedText {
        if let own = resource.code { return CodedText(own, title: resource.title, names: names) }
        if let reference = resource.codeReference {
            let referred = concept(referredToBy: reference, in: resource)
            // If the resource is not on the card, its address says at least which one it is.
            let address = referred == nil ? reference.text("reference") : nil
            return CodedText(referred, title: reference.text("display") ?? address, names: names)
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

    // MARK: Performer

    private mutating func performer(of resource: FHIRResource) -> UTF8Text? {
        for element in resource.shape.performer {
            for performer in resource.value.all(element).prefix(Self.performersTried) {
                let reference = performer["actor"] ?? performer["agent"] ?? performer
                if let found = name(of: reference, in: resource) { return found }
            }
        }
        return nil
    }

    /// The reference's name for its target, or else the target's own name.
    private mutating func name(of reference: JSONValue, in resource: FHIRResource) -> UTF8Text? {
        if let display = reference.text("display") { return display }
        guard let address = reference.text("reference") else { return nil }
        switch bundle.target(of: address, from: resource) {
        case .contained(let target)?: return ownName(of: target, in: resource)
        case .entry(let index)?: return entryName(index).flatMap { borrow($0.utf8.count) ? $0 : nil }
        case nil: return nil
        }
    }

    /// The name of an entry's resource, read once.
    private mutating func entryName(_ index: Int) -> UTF8Text? {
        if let known = entryNames[index] { return known }
        let found = bundle.entries[index].resource.flatMap { ownName(of: $0, in: $0) }
        entryNames.updateValue(found, forKey: index)
        return found
    }

    /// A resource's own name. For a role, the name of its practitioner or organization, one reference away.
    private mutating func ownName(of target: FHIRResource, in source: FHIRResource) -> UTF8Text? {
        guard target.resourceType == "PractitionerRole" else { return target.name(at: moment) }
        for element in ["practitioner", "organization"] {
            guard let reference = target.value[element] else { continue }
            if let display = reference.text("display") { return display }
            guard let address = reference.text("reference") else { continue }
            switch bundle.target(of: address, from: source) {
            case .contained(let holder)?: if let found = holder.name(at: moment) { return found }
            case .entry(let index)?: if let found = holderName(index) { return found }
            case nil: continue
            }
        }
        return nil
    }

    /// The own name of a role's practitioner or organization. It is read once, because many roles may refer to it.
    private mutating func holderName(_ index: Int) -> UTF8Text? {
        if let known = holderNames[index] { return known }
        let found = bundle.entries[index].resource?.name(at: moment)
        holderNames.updateValue(found, forKey: index)
        return found
    }

    private mutating func borrow(_ size: Int) -> Bool {
        guard size <= borrowable else { return false }
        borrowable -= size
        return true
    }

    /// A concept and its size in bytes. Each coding counts some more, because it takes memory too.
    private static func measured(_ concept: CodeableConcept?) -> (concept: CodeableConcept?, size: Int) {
        var size = concept?.text?.utf8.count ?? 0
        for coding in concept?.codings ?? [] {
            size += 16 + (coding.system?.utf8.count ?? 0) + (coding.code?.utf8.count ?? 0)
            size += coding.display?.utf8.count ?? 0
        }
        return (concept, size)
    }
}
