import JSON
import SMARTHealthCards

/// The walk by FHIR R4's types.
extension BundleWalk {
    /// Walks a resource, whatever its type.
    mutating func walkResource(_ value: JSONValue) {
        guard value.kind == .object else {
            return add(
                value.isNull ? .empty : .jsonType,
                value.isNull ? "null" : "\(value.described) where a resource belongs",
                at: value)
        }
        guard let name = value["resourceType"] else {
            add(.resourceType, "the resource does not say its type", at: value, member: "resourceType")
            return walkByNames(value)
        }
        guard let type = name.string.flatMap({ types.resource(named: $0) }) else {
            add(.resourceType, "\(name.shown) is no resource type of FHIR R4", at: name)
            return walkByNames(value)
        }
        checkSmallness(of: value, hasNarrative: type.isDomainResource)
        walk(value, as: type)
    }

    /// Walks an object of a type.
    private mutating func walk(_ object: JSONValue, as type: FHIRType) {
        guard let members = object.members, members.count > 0 else {
            return add(.empty, "an empty object", at: object)
        }
        var seen = Marks()
        for (name, value) in members {
            if type.isResource, name == "resourceType" { continue }
            let isCompanion = name.utf8.first == UInt8(ascii: "_")
            let plain = isCompanion ? UTF8Text(decoding: name.utf8.dropFirst()) : name
            guard let element = type.element(of: plain) else {
                add(.unknownElement, Self.unknown(name, of: type), at: value)
                walkByNames(value)
                continue
            }
            note(element, plain, at: value, of: type, in: &seen)
            if isCompanion {
                walkCompanion(value, of: element)
            } else {
                walk(value, of: element, in: object)
                checkRole(of: type, name, value)
            }
        }
        for (index, mark) in type.marks.enumerated() where mark.isRequired && !seen.contains(index) {
            add(.missingElement, "\(type.name) has no \(mark.name), which is required", at: object, member: mark.name)
        }
        if type.role == .extension { checkExtension(object, seen, of: type) }
    }

    // MARK: What is there

    /// The required elements and choices of one object that have been met.
    private struct Marks {
        private var bits: UInt64 = 0
        /// The first member of each choice that has been met.
        var choices: [(index: Int, member: UTF8Text)] = []

        func contains(_ index: Int) -> Bool { bits & (1 &<< UInt64(index)) != 0 }

        mutating func insert(_ index: Int) { bits |= 1 &<< UInt64(index) }
    }

    /// Marks an element off, and finds a second type of a choice.
    private mutating func note(
        _ element: FHIRElement, _ member: UTF8Text, at value: JSONValue, of type: FHIRType, in seen: inout Marks
    ) {
        guard let index = element.mark else { return }
        seen.insert(index)
        guard !type.marks[index].choices.isEmpty else { return }
        guard let first = seen.choices.first(where: { $0.index == index })?.member else {
            seen.choices.append((index, member))
            return
        }
        if first != member {
            add(.choice, "\(element.name) has one type; here are \(first) and \(member)", at: value)
        }
    }

    /// An extension has a value or extensions of its own (ext-1).
    private mutating func checkExtension(_ object: JSONValue, _ seen: Marks, of type: FHIRType) {
        let hasExtensions = object["extension"] != nil
        if !seen.choices.isEmpty == hasExtensions {
            add(
                .extension,
                hasExtensions
                    ? "the extension has a value and extensions within"
                    : "the extension has neither a value nor extensions",
                at: object)
        }
    }

    /// What cards leave out, and where references lead.
    private mutating func checkRole(of type: FHIRType, _ name: UTF8Text, _ value: JSONValue) {
        switch type.role {
        case .coding where name == "display":
            add(.codingDisplay, "the coding has the display \(value.shown)", at: value)
        case .codeableConcept where name == "text":
            add(.conceptText, "the concept has the text \(value.shown)", at: value)
        case .reference where name == "reference":
            checkReference(value)
        default: break
        }
    }

    private static func unknown(_ name: UTF8Text, of type: FHIRType) -> String {
        let lower = name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let choice = type.marks.first { $0.name.utf8.elementsEqual("\(name)[x]".utf8) }
        let near = type.elements.keys.filter { $0.lowercased().utf8.elementsEqual(lower) }.min()
        let hint =
            choice.map { "; it is written with its type, as \($0.choices.prefix(2).joined(separator: " or "))" }
            ?? near.map { "; there is \($0)" } ?? ""
        return "\(type.name) has no element \(name.quoted(upTo: 40)) in FHIR R4\(hint)"
    }

    // MARK: Values

    /// Walks what a member holds.
    private mutating func walk(_ value: JSONValue, of element: FHIRElement, in object: JSONValue) {
        guard let values = value.elements else {
            if element.repeats, !value.isNull {
                add(
                    .cardinality, "\(element.name) may repeat, so it is an array; here is \(value.described)", at: value
                )
            }
            return walkOne(value, of: element)
        }
        if !element.repeats {
            add(.cardinality, "\(element.name) does not repeat; here is an array", at: value)
        } else if values.count == 0 {
            add(.empty, "an empty array", at: value)
        }
        // Of primitives, null stands for one that has extensions alone, which stand in the companion.
        var companions = values.contains(where: \.isNull) ? object["_\(element.name)"]?.elements?.makeIterator() : nil
        for value in values {
            let companion = companions?.next()
            if value.isNull, companion?.kind == .object { continue }
            walkOne(value, of: element)
        }
    }

    /// Walks one value of an element.
    private mutating func walkOne(_ value: JSONValue, of element: FHIRElement) {
        guard !value.isNull else { return add(.empty, "null", at: value) }
        switch element.kind {
        case .primitive(let primitive, _): check(value, as: primitive)
        case .named(let name):
            guard let type = types.type(named: name) else { return walkByNames(value) }
            if let codes = type.codes {
                check(value, against: codes, of: type)
            } else if value.kind == .object {
                walk(value, as: type)
            } else {
                add(.jsonType, "\(element.name) is an object of type \(name); here is \(value.described)", at: value)
                walkByNames(value)
            }
        case .resource:
            guard element.name.utf8.elementsEqual("contained".utf8) else { return walkResource(value) }
            if isContained { add(.contained, "a contained resource contains another", at: value) }
            let wasContained = isContained
            isContained = true
            walkResource(value)
            isContained = wasContained
        }
    }

    /// Walks the extensions of a primitive: a member `_name`.
    private mutating func walkCompanion(_ value: JSONValue, of element: FHIRElement) {
        guard isExtensible(element) else {
            add(
                .primitiveExtension,
                "_\(element.name) extends something that is not a primitive; the extensions of an object belong inside it",
                at: value)
            return walkByNames(value)
        }
        guard let values = value.elements else {
            if element.repeats {
                add(.primitiveExtension, "\(element.name) is an array, so _\(element.name) is one as well", at: value)
            }
            return walkOneCompanion(value, of: element)
        }
        if !element.repeats {
            add(.primitiveExtension, "\(element.name) is one value, so _\(element.name) is one object", at: value)
        } else if values.allSatisfy(\.isNull) {
            add(.empty, "an array with no extension in it", at: value)
        }
        for value in values where !value.isNull { walkOneCompanion(value, of: element) }
    }

    private mutating func walkOneCompanion(_ value: JSONValue, of element: FHIRElement) {
        guard value.kind == .object, let type = types.type(named: "Element") else {
            return value.isNull
                ? add(.empty, "null", at: value)
                : add(
                    .primitiveExtension,
                    "_\(element.name) is an object with id and extension; here is \(value.described)",
                    at: value)
        }
        walk(value, as: type)
    }

    private mutating func isExtensible(_ element: FHIRElement) -> Bool {
        switch element.kind {
        case .primitive(_, let isAttribute): !isAttribute
        case .named(let name): types.type(named: name)?.codes != nil
        case .resource: false
        }
    }

    // MARK: Primitives

    private mutating func check(_ value: JSONValue, as type: Primitive) {
        guard value.kind == type.jsonKind else {
            add(
                .jsonType, "\(type.described) is \(type.jsonKind.described) in JSON; here is \(value.described)",
                at: value)
            return walkByNames(value)
        }
        guard !value.isEmptyString else { return add(.empty, "an empty string", at: value) }
        let objection: Primitive.Objection? =
            switch type.jsonKind {
            case .string: value.stringBytes.flatMap { type.objection(to: $0) }
            case .number: type.objection(toNumber: value.rawBytes)
            default: nil
            }
        guard let objection else { return }
        let shown = value.kind == .number ? String(decoding: value.rawBytes.prefix(40), as: UTF8.self) : value.shown
        if type == .xhtml {
            add(.narrative, "the narrative is not as FHIR has it: \(objection.reason)", at: value)
        } else {
            add(
                .format, "\(shown) is \(objection.isAdvice ? "hardly" : "not") \(type.described): \(objection.reason)",
                at: value, isAdvice: objection.isAdvice)
        }
    }

    private mutating func check(_ value: JSONValue, against codes: [String], of list: FHIRType) {
        guard let text = value.stringBytes else {
            add(.jsonType, "a code is a string in JSON; here is \(value.described)", at: value)
            return walkByNames(value)
        }
        guard !text.isEmpty else { return add(.empty, "an empty string", at: value) }
        guard !codes.contains(where: { $0.utf8.elementsEqual(text) }) else { return }
        let shown = codes.prefix(12).joined(separator: ", ") + (codes.count > 12 ? ", …" : "")
        add(.code, "\(value.shown) is none of the codes of \(list.name): \(shown)", at: value)
    }
}

extension JSONValue.Kind {
    fileprivate var described: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .boolean: "true or false"
        case .null: "null"
        }
    }
}
