import Credentials
import Encodings
import FHIR

/// Compares a Bundle with profiles of the Vaccination & Testing guide.
///
/// One walk over the Bundle's JSON finds the departures from all rules of a profile. What several profiles say is one finding that
/// names them all.
struct GuideWalk {
    /// A departure from a profile.
    struct Departure: Sendable {
        let rule: GuideRule
        let text: String
        let value: JSONValue?
        let member: String?
        /// Whether it cannot be told that it is one.
        let isOpen: Bool
        fileprivate(set) var profiles: [LintPolicy.Profile]
    }

    private struct Key: Hashable {
        let rule: GuideRule
        let start: Int
        /// By its bytes: it may have text from the card.
        let text: UTF8Text
    }

    private let value: JSONValue
    private let entries: [BundleSubject.Entry]
    /// Whether the profiles were asked for. If not, only errors are found, and not what other rules find in any card.
    private let isAskedFor: Bool
    /// The lists of codes in use.
    private let names: CodeNames
    /// The types of the resources by their `fullUrl`.
    private lazy var types: [UTF8Text: UTF8Text] = Dictionary(
        entries.filter { !$0.type.isEmpty }.compactMap { entry in
            entry.entry["fullUrl"]?.string.map { ($0, entry.type) }
        },
        uniquingKeysWith: { first, _ in first })

    private(set) var departures: [Departure] = []
    private var places: [Key: Int] = [:]
    private var counts: [GuideRule: Int] = [:]
    private var profile = LintPolicy.Profile.vaccinationAD
    /// What the resource that is being compared has. It is looked up once: there may be many elements that ask for it.
    private var resource = GuideInvariant.Resource()

    init(
        _ value: JSONValue, entries: [BundleSubject.Entry], profiles: [GuideProfile], isAskedFor: Bool, names: CodeNames
    ) {
        self.value = value
        self.entries = entries
        self.isAskedFor = isAskedFor
        self.names = names
        for profile in profiles {
            self.profile = profile.name
            check(profile)
        }
    }

    private mutating func check(_ profile: GuideProfile) {
        check(value, profile.bundle)
        checkEntries(profile)
        for entry in entries {
            guard let resource = entry.resource else { continue }
            self.resource = GuideInvariant.Resource(resource)
            if entry.isOf("Patient") { check(resource, profile.patient) }
            if entry.type == profile.recordType, isAskedFor || isMeant(resource, by: profile) {
                check(resource, profile.record)
            }
        }
    }

    /// Whether a record is of the kind for which the contents of the card have chosen a profile.
    private func isMeant(_ record: JSONValue, by profile: GuideProfile) -> Bool {
        switch profile.name {
        case .covid19LaboratoryAD, .infectiousDiseaseLaboratoryAD: GuideProfile.chosen(for: record) == profile.name
        default: true
        }
    }

    /// The Bundle has one Patient, at least one record, and nothing else.
    private mutating func checkEntries(_ profile: GuideProfile) {
        let patients = entries.count { $0.isOf("Patient") }
        if patients != 1 {
            add(.bundleEntries, "the number of Patients in the Bundle is \(patients), not 1", at: value)
        }
        // A card of several kinds is of no one profile, but each of its records is.
        guard isAskedFor else { return }
        if !entries.contains(where: { $0.type == profile.recordType }) {
            add(.bundleEntries, "the Bundle has no \(profile.recordType)", at: value)
        }
        for entry in entries where !entry.isOf("Patient") && entry.type != profile.recordType {
            guard let resource = entry.resource else { continue }
            add(
                .bundleEntries, "a resource of the Bundle is neither a Patient nor an \(profile.recordType)",
                at: resource)
        }
    }

    // MARK: Elements

    /// - Parameters:
    ///   - object: the JSON of an element.
    ///   - element: what the profile says of it.
    ///   - isCompanion: whether this is the object with the extensions of a primitive.
    private mutating func check(_ object: JSONValue, _ element: GuideNode, isCompanion: Bool = false) {
        guard let members = object.members else { return }
        for (name, value) in members.named {
            let isOfPrimitive = name.begins(with: UInt8(ascii: "_"))
            guard let rules = element.child(named: name, isOfPrimitive: isOfPrimitive) else { continue }
            // A primitive and its extensions are one element, which may have only the latter.
            let isAlone =
                isOfPrimitive && object[UTF8Text(decoding: (name.string ?? "").utf8.dropFirst()).description] == nil
            if rules.isProhibited {
                if !isOfPrimitive || isAlone {
                    add(.prohibitedElement, "`\(rules.path)` is present, but the profile does not allow it", at: value)
                }
                continue
            }
            if let allowed = rules.otherTypes {
                let words = allowed.map { "`\($0)`" }.joined(separator: " or ")
                add(.choiceOfTypes, "`\(rules.path)` is present, but the profile only allows \(words)", at: value)
                continue
            }
            if let values = value.elements {
                if rules.isSingle, !isOfPrimitive, values.count > 1 {
                    add(.repeatedElement, "`\(rules.path)` occurs \(values.count) times, more than once", at: value)
                }
                for value in values { check(value, of: rules, isCompanion: isOfPrimitive, isAlone: isAlone) }
                if !rules.slices.isEmpty { check(components: Array(values), rules.slices, rules.path) }
            } else {
                check(value, of: rules, isCompanion: isOfPrimitive, isAlone: isAlone)
            }
        }
        guard !isCompanion, isAskedFor || object.byteRange != self.value.byteRange else { return }
        for requirement in element.requirements where !requirement.members.contains(where: { object.has($0) }) {
            add(
                .requiredElement, "`\(element.path).\(requirement.name)` is missing", at: object,
                member: requirement.members.first)
        }
    }

    private mutating func check(_ value: JSONValue, of rules: GuideNode, isCompanion: Bool, isAlone: Bool) {
        if !isCompanion || isAlone, !value.isNull {
            for constraint in rules.constraints { check(value, constraint, rules.path) }
        }
        if rules.hasContent {
            check(value, rules, isCompanion: isCompanion)
        }
    }

    private mutating func check(components: [JSONValue], _ slices: [GuideElement.Slice], _ path: String) {
        for slice in slices {
            let isOfSlice = { (component: JSONValue) in
                component["code"]?["coding"]?.elements?.contains {
                    $0["system"]?.isString(slice.system) == true && $0["code"]?.isString(slice.code) == true
                } ?? false
            }
            var count = 0
            for component in components {
                if isOfSlice(component) {
                    count += 1
                    if count == 2 {
                        add(.component, "`\(path)` has several components with the code \(slice.code)", at: component)
                    }
                    check(component, slice.node)
                } else if slice.isClosed {
                    add(
                        .component, "`\(path)` has a component with another code than \(slice.code) (SNOMED CT)",
                        at: component)
                }
            }
        }
    }

    private mutating func check(_ value: JSONValue, _ constraint: GuideConstraint, _ path: String) {
        switch constraint {
        case .prohibited, .required, .single, .types: break
        case .equals(let code):
            if !value.isString(code) { add(.fixedValue, "`\(path)` is \(value.shown), not \"\(code)\"", at: value) }
        case .obeys(let rule):
            if isWanted(rule), let text = GuideInvariant.departure(of: value, from: rule, path, in: resource) {
                add(rule, text, at: value)
            }
        case .isFrom(let valueSet):
            if !GuideCodes.holds(valueSet, value) {
                add(valueSet, "`\(path)` has no code of the value set \(valueSet.rawValue)", at: value)
            }
        case .hasVaccineCodings: check(vaccineCode: value, path)
        case .refersTo(let type): check(reference: value, to: type, path)
        }
    }

    /// Each coding is of one of three code systems, and each code system has one coding at most.
    private mutating func check(vaccineCode: JSONValue, _ path: String) {
        guard let codings = vaccineCode["coding"]?.elements else { return }
        // There are three of them.
        var seen: [GuideRule] = []
        for coding in codings where coding.kind == .object {
            let system = coding["system"]
            guard let slice = GuideCodes.vaccineSlices.first(where: { system?.isString($0.system) == true }) else {
                add(.vaccineCoding, "`\(path).coding` has a code that is not from CVX, SNOMED CT or ICD-11", at: coding)
                continue
            }
            if seen.contains(slice.valueSet) {
                add(.vaccineCoding, "`\(path).coding` has several codes from \(slice.name)", at: coding)
            } else {
                seen.append(slice.valueSet)
            }
            switch GuideCodes.membership(of: coding, in: slice.valueSet, names) {
            case .member: continue
            case .other:
                add(slice.valueSet, "`\(path).coding` has a code that is not a code of \(slice.name)", at: coding)
            // Another rule says so of all cards.
            case .unknown where !isAskedFor: continue
            case .unknown:
                add(
                    slice.valueSet,
                    "`\(path).coding` has the code \(coding["code"]?.string?.quoted(upTo: 40) ?? ""), of which it cannot be told whether it "
                        + "is a code of \(slice.name): it is in no list that is known here\(KnownCodes.age(of: slice.system, names))",
                    at: coding, isOpen: true)
            }
        }
    }

    private mutating func check(reference: JSONValue, to type: String, _ path: String) {
        let stated = reference["type"]?.string
        let target = reference["reference"]?.string
        let found = target.flatMap { typeOfEntry(at: $0) } ?? stated ?? target.flatMap(Self.typeInPath)
        guard let found, !found.utf8.elementsEqual(type.utf8) else { return }
        add(
            .referenceType, "`\(path)` refers to a resource of the type \(found.quoted(upTo: 64)), not \(type)",
            at: reference)
    }

    /// The type of the resource with a `fullUrl`; nil if there is none.
    private mutating func typeOfEntry(at address: UTF8Text) -> UTF8Text? {
        guard entries.count <= Self.fewEntries else { return types[address] }
        return entries.first { !$0.type.isEmpty && $0.entry["fullUrl"]?.isString(address) == true }?.type
    }

    /// How many entries are searched one by one.
    private static let fewEntries = 8

    /// The type that a reference to a server names, such as `Practitioner/1`, also after the server's address and before a version.
    private static func typeInPath(_ reference: UTF8Text) -> UTF8Text? {
        var parts = reference.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.count > 2, parts[parts.count - 2].elementsEqual("_history".utf8) { parts.removeLast(2) }
        guard parts.count >= 2, let first = parts[parts.count - 2].first, (0x41...0x5A).contains(first) else {
            return nil
        }
        return UTF8Text(decoding: parts[parts.count - 2])
    }

    // MARK: Departures

    private func isWanted(_ rule: GuideRule) -> Bool {
        isAskedFor || rule.severity == .error && rule != .vcShallBeResourceURI
    }

    private mutating func add(
        _ rule: GuideRule, _ text: String, at value: JSONValue, member: String? = nil, isOpen: Bool = false
    ) {
        guard isWanted(rule) else { return }
        let key = Key(rule: rule, start: value.byteRange.lowerBound, text: UTF8Text(text))
        if let place = places[key] {
            if !departures[place].profiles.contains(profile) { departures[place].profiles.append(profile) }
            return
        }
        guard counts[rule, default: 0] < Bounds.problems else { return }
        counts[rule, default: 0] += 1
        places[key] = departures.count
        departures.append(
            Departure(rule: rule, text: text, value: value, member: member, isOpen: isOpen, profiles: [profile]))
    }
}

/// The invariants of the Vaccination & Testing guide.
enum GuideInvariant {
    /// What invariants ask about the resource around an element.
    struct Resource {
        var hasReferenceRange = false
        var hasQuantityOrText = false

        init() {}

        init(_ resource: JSONValue) {
            hasReferenceRange = resource.has("referenceRange")
            hasQuantityOrText = resource.has("valueQuantity") || resource.has("valueString")
        }
    }

    /// How a value departs from an invariant, in words; nil if it does not. A primitive that has only extensions has no value, so
    /// nothing that is required of its value holds.
    static func departure(of value: JSONValue, from rule: GuideRule, _ path: String, in resource: Resource) -> String? {
        switch rule {
        case .vcNameInvariant:
            let hasParts = value.has("family") && value.has("given")
            guard value.kind == .object, hasParts == value.has("text") else { return nil }
            return hasParts
                ? "`\(path)` has `text` beside `family` and `given`"
                : "`\(path)` needs `family` and `given`, or else `text`"
        case .useOnlyIfRequiredByLaw:
            return "`\(path)` is present; the guide allows it only if the law requires it"
        case .vcShouldBeOmitted, .idShouldNotBePopulated:
            return "`\(path)` is present; it should be left out to keep the card small"
        case .vcShouldBeOmittedPrivacy:
            return "`\(path)` is present; it should be left out to protect the patient's privacy"
        case .vcPolymorphicDateInvariant:
            return value.stringBytes.map(isDay) == true ? nil : "`\(path)` is \(value.shown), not a day YYYY-MM-DD"
        case .vcShallBeTrueIfPopulatedInvariant:
            return value.boolean == true ? nil : "`\(path)` is \(value.shown); it is left out unless it is true"
        case .vcShouldBeUnder30Chars: return tooLong(value, limit: 30, path)
        case .vcShouldBeUnder20Chars: return tooLong(value, limit: 20, path)
        case .vcShallBeResourceURI:
            return value.stringBytes.map(isResourceURI) == true
                ? nil : "`\(path)` is \(value.shown), not of the form resource:0"
        case .vcShouldNotIncludeStringLot:
            guard let text = value.stringBytes, saysLot(text) else { return nil }
            return "`\(path)` contains the word lot: \(value.shown)"
        case .vcObservationQuantityShouldHaveRange:
            return resource.hasReferenceRange ? nil : "`\(path)` has no `referenceRange` beside it"
        case .vcObservationRangeOnlyQuantityOrString:
            return resource.hasQuantityOrText
                ? nil : "`\(path)` is present, but the result is neither a quantity nor a text"
        case .knownVaccineManufacturerCodeSystem:
            let isKnown = value.isString("http://hl7.org/fhir/sid/mvx") || value.isString("https://www.gs1.org/gln")
            return isKnown ? nil : "`\(path)` is \(value.shown), which is neither MVX nor GLN"
        case .vcBundleLabStatusComplete:
            let isFinal = value.string.map { ["final", "amended", "corrected"].contains($0.asciiLowercased) }
            return isFinal == true ? nil : "`\(path)` is \(value.shown), so the result is not final"
        default: return nil
        }
    }

    /// The length is that of Java, which HL7's validator is written in: 2 for a character outside the basic plane.
    private static func tooLong(_ value: JSONValue, limit: Int, _ path: String) -> String? {
        guard let text = value.stringBytes, text.count >= limit else { return nil }
        var length = 0
        for byte in text where byte & 0xC0 != 0x80 {
            length += byte >= 0xF0 ? 2 : 1
            if length >= limit { return "`\(path)` has \(limit) characters or more: \(value.shown)" }
        }
        return nil
    }

    /// Whether a text contains the word lot, in any case.
    static func saysLot(_ text: [UInt8]) -> Bool {
        var matched = 0
        let word = Array("lot".utf8)
        for byte in text {
            let letter = byte | 0x20
            matched = letter == word[matched] ? matched + 1 : letter == word[0] ? 1 : 0
            if matched == word.count { return true }
        }
        return false
    }

    private static func isDay(_ text: [UInt8]) -> Bool {
        text.count == 10
            && text.enumerated().allSatisfy { place, byte in
                place == 4 || place == 7 ? byte == UInt8(ascii: "-") : (0x30...0x39).contains(byte)
            }
    }

    private static func isResourceURI(_ text: [UInt8]) -> Bool {
        let prefix = "resource:".utf8
        return text.starts(with: prefix) && text.count > prefix.count
            && text.dropFirst(prefix.count).allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension JSONValue {
    /// Whether an element is present: it has a value that is not empty, or extensions.
    func has(_ element: String) -> Bool {
        self[element]?.isEmptyElement == false || self[underscored: element]?.isEmptyElement == false
    }

    /// Whether FHIR takes a value for absent. It does so for null, empty strings, and objects and arrays of nothing.
    var isEmptyElement: Bool {
        switch kind {
        case .null: true
        case .string: isEmptyString
        case .array: elements?.allSatisfy { $0.isNull || $0.isEmptyString } == true
        case .object: members?.count == 0
        case .number, .boolean: false
        }
    }
}
