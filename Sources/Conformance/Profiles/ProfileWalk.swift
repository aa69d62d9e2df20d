import Credentials
import Encodings
import FHIR

/// Compares a Bundle with profiles.
///
/// An element is present if it has a value that is not empty, or extensions. One that has only extensions has no value, so nothing that is
/// required of a value holds. For HL7's guide, an empty value is a value.
struct ProfileWalk {
    /// What judges ask.
    struct Context: Sendable {
        /// The lists of codes in use.
        let names: CodeNames
        let isAskedFor: Bool
    }

    /// A violation of a row.
    private struct Violation {
        var problem: Problem
        /// The place among the resources and rows; 0 for those of a profile with a name, which stay in the order of the text.
        let place: Int
        /// The profiles that say so. What several say is one finding that names them all.
        var profiles: [LintPolicy.Profile]
    }

    private struct Key: Hashable {
        let rule: String
        let start: Int
        /// By its bytes: it may have text from the card.
        let text: UTF8Text
    }

    private let value: JSONValue
    private let entries: [BundleSubject.Entry]
    private let context: Context
    /// Made only if a row asks where references lead.
    private lazy var bundle = FHIRBundle(value)
    /// The types of the resources by their `fullUrl`.
    private lazy var types: [UTF8Text: UTF8Text] = Dictionary(
        entries.filter { !$0.type.isEmpty }.compactMap { entry in
            entry.entry["fullUrl"]?.string.map { ($0, entry.type) }
        },
        uniquingKeysWith: { first, _ in first })
    /// By the IDs of the rules.
    private var violations: [String: [Violation]] = [:]
    /// The places of the violations of profiles with names.
    private var places: [Key: Int] = [:]

    // The profile and the resource that are being compared.
    private var profile: Profile
    private var type: UTF8Text = "Bundle"
    private var resource: Int = 0
    /// The rows that do not apply. They are looked up once: there may be many elements that ask for them.
    private var unmet: Set<Int> = []
    /// The rows that one value was enough for.
    private var satisfied: Set<Int> = []

    /// - Parameters:
    ///   - choice: what the contents of the Bundle have chosen; nil if the profiles were asked for.
    init(
        _ value: JSONValue, entries: [BundleSubject.Entry], profiles: [Profile], choice: GuideChoice?, names: CodeNames
    ) {
        self.value = value
        self.entries = entries
        context = Context(names: names, isAskedFor: choice == nil)
        guard let first = profiles.first else { preconditionFailure("no profile") }
        profile = first
        for profile in profiles {
            self.profile = profile
            type = "Bundle"
            resource = 0
            check(value, profile.bundle)
            checkEntries()
            for (place, entry) in entries.enumerated() {
                guard let object = entry.resource, let tree = profile.tree(for: entry.type),
                    choice == nil || entry.isOf("Patient") || choice?.ofEntries[place] == profile.name
                else { continue }
                type = entry.type
                resource = place + 1
                check(object, tree)
            }
        }
    }

    /// The violations by the IDs of the rules.
    var problems: [String: [Problem]] {
        violations.mapValues { found in
            found.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }.map {
                guard !$0.element.profiles.isEmpty else { return $0.element.problem }
                let names = $0.element.profiles.map(\.rawValue).joined(separator: ", ")
                return $0.element.problem.adding(" (\(names)\(context.isAskedFor ? "" : ", chosen by the contents"))")
            }
        }
    }

    // MARK: Violations

    /// - Parameters:
    ///   - path: the path of the element below the resource.
    ///   - shown: what is shown of the value.
    ///   - shownType: what is shown of the type; nil for that of the resource.
    private mutating func add(
        _ step: ProfileStep, _ path: String, _ shown: String = "", count number: Int = 0,
        at value: JSONValue, member: String? = nil, shownType: String? = nil, isOpen: Bool = false,
        isTooLong: Bool = false
    ) {
        let rule = step.row.rule
        let count = violations[rule]?.count ?? 0
        guard count < Bounds.problems || profile.name != nil else { return }
        let words = step.row.words(
            shownType ?? type.shownAsType, path, value: shown, count: number, isTooLong: isTooLong)
        if let name = profile.name {
            let key = Key(rule: rule, start: value.byteRange.lowerBound, text: UTF8Text(words))
            if let place = places[key] {
                if violations[rule]?[place].profiles.contains(name) == false {
                    violations[rule]?[place].profiles.append(name)
                }
                return
            }
            guard count < Bounds.problems else { return }
            places[key] = count
        }
        let severity = isOpen ? .unchecked : context.isAskedFor ? step.row.severity : .warning
        violations[rule, default: []].append(
            Violation(
                problem: Problem(words, at: value, member: member, severity: severity),
                place: profile.name == nil ? resource << 32 + step.number : 0,
                profiles: profile.name.map { [$0] } ?? []))
    }

    // MARK: Resources

    private mutating func check(_ object: JSONValue, _ tree: ProfileTree) {
        if !tree.conditional.isEmpty {
            unmet = Set(
                tree.conditional.filter { step in
                    step.row.condition.map { $0.isPresent != $0.names.contains { object.has($0) } } == true
                }.map(\.number))
        }
        check(object, of: tree.root, isCompanion: false, stands: true)
        for step in tree.wholePaths where applies(step) { checkNeed(step, in: object) }
        for step in tree.choices where !satisfied.contains(step.number) && applies(step) {
            let first = step.path[0].names[0]
            add(step, step.words, at: object[first] ?? object, member: object[first] == nil ? first : nil)
        }
        satisfied = []
    }

    private func applies(_ step: ProfileStep) -> Bool { !step.isConditional || !unmet.contains(step.number) }

    private mutating func checkEntries() {
        for step in profile.entries
        where step.row.condition.map({ condition in
            condition.isPresent == condition.names.contains { value.has($0) }
        }) != false {
            switch step.constraint {
            case .entries(let counts, let wanted):
                let count = entries.count { $0.isOf(wanted) }
                if !counts.contains(count) { add(step, "", count: count, at: value) }
            case .only(let types):
                for entry in entries where !types.contains(entry.type) {
                    guard let other = entry.resource else { continue }
                    add(step, "", at: other, shownType: entry.type.quoted(upTo: 40))
                }
            default: break
            }
        }
    }

    /// All that leads to an element is present, and so is the element, in one of the values at least.
    private mutating func checkNeed(_ step: ProfileStep, in object: JSONValue) {
        var found = [object]
        for part in step.path {
            let inner = found.flatMap { object in part.names.flatMap { object.values($0) } }
            if inner.isEmpty { return add(step, step.words, at: found[0], member: part.names[0]) }
            found = inner
        }
    }

    // MARK: Elements

    /// - Parameters:
    ///   - value: a value of an element.
    ///   - node: what the profile says of it.
    ///   - isCompanion: whether this is the object with the extensions of a primitive.
    ///   - stands: whether it stands for the element: it is no companion, or there is no value beside it.
    private mutating func check(_ value: JSONValue, of node: ProfileNode, isCompanion: Bool, stands: Bool) {
        let isEmpty = profile.isLiteral ? value.isNull : value.isEmptyElement
        guard !isEmpty || profile.isLiteral else { return }
        if stands, !isEmpty {
            for step in node.values where applies(step) { check(value, step, node.path, isCompanion: isCompanion) }
        }
        guard node.hasContent, !profile.isLiteral || value.kind == .object else { return }
        if let members = value.members {
            for (name, member) in members.named { check(member, name, in: value, of: node) }
        }
        guard !isCompanion || !profile.isLiteral && stands else { return }
        for step in node.required where applies(step) { checkPresence(step, in: value, node.path) }
    }

    /// Checks a member of an object.
    private mutating func check(_ member: JSONValue, _ name: JSONValue, in object: JSONValue, of node: ProfileNode) {
        let isOfPrimitive = name.begins(with: UInt8(ascii: "_"))
        guard let child = node.child(named: name, isOfPrimitive: isOfPrimitive),
            profile.isLiteral || !member.isEmptyElement
        else { return }
        // A primitive and its extensions are one element, which may have only the latter.
        let stands = !isOfPrimitive || isAlone(name, in: object)
        if !child.prohibitions.isEmpty, isProhibited(member, child, stands: stands) { return }
        guard let values = member.elements else {
            return check(member, of: child, isCompanion: isOfPrimitive, stands: stands)
        }
        if !isOfPrimitive { checkCount(of: values, child, at: member) }
        for value in values { check(value, of: child, isCompanion: isOfPrimitive, stands: stands) }
        for slice in child.slices {
            for value in values where slice.codes.holds(value["code"]) {
                check(value, of: slice.node, isCompanion: isOfPrimitive, stands: stands)
            }
        }
    }

    /// Whether the extensions of a primitive are without a value.
    private func isAlone(_ companion: JSONValue, in object: JSONValue) -> Bool {
        let name = UTF8Text(decoding: (companion.string ?? "").utf8.dropFirst())
        guard let value = object[name.description] else { return true }
        return !profile.isLiteral && value.isEmptyElement
    }

    private mutating func isProhibited(_ value: JSONValue, _ node: ProfileNode, stands: Bool) -> Bool {
        var isProhibited = false
        for step in node.prohibitions where applies(step) {
            isProhibited = true
            if stands { add(step, node.path, at: value) }
        }
        return isProhibited
    }

    private mutating func checkCount(of values: JSONValue.Elements, _ node: ProfileNode, at value: JSONValue) {
        guard values.count > 1, !node.bounds.isEmpty else { return }
        let count = values.count { profile.isLiteral || !$0.isEmptyElement }
        for step in node.bounds where count > 1 && applies(step) {
            add(step, node.path, count: count, at: value)
        }
    }

    /// Checks that an element is there, or how many of the names of a choice are.
    private mutating func checkPresence(_ step: ProfileStep, in object: JSONValue, _ path: String) {
        guard let last = step.path.last else { return }
        // Most elements are there, so no words are made for them.
        var label: String { path.isEmpty ? last.label : "\(path).\(last.label)" }
        if case .required = step.constraint {
            if !last.names.contains(where: { object.has($0) }) { add(step, label, at: object, member: last.names[0]) }
            return
        }
        let present = last.names.filter { !object.values($0).isEmpty }
        guard present.count > 1 || present.isEmpty && step.constraint.role == .number else { return }
        let name = present.last ?? last.names[0]
        add(
            step, label, count: present.count, at: object[name] ?? object, member: object[name] == nil ? name : nil)
    }

    /// Checks a value.
    private mutating func check(_ value: JSONValue, _ step: ProfileStep, _ path: String, isCompanion: Bool) {
        let shown: String?
        switch step.constraint {
        case .obeys(let judge):
            for violation in judge.violations(value, context) {
                add(step, path, violation.words, at: violation.value, isOpen: violation.isOpen)
            }
            return
        case .mayReferTo(let type):
            shown = typeOfTarget(of: value).flatMap { $0 == type ? nil : $0.quoted(upTo: 64) }
        case let constraint:
            let isShown = !isCompanion || profile.isLiteral
            // Without a value, the extensions stand for it.
            shown = satisfies(value, constraint) ? nil : isShown ? value.shown : "an extension without a value"
        }
        if step.row.needsOnlyOne {
            if shown == nil { satisfied.insert(step.number) }
        } else if let shown {
            add(step, path, shown, at: value, isTooLong: step.constraint.readsText && value.isTooLong)
        }
    }

    /// Whether a value is as a row says.
    private mutating func satisfies(_ value: JSONValue, _ constraint: ProfileRow.Constraint) -> Bool {
        switch constraint {
        case .refersTo(let type): bundle.leads(value, toEntryOf: type)
        case .isFrom(let set): set.holds(value)
        case .codedBy(let set): !set.isOfSystem(value) || set.holds(value)
        case .isOneOf(let texts): texts.contains { value.isText($0) }
        case .isNoneOf(let texts): !texts.contains { value.isText($0) }
        case .pattern(let pattern): !value.isTooLong && value.stringBytes.map(pattern.matches) == true
        case .shorter(let limit):
            (value.stringBytes ?? []).reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) } < limit
        case .without(let word): !value.isTooLong && !(value.stringBytes ?? []).map { $0 | 0x20 }.contains(word)
        default: false
        }
    }

    // MARK: References

    /// The type of the resource that a reference leads to, as far as it is known.
    private mutating func typeOfTarget(of reference: JSONValue) -> UTF8Text? {
        let target = reference["reference"]?.string
        return target.flatMap { typeOfEntry(at: $0) } ?? reference["type"]?.string ?? target.flatMap(Self.typeInPath)
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
}

extension UTF8Text {
    /// A type of resource in a message. The card may have anything instead.
    fileprivate var shownAsType: String {
        utf8.count <= 64 && utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) } ? description : quoted(upTo: 40)
    }
}

extension Problem {
    /// The same, with more words.
    fileprivate func adding(_ words: String) -> Problem {
        Problem(message + words, at: value, member: member, severity: severity)
    }
}

extension JSONValue {
    /// The values of an element. If it has only extensions, these stand for it.
    fileprivate func values(_ name: String) -> [JSONValue] {
        guard has(name) else { return [] }
        guard let value = self[name], !value.isEmptyElement else { return self[underscored: name].map { [$0] } ?? [] }
        guard let elements = value.elements else { return [value] }
        return elements.filter { !$0.isEmptyElement }
    }

    /// Whether a string is too long to compare. A byte takes at most six if it is escaped.
    fileprivate var isTooLong: Bool {
        kind == .string
            && (rawBytes.count > 6 * ProfileRow.longestText + 2 || (stringBytes?.count ?? 0) > ProfileRow.longestText)
    }

    /// Whether a string, a number or a boolean is spelt so.
    fileprivate func isText(_ text: String) -> Bool {
        kind == .string ? isString(text) : rawBytes.elementsEqual(text.utf8)
    }

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
