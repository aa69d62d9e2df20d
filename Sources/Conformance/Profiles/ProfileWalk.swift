import Credentials
import Encodings
import FHIR

/// Compares a Bundle with the rows of profiles.
///
/// An element is present if it has a value that is not empty, or extensions. One that has only extensions has no value, so nothing that is
/// required of a value holds.
struct ProfileWalk {
    private let value: JSONValue
    private let entries: [BundleSubject.Entry]
    /// Made only if a row asks where references lead.
    private lazy var bundle = FHIRBundle(value)
    /// The departures by the IDs of the rules.
    private(set) var problems: [String: [Problem]] = [:]

    init(_ value: JSONValue, entries: [BundleSubject.Entry], rows: [ProfileRow]) {
        self.value = value
        self.entries = entries
        for row in rows where row.isOfBundle { check(value, "Bundle", row) }
        let others = rows.filter { !$0.isOfBundle }
        guard !others.isEmpty else { return }
        for entry in entries {
            guard let resource = entry.resource else { continue }
            for row in others where row.types.isEmpty || row.types.contains(entry.type) {
                check(resource, entry.type.description, row)
            }
        }
    }

    /// Whether the rule of a row has found as much as is kept.
    private func isFull(_ row: ProfileRow) -> Bool { problems[row.rule]?.count ?? 0 >= Bounds.problems }

    private mutating func add(
        _ row: ProfileRow, _ words: @autoclosure () -> String, at value: JSONValue, member: String? = nil
    ) {
        guard !isFull(row) else { return }
        problems[row.rule, default: []].append(Problem(words(), at: value, member: member, severity: row.severity))
    }

    private mutating func check(_ resource: JSONValue, _ type: String, _ row: ProfileRow) {
        guard !isFull(row) else { return }
        if let condition = row.condition, condition.names.contains(where: { resource.has($0) }) != condition.isPresent {
            return
        }
        switch row.constraint {
        case .entries(let counts, let wanted):
            let count = entries.count { $0.isOf(wanted) }
            if !counts.contains(count) { add(row, row.words(type, "", count: count), at: resource) }
        case .only(let types):
            for entry in entries where !types.contains(entry.type) {
                if let other = entry.resource { add(row, row.words(entry.type.quoted(upTo: 40), ""), at: other) }
            }
        case .wholePath: for path in row.paths { checkNeed(for: path, in: resource, type, row) }
        default: for path in row.paths { check(path, in: resource, type, row) }
        }
    }

    /// All that leads to an element is present, and so is the element, in one of the values at least.
    private mutating func checkNeed(
        for path: ProfileRow.Path, in resource: JSONValue, _ type: String, _ row: ProfileRow
    ) {
        var found = [resource]
        for step in path {
            let inner = found.flatMap { object in step.flatMap { object.values($0) } }
            if inner.isEmpty {
                return add(row, row.words(type, path.words), at: found[0], member: step[0])
            }
            found = inner
        }
    }

    private mutating func check(
        _ path: ProfileRow.Path, in resource: JSONValue, _ type: String, _ row: ProfileRow
    ) {
        var objects = [resource]
        for step in path.dropLast() { objects = objects.flatMap { object in step.flatMap { object.values($0) } } }
        guard let names = path.last else { return }
        var isSatisfied = false
        for object in objects {
            switch row.constraint {
            case .required:
                if !names.contains(where: { object.has($0) }) {
                    add(row, row.words(type, path.words), at: object, member: names[0])
                }
            case .prohibited:
                for name in names where object.has(name) {
                    let words = row.words(type, path.words(endingWith: name))
                    add(row, words, at: object[name] ?? object[underscored: name] ?? object)
                }
            case .single, .one:
                for name in names {
                    let count = object.values(name).count
                    guard count > 1 || count == 0 && row.isOne else { continue }
                    let words = row.words(type, path.words, count: count)
                    add(row, words, at: object[name] ?? object, member: object[name] == nil ? name : nil)
                }
            default:
                for name in names {
                    for value in object.values(name) where !isFull(row) {
                        if satisfies(value, row.constraint) {
                            isSatisfied = true
                        } else if !row.needsOnlyOne {
                            // Without a value, the extensions stand for it.
                            let hasValue = object[name]?.isEmptyElement == false
                            let shown = hasValue ? value.shown : "an extension without a value"
                            let words = row.words(type, path.words(endingWith: name), value: shown)
                            add(row, words, at: value)
                        }
                    }
                }
            }
        }
        if row.needsOnlyOne, !isSatisfied {
            let first = path[0][0]
            let place = resource[first]
            add(row, row.words(type, path.words), at: place ?? resource, member: place == nil ? first : nil)
        }
    }

    /// Whether a value is as a row says.
    private mutating func satisfies(_ value: JSONValue, _ constraint: ProfileRow.Constraint) -> Bool {
        switch constraint {
        case .refersTo(let type): bundle.leads(value, toEntryOf: type)
        case .isFrom(let set): Self.isCode(value, of: set)
        case .isOneOf(let texts): texts.contains { value.isText($0) }
        case .isNoneOf(let texts): !texts.contains { value.isText($0) }
        case .pattern(let pattern): value.stringBytes.map(pattern.matches) == true
        case .shorter(let limit):
            (value.stringBytes ?? []).reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) } < limit
        case .without(let word): !(value.stringBytes ?? []).map { $0 | 0x20 }.contains(word)
        case .required, .wholePath, .single, .one, .prohibited, .entries, .only: true
        }
    }

    /// Whether a code, a Coding, or a Coding of a CodeableConcept is of a value set.
    private static func isCode(_ value: JSONValue, of set: ProfileRow.CodeSet) -> Bool {
        if let code = value.string { return set.values.contains { $0.contains(code) } }
        if let codings = value["coding"]?.elements { return codings.contains { isCode($0, of: set) } }
        guard let system = value["system"]?.string, let code = value["code"]?.string else { return false }
        return set[system]?.contains(code) == true
    }
}

extension ProfileRow {
    fileprivate var isOne: Bool { if case .one = constraint { true } else { false } }
}

extension ProfileRow.Path {
    /// The path as messages have it.
    fileprivate var words: String { map { $0[0] }.joined(separator: ".") }

    fileprivate func words(endingWith name: String) -> String {
        count == 1 ? name : (dropLast().map { $0[0] } + [name]).joined(separator: ".")
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

    /// Whether a string, a number or a boolean is spelt so.
    fileprivate func isText(_ text: String) -> Bool {
        kind == .string ? isString(text) : rawBytes.elementsEqual(text.utf8)
    }
}
