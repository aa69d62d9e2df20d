import CData
import Encodings
import Synchronization

/// The types that a walk has met. Each is read from the tables when the first walk of the process meets it.
struct FHIRTypes {
    private var known = FHIRTypes.read.withLock { $0 }

    /// The types that all walks have met. There are as many as the tables have, whatever the Bundles contain.
    private static let read = Mutex<[String: FHIRType]>([:])

    /// The type with a name; nil if there is none.
    mutating func type(named name: String) -> FHIRType? {
        if let type = known[name] { return type }
        guard let words = StructureTable.row(of: name), let first = words.first else { return nil }
        let type: FHIRType
        if first == "=" {
            type = FHIRType(name: name, codes: Array(words.dropFirst()))
        } else {
            let base = first == "-" ? nil : self.type(named: first)
            let isOpen = words.contains { $0.contains(":*") && $0.contains("[x]") }
            let open = isOpen ? self.type(named: "OpenType")?.codes ?? [] : []
            type = FHIRType(name: name, words: words.dropFirst(), base: base, open: open)
        }
        known[name] = type
        Self.read.withLock { $0[name] = type }
        return type
    }

    /// The resource type with a name; nil if R4 has none.
    mutating func resource(named name: UTF8Text) -> FHIRType? {
        guard name.utf8.count <= 64, name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return type(named: name.description).flatMap { $0.isResource ? $0 : nil }
    }
}

/// A type of FHIR R4: a datatype, a part of a resource, a resource, or a list of codes.
final class FHIRType: Sendable {
    /// The types that have rules of their own.
    enum Role: Sendable {
        case other, `extension`, coding, codeableConcept, reference
    }

    /// An element that the walk keeps track of: a required one, or a choice of types.
    struct Mark: Sendable {
        /// For example `status` or `occurrence[x]`.
        let name: String
        let isRequired: Bool
        /// The possible names of a choice in JSON; empty if this is not a choice.
        let choices: [String]
    }

    let name: String
    let role: Role
    /// Whether this is a resource type.
    let isResource: Bool
    /// Whether this is based on DomainResource, and so may have a narrative.
    let isDomainResource: Bool
    /// The elements by their names in JSON, including those of the base type.
    let elements: [String: FHIRElement]
    let marks: [Mark]
    /// The indices of the marks of required elements.
    let requiredMarks: [Int]
    /// The codes of a list of codes; nil for other types.
    let codes: [String]?
    /// The elements in the order of `names`.
    private let listed: [FHIRElement]
    /// The names of the elements in JSON, or the codes of a list of codes.
    private let names: NameTable

    /// - Parameters:
    ///   - codes: the codes, if it is a list of codes; nil for other types.
    ///   - words: the elements in a row of a table.
    ///   - base: the base type.
    ///   - open: the types that an open choice may have.
    init(
        name: String, codes: [String]? = nil, words: ArraySlice<String> = [], base: FHIRType? = nil, open: [String] = []
    ) {
        self.name = name
        self.codes = codes
        isDomainResource = base?.isDomainResource == true || name == "DomainResource"
        isResource = name != "DomainResource" && (base?.name == "DomainResource" || base?.name == "Resource")
        role =
            switch name {
            case "Extension": .extension
            case "Coding": .coding
            case "CodeableConcept": .codeableConcept
            case "Reference": .reference
            default: .other
            }
        var elements = base?.elements ?? [:]
        var marks = base?.marks ?? []
        for word in words {
            let parts = word.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let element = String(parts[0])
            let cardinality = parts[1].last
            let isRequired = cardinality == "!" || cardinality == "+"
            // A star alone is the open choice.
            let repeats = cardinality == "*" && parts[1] != "*" || cardinality == "+"
            let type = isRequired || repeats ? parts[1].dropLast() : parts[1]
            if element.hasSuffix("[x]") {
                let prefix = element.dropLast(3)
                let types = type == "*" ? open : type.split(separator: ",").map { String($0) }
                let names = types.map { "\(prefix)\($0.prefix(1).uppercased())\($0.dropFirst())" }
                for (choice, type) in zip(names, types) {
                    elements[choice] = FHIRElement(
                        name: element, kind: Self.kind(of: type), repeats: repeats, mark: marks.count)
                }
                marks.append(Mark(name: element, isRequired: isRequired, choices: names))
            } else {
                elements[element] = FHIRElement(
                    name: element, kind: Self.kind(of: String(type)), repeats: repeats,
                    mark: isRequired ? marks.count : nil)
                if isRequired { marks.append(Mark(name: element, isRequired: true, choices: [])) }
            }
        }
        self.elements = elements
        self.marks = marks
        requiredMarks = marks.indices.filter { marks[$0].isRequired }
        names = NameTable(codes ?? Array(elements.keys))
        listed = Array(elements.values)
    }

    private static func kind(of type: String) -> FHIRElement.Kind {
        if type.hasPrefix("@"), let primitive = Primitive(rawValue: String(type.dropFirst())) {
            return .primitive(primitive, isAttribute: true)
        }
        if type == "ResourceContainer" { return .resource }
        return Primitive(rawValue: type).map { .primitive($0, isAttribute: false) } ?? .named(type)
    }

    /// The element with a name; nil if the type has none.
    ///
    /// - Parameter isCompanion: whether the name of the element comes after an underscore.
    func element(named name: JSONValue, isCompanion: Bool) -> FHIRElement? {
        names.index(of: name, droppingFirst: isCompanion ? 1 : 0).map { listed[$0] }
    }

    /// Whether this is a list of codes that has a code.
    func lists(_ code: JSONValue) -> Bool { codes != nil && names.index(of: code) != nil }
}

/// An element of a type: what a member with this name may contain.
final class FHIRElement: Sendable {
    /// The kind of an element's values.
    enum Kind: Sendable {
        /// A primitive. With `isAttribute`, it can have no extensions.
        case primitive(Primitive, isAttribute: Bool)
        /// A type with this name, or a code of the list with this name.
        case named(String)
        /// Any resource.
        case resource
    }

    /// The name in the definition: `status`, `occurrence[x]`.
    let name: String
    let kind: Kind
    /// Whether the values are in an array.
    let repeats: Bool
    /// The index of the type's mark for this element; nil if it needs none.
    let mark: Int?
    /// The type of the values, if they have one with a name and a walk has met it.
    private let known = Mutex<FHIRType?>(nil)

    init(name: String, kind: Kind, repeats: Bool, mark: Int?) {
        self.name = name
        self.kind = kind
        self.repeats = repeats
        self.mark = mark
    }

    /// The type of the values; nil if they have none with a name.
    func type(in types: inout FHIRTypes) -> FHIRType? {
        if let known = known.withLock({ $0 }) { return known }
        guard case .named(let name) = kind, let type = types.type(named: name) else { return nil }
        known.withLock { $0 = type }
        return type
    }
}

/// The structure of FHIR R4, as rows of text (Sources/CData/data/structure.txt).
///
/// A row is a line of words. Rows are sorted by the bytes of their names. There are two kinds:
///
///     NarrativeStatus = generated extensions additional empty
///     Narrative Element status:NarrativeStatus! div:@xhtml!
///
/// The first is a code list. The second is a type: its base (`-`: none) and its own elements, each with its type and
/// its cardinality: none for 0 to 1, `!` for 1, `*` for any number, `+` for 1 or more. `occurrence[x]:dateTime,string!`
/// is a choice of types. In `value[x]:*` the types are those of the row `OpenType`. `@` marks XHTML and what is an
/// attribute in XML: they have no extensions.
enum StructureTable {
    private static let space = UInt8(ascii: " ")
    private static let rows = SortedRows(unsafe EmbeddedFile(data_structure), separator: space)

    /// The words of the row with a name, without the name; nil if the table does not have it.
    static func row(of name: String) -> [String]? {
        rows.row(of: name.utf8.span)?.split(separator: space).map { String(decoding: $0, as: UTF8.self) }
    }
}
