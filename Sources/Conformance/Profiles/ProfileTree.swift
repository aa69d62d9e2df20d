import Encodings

/// A row at one of its paths.
final class ProfileStep: Sendable {
    let row: ProfileRow
    let constraint: ProfileRow.Constraint
    let isConditional: Bool
    let path: [ProfileRow.Step]
    /// The path in messages.
    let words: String
    /// The place among all rows and paths of the profile.
    let number: Int

    init(_ row: ProfileRow, _ path: [ProfileRow.Step], number: Int) {
        self.row = row
        constraint = row.constraint
        isConditional = row.condition != nil
        self.path = path
        self.number = number
        words = path.lazy.filter { $0.slice == nil }.map(\.label).joined(separator: ".")
    }
}

/// What the rows of a profile say of an element, and of the elements in it. One walk over a resource reads it for all rows.
final class ProfileNode: Sendable {
    /// The path below the resource.
    let path: String
    let prohibitions: [ProfileStep]
    let bounds: [ProfileStep]
    /// What is said of each value.
    let values: [ProfileStep]
    /// What is required in each value.
    let required: [ProfileStep]
    /// What is said of values with some codes.
    let slices: [(codes: CodeSet, node: ProfileNode)]
    /// Whether something is said of the elements in this one.
    let hasContent: Bool
    private let names: NameTable
    private let children: [ProfileNode]

    /// - Parameter rows: the rows, each with the part of its path that leads on from here.
    init(_ path: String, _ rows: [(step: ProfileStep, rest: ArraySlice<ProfileRow.Step>)]) {
        self.path = path
        let ends = { (roles: [ProfileRow.Constraint.Role]) in
            rows.filter { $0.rest.isEmpty && roles.contains($0.step.constraint.role) }.map(\.step)
        }
        prohibitions = ends([.prohibition])
        bounds = ends([.limit, .number])
        values = ends([.value, .remark])
        required = rows.filter { step, rest in
            guard rest.count == 1 else { return false }
            let role = step.constraint.role
            // Of a choice, one name at most may be there.
            return role == .presence || role == .number || role == .limit && rest.first?.names.count ?? 0 > 1
        }.map(\.step)
        var members: [String: [(ProfileStep, ArraySlice<ProfileRow.Step>)]] = [:]
        var sliced: [String: (codes: CodeSet, rows: [(ProfileStep, ArraySlice<ProfileRow.Step>)])] = [:]
        for (step, rest) in rows {
            guard let next = rest.first else { continue }
            if let slice = next.slice {
                sliced[slice.name, default: (slice.codes, [])].rows.append((step, rest.dropFirst()))
            }
            // What is only required is looked up, and not met on the way.
            if rest.count == 1, step.constraint.role == .presence { continue }
            for name in next.names { members[name, default: []].append((step, rest.dropFirst())) }
        }
        slices = sliced.values.map { ($0.codes, ProfileNode(path, $0.rows)) }
        names = NameTable(members.keys)
        children = members.map { ProfileNode(path.isEmpty ? $0 : "\(path).\($0)", $1) }
        hasContent = !members.isEmpty || !required.isEmpty
    }

    /// What is said of the element with a name; nil for nothing.
    ///
    /// - Parameter isOfPrimitive: whether the name of the element comes after an underscore.
    func child(named name: JSONValue, isOfPrimitive: Bool) -> ProfileNode? {
        names.index(of: name, droppingFirst: isOfPrimitive ? 1 : 0).map { children[$0] }
    }
}

/// What the rows of a profile say of resources of a type.
final class ProfileTree: Sendable {
    let root: ProfileNode
    /// What one value is enough for.
    let choices: [ProfileStep]
    /// What is present with all that leads to it.
    let wholePaths: [ProfileStep]
    let conditional: [ProfileStep]

    init(_ steps: [ProfileStep]) {
        choices = steps.filter(\.row.needsOnlyOne)
        wholePaths = steps.filter { $0.constraint.role == .resource }
        conditional = steps.filter(\.isConditional)
        root = ProfileNode("", steps.map { ($0, $0.path[...]) })
    }
}

/// The rows of one profile, as the walk reads them.
final class Profile: Sendable {
    /// The name, if it is a profile of HL7's guide. Findings have it.
    let name: LintPolicy.Profile?
    let isAskedFor: Bool
    /// Whether an empty value counts as well, and what is no object has no elements that it lacks. So it is in HL7's guide.
    var isLiteral: Bool { name != nil }
    /// What is said of the entries.
    let entries: [ProfileStep]
    let bundle: ProfileTree
    private let trees: [(type: UTF8Text, tree: ProfileTree)]
    /// For resources of the types that no row names; nil if no row is about them.
    private let others: ProfileTree?

    /// - Parameters:
    ///   - rows: the rows of the file.
    ///   - name: the profile that is meant, if the file has several. Findings have its name.
    ///   - isAskedFor: whether the profile was asked for. If not, there are only errors, and not what other rules find in any card.
    init(_ rows: [ProfileRow], named name: LintPolicy.Profile? = nil, isAskedFor: Bool = true) {
        self.name = name
        self.isAskedFor = isAskedFor
        var steps: [ProfileStep] = []
        for row in rows {
            if let name, !row.profiles.isEmpty, !row.profiles.contains(name) { continue }
            if !isAskedFor, row.isForAsked || row.severity != .error { continue }
            for path in row.paths { steps.append(ProfileStep(row, path, number: steps.count)) }
        }
        entries = steps.filter { $0.constraint.role == .entries }
        bundle = ProfileTree(steps.filter { $0.row.types == ["Bundle"] && $0.constraint.role != .entries })
        steps.removeAll { $0.row.types == ["Bundle"] }
        trees = Set(steps.flatMap(\.row.types)).map { type in
            (type, ProfileTree(steps.filter { $0.row.types.isEmpty || $0.row.types.contains(type) }))
        }
        let general = steps.filter(\.row.types.isEmpty)
        others = general.isEmpty ? nil : ProfileTree(general)
    }

    /// What is said of resources of a type; nil for nothing.
    func tree(for type: UTF8Text) -> ProfileTree? { trees.first { $0.type == type }?.tree ?? others }
}
