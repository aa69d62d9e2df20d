import Encodings

/// The walk of values whose type in FHIR R4 is known.
extension BundleWalk {
    /// Walks a resource, whatever its type.
    mutating func walkResource(_ value: JSONValue) {
        guard value.kind == .object else {
            return add(
                value.isNull ? .empty : .jsonType, "a resource is not an object but \(value.described)", at: value)
        }
        guard let name = value["resourceType"] else {
            add(.resourceType, "a resource has no `resourceType`", at: value, member: "resourceType")
            return walkByNames(value)
        }
        guard let type = name.string.flatMap({ types.resource(named: $0) }) else {
            add(.resourceType, "`resourceType` is \(name.shown), which is not a resource type of FHIR R4", at: name)
            return walkByNames(value)
        }
        checkSmallness(of: value, hasNarrative: type.isDomainResource)
        walk(value, as: type)
    }

    /// Walks an object of a type.
    private mutating func walk(_ object: JSONValue, as type: FHIRType) {
        guard let members = object.members, members.count > 0 else {
            return add(.empty, "an object of the type \(type.name) is empty", at: object)
        }
        var seen = Marks()
        for (name, value) in members.named {
            if type.isResource, name.isString("resourceType") { continue }
            let isCompanion = name.begins(with: UInt8(ascii: "_"))
            guard let element = type.element(named: name, isCompanion: isCompanion) else {
                add(.unknownElement, Self.unknown(name.string ?? "", of: type), at: value)
                walkByNames(value)
                continue
            }
            note(element, name, isCompanion: isCompanion, at: value, of: type, in: &seen)
            if isCompanion {
                walkCompanion(value, of: element)
            } else {
                walk(value, of: element, in: object)
                checkRole(of: type, name, value)
            }
        }
        for index in type.requiredMarks where !seen.contains(index) {
            let mark = type.marks[index]
            add(.missingElement, "\(type.name) has no `\(mark.name)`, which is required", at: object, member: mark.name)
        }
        if type.role == .extension { checkExtension(object, seen, of: type) }
    }

    // MARK: Required elements and choices

    /// The required elements and choices of one object that the walk has met.
    private struct Marks {
        private var bits: UInt64 = 0
        /// The first member of each choice.
        var choices: [(index: Int, member: UTF8Text)] = []

        func contains(_ index: Int) -> Bool { bits & (1 &<< UInt64(index)) != 0 }

        mutating func insert(_ index: Int) { bits |= 1 &<< UInt64(index) }
    }

    /// Marks an element as met, and finds a second type of a choice.
    ///
    /// - Parameters:
    ///   - name: the name of the member.
    ///   - isCompanion: whether the name is that of the element after an underscore.
    private mutating func note(
        _ element: FHIRElement, _ name: JSONValue, isCompanion: Bool, at value: JSONValue, of type: FHIRType,
        in seen: inout Marks
    ) {
        guard let index = element.mark else { return }
        seen.insert(index)
        guard !type.marks[index].choices.isEmpty else { return }
        let written = name.string ?? ""
        let member = isCompanion ? UTF8Text(decoding: written.utf8.dropFirst()) : written
        guard let first = seen.choices.first(where: { $0.index == index })?.member else {
            seen.choices.append((index, member))
            return
        }
        if first != member {
            add(
                .choice, "`\(element.name)` may have only one type, but both `\(first)` and `\(member)` are present",
                at: value)
        }
    }

    /// Checks that an extension has either a value or extensions (ext-1).
    private mutating func checkExtension(_ object: JSONValue, _ seen: Marks, of type: FHIRType) {
        let hasExtensions = object["extension"] != nil
        if !seen.choices.isEmpty == hasExtensions {
            add(
                .extension,
                hasExtensions
                    ? "an extension has both a value and extensions of its own"
                    : "an extension has neither a value nor extensions of its own",
                at: object)
        }
    }

    /// Checks what cards leave out, and the targets of references.
    private mutating func checkRole(of type: FHIRType, _ name: JSONValue, _ value: JSONValue) {
        switch type.role {
        case .coding where name.isString("display"): addCodingDisplay(value)
        case .codeableConcept where name.isString("text"): addConceptText(value)
        case .reference where name.isString("reference"): checkReference(value)
        default: break
        }
    }

    private static func unknown(_ name: UTF8Text, of type: FHIRType) -> String {
        let lower = name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let choice = type.marks.first { $0.name.utf8.elementsEqual("\(name)[x]".utf8) }
        let near = type.elements.keys.filter { $0.lowercased().utf8.elementsEqual(lower) }.min()
        let hint =
            choice.map { "; its name includes its type, as in \($0.choices.prefix(2).joined(separator: " or "))" }
            ?? near.map { "; the name is `\($0)`" } ?? ""
        return "\(type.name) has no element \(name.quoted(upTo: 40)) in FHIR R4\(hint)"
    }

    // MARK: Values

    /// Walks the value of a member.
    private mutating func walk(_ value: JSONValue, of element: FHIRElement, in object: JSONValue) {
        guard let values = value.elements else {
            if element.repeats, !value.isNull {
                add(
                    .cardinality,
                    "`\(element.name)` may repeat, so it must be an array, but it is \(value.described)", at: value)
            }
            return walkOne(value, of: element)
        }
        if !element.repeats {
            add(.cardinality, "`\(element.name)` must not repeat, but it is an array", at: value)
        } else if values.count == 0 {
            add(.empty, "`\(element.name)` is an empty array", at: value)
        }
        // Among primitives, null stands for one that has only extensions. They are in the companion.
        var companions = values.contains(where: \.isNull) ? object["_\(element.name)"]?.elements?.makeIterator() : nil
        for value in values {
            let companion = companions?.next()
            if value.isNull, companion?.kind == .object { continue }
            walkOne(value, of: element)
        }
    }

    /// Walks one value of an element.
    private mutating func walkOne(_ value: JSONValue, of element: FHIRElement) {
        guard !value.isNull else { return add(.empty, "`\(element.name)` is null", at: value) }
        switch element.kind {
        case .primitive(let primitive, _): check(value, as: primitive, of: element)
        case .named(let name):
            guard let type = element.type(in: &types) else { return walkByNames(value) }
            if let codes = type.codes {
                check(value, against: codes, of: type, in: element)
            } else if value.kind == .object {
                walk(value, as: type)
            } else {
                add(
                    .jsonType, "`\(element.name)` must be an object of the type \(name), but it is \(value.described)",
                    at: value)
                walkByNames(value)
            }
        case .resource:
            guard element.name.utf8.elementsEqual("contained".utf8) else { return walkResource(value) }
            if isContained { add(.contained, "a contained resource contains another resource", at: value) }
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
                "`_\(element.name)` is not allowed: `\(element.name)` is not a primitive that can have extensions",
                at: value)
            return walkByNames(value)
        }
        guard let values = value.elements else {
            if element.repeats {
                add(
                    .primitiveExtension, "`_\(element.name)` must be an array, because `\(element.name)` is one",
                    at: value)
            }
            return walkOneCompanion(value, of: element)
        }
        if !element.repeats {
            add(
                .primitiveExtension, "`_\(element.name)` must not be an array, because `\(element.name)` is not one",
                at: value)
        } else if values.allSatisfy(\.isNull) {
            add(.empty, "`_\(element.name)` is an array without extensions", at: value)
        }
        for value in values where !value.isNull { walkOneCompanion(value, of: element) }
    }

    private mutating func walkOneCompanion(_ value: JSONValue, of element: FHIRElement) {
        guard value.kind == .object, let type = types.type(named: "Element") else {
            return value.isNull
                ? add(.empty, "`_\(element.name)` is null", at: value)
                : add(
                    .primitiveExtension,
                    "`_\(element.name)` must be an object with `id` and `extension`, but it is \(value.described)",
                    at: value)
        }
        walk(value, as: type)
    }

    private mutating func isExtensible(_ element: FHIRElement) -> Bool {
        switch element.kind {
        case .primitive(_, let isAttribute): !isAttribute
        case .named: element.type(in: &types)?.codes != nil
        case .resource: false
        }
    }

    // MARK: Primitives

    private mutating func check(_ value: JSONValue, as type: Primitive, of element: FHIRElement) {
        guard value.kind == type.jsonKind else {
            add(
                .jsonType, "`\(element.name)` must be \(type.jsonKind.written), but it is \(value.described)",
                at: value)
            return walkByNames(value)
        }
        guard !value.isEmptyString else { return add(.empty, "`\(element.name)` is an empty string", at: value) }
        let objection: Primitive.Objection? =
            switch type.jsonKind {
            case .string where type.surelyHas(value): nil
            case .string: value.stringBytes.flatMap { type.objection(to: $0) }
            case .number: type.objection(toNumber: value.rawBytes)
            default: nil
            }
        guard let objection else { return }
        let shown = value.kind == .number ? String(decoding: value.rawBytes.prefix(40), as: UTF8.self) : value.shown
        if type == .xhtml {
            add(.narrative, "`\(element.name)` of the narrative is not valid: \(objection.reason)", at: value)
        } else {
            add(
                .format,
                "`\(element.name)` is \(shown), which is \(objection.isAdvice ? "unsuitable as" : "not") "
                    + "\(type.described): \(objection.reason)",
                at: value, isAdvice: objection.isAdvice)
        }
    }

    private mutating func check(
        _ value: JSONValue, against codes: [String], of list: FHIRType, in element: FHIRElement
    ) {
        guard value.kind == .string else {
            add(.jsonType, "`\(element.name)` must be a string, but it is \(value.described)", at: value)
            return walkByNames(value)
        }
        guard !value.isEmptyString else { return add(.empty, "`\(element.name)` is an empty string", at: value) }
        guard !list.lists(value) else { return }
        let shown = codes.prefix(12).joined(separator: ", ") + (codes.count > 12 ? ", …" : "")
        add(.code, "`\(element.name)` is \(value.shown), not one of the codes of \(list.name): \(shown)", at: value)
    }
}

extension JSONValue.Kind {
    /// How a primitive of this kind is written.
    fileprivate var written: String { self == .boolean ? "true or false" : described }
}
