import Encodings

/// A constraint of a profile and the elements that it is for.
struct GuideRow: Sendable {
    /// The paths of the elements below the resource, such as `performer.actor.display`. `value[x]` stands for all its types.
    let paths: [[String]]
    let constraint: GuideConstraint

    private init(_ paths: String, _ constraint: GuideConstraint) {
        self.paths = paths.split { $0 == " " || $0 == "\n" }.map { $0.split(separator: ".").map(String.init) }
        self.constraint = constraint
    }

    /// Elements that are not allowed (0..0).
    static func prohibited(_ paths: String) -> GuideRow { GuideRow(paths, .prohibited) }
    /// Elements that must be present in the element around them (1..).
    static func required(_ paths: String) -> GuideRow { GuideRow(paths, .required) }
    /// Elements that do not repeat (..1).
    static func single(_ paths: String) -> GuideRow { GuideRow(paths, .single) }
    /// A choice of types, and the names that it may have.
    static func types(_ path: String, _ allowed: String) -> GuideRow {
        GuideRow(path, .types(allowed.split(separator: " ").map(String.init)))
    }
    /// A constraint on each of some elements.
    static func each(_ paths: String, _ constraint: GuideConstraint) -> GuideRow { GuideRow(paths, constraint) }
}

/// What a profile requires of an element.
enum GuideConstraint: Sendable {
    case prohibited
    case required
    case single
    /// Only these names of a choice of types are allowed.
    case types([String])
    /// The value is this code.
    case equals(String)
    /// An invariant holds.
    case obeys(GuideRule)
    /// One of the codes is in a value set.
    case isFrom(GuideRule)
    /// Each coding belongs to one of the slices for vaccines, and each slice has one coding at most.
    case hasVaccineCodings
    /// The reference is to a resource of this type.
    case refersTo(String)
}

/// What a profile says of an element, and of the elements in it.
struct GuideElement: Sendable {
    /// A choice of types that must be present, or one element.
    struct Requirement: Sendable {
        /// The name for messages, such as `value[x]`.
        let name: String
        /// The names of members that satisfy it.
        let members: [String]
    }

    /// Components with one code, which have constraints of their own.
    struct Slice: Sendable {
        let system: String
        let code: String
        let node: GuideNode
        /// Whether there are no other components.
        let isClosed: Bool
    }

    /// The path for messages, such as `Immunization.performer`.
    let path: String
    private(set) var constraints: [GuideConstraint] = []
    private(set) var children: [UTF8Text: GuideElement] = [:]
    private(set) var requirements: [Requirement] = []
    /// The slice among the values of this element.
    private(set) var slices: [Slice] = []
    /// Whether the element is not allowed.
    private(set) var isProhibited = false
    /// The allowed names, if the element is a type that is not allowed for a choice of types.
    private(set) var otherTypes: [String]?
    /// Whether the element does not repeat.
    private(set) var isSingle = false

    /// - Parameters:
    ///   - path: the path of the element itself: a type of resource, or what leads to a part of one.
    ///   - rows: what is said of it.
    init(_ path: String, _ rows: [GuideRow]) {
        self.path = path
        for row in rows {
            for path in row.paths { add(row.constraint, at: path[...]) }
        }
    }

    private init(_ path: String) { self.path = path }

    /// Changes the element with a name in this one.
    private mutating func change(_ member: String, _ body: (inout GuideElement) -> Void) {
        body(&children[UTF8Text(member), default: GuideElement("\(path).\(member)")])
    }

    /// The same, with a slice among its components.
    func with(components slice: Slice) -> GuideElement {
        var copy = self
        copy.change("component") { $0.slices = [slice] }
        return copy
    }

    private mutating func add(_ constraint: GuideConstraint, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        let members = Self.members(name)
        guard path.count == 1 else {
            for member in members { change(member) { $0.add(constraint, at: path.dropFirst()) } }
            return
        }
        switch constraint {
        case .required: requirements.append(Requirement(name: name, members: members))
        case .types(let allowed):
            for member in members where !allowed.contains(member) {
                change(member) { $0.otherTypes = allowed }
            }
        case .prohibited:
            for member in members { change(member) { $0.isProhibited = true } }
        case .single:
            for member in members { change(member) { $0.isSingle = true } }
        case .equals, .obeys, .isFrom, .hasVaccineCodings, .refersTo:
            for member in members { change(member) { $0.constraints.append(constraint) } }
        }
    }

    /// The names of the members that an element may have in JSON.
    static func members(_ name: String) -> [String] {
        guard name.utf8.last == UInt8(ascii: "]") else { return [name] }
        let stem = String(name.dropLast(3))
        return (choices[stem] ?? []).map { stem + $0 }
    }

    /// The types of the choices in the constrained resources (FHIR R4).
    private static let choices = [
        "deceased": ["Boolean", "DateTime"], "multipleBirth": ["Boolean", "Integer"],
        "occurrence": ["DateTime", "String"], "effective": ["DateTime", "Period", "Timing", "Instant"],
        "value": [
            "Quantity", "CodeableConcept", "String", "Boolean", "Integer", "Range", "Ratio", "SampledData", "Time",
            "DateTime", "Period",
        ],
    ]
}

/// What a profile says of an element, as the walk of a Bundle reads it. It does not change any more.
final class GuideNode: Sendable {
    let path: String
    let constraints: [GuideConstraint]
    let requirements: [GuideElement.Requirement]
    let slices: [GuideElement.Slice]
    let isProhibited: Bool
    let otherTypes: [String]?
    let isSingle: Bool
    /// Whether something is said of the elements in this one.
    let hasContent: Bool
    private let names: NameTable
    private let children: [GuideNode]

    init(_ element: GuideElement) {
        path = element.path
        constraints = element.constraints
        requirements = element.requirements
        slices = element.slices
        isProhibited = element.isProhibited
        otherTypes = element.otherTypes
        isSingle = element.isSingle
        hasContent = !element.children.isEmpty || !element.requirements.isEmpty
        names = NameTable(element.children.keys.map(\.description))
        children = element.children.values.map { GuideNode($0) }
    }

    /// What is said of the element with a name; nil for nothing.
    ///
    /// - Parameter isOfPrimitive: whether the name of the element comes after an underscore.
    func child(named name: JSONValue, isOfPrimitive: Bool) -> GuideNode? {
        names.index(of: name, droppingFirst: isOfPrimitive ? 1 : 0).map { children[$0] }
    }
}
