import JSON

/// A type of FHIR R4: a datatype, a part of a resource, a resource, or a list of codes.
final class FHIRType: Sendable {
    /// What rules of their own are about.
    enum Role: Sendable {
        case other, `extension`, coding, codeableConcept, reference
    }

    /// What has to be there, or only once: a required element, or a choice.
    struct Mark: Sendable {
        /// `status`, `occurrence[x]`.
        let name: String
        let isRequired: Bool
        /// The names that a choice may have; none where it is no choice.
        let choices: [String]
    }

    let name: String
    let role: Role
    /// Whether it is a resource that may stand in a Bundle.
    let isResource: Bool
    /// Whether it is built on DomainResource, and so may have a narrative.
    let isDomainResource: Bool
    /// The elements by the names that they have in JSON, those of its base included.
    let elements: [String: FHIRElement]
    let marks: [Mark]
    /// The codes, where it is a list of codes.
    let codes: [String]?

    /// A list of codes.
    init(name: String, codes: [String]) {
        self.name = name
        self.codes = codes
        role = .other
        isResource = false
        isDomainResource = false
        elements = [:]
        marks = []
    }

    /// - Parameters:
    ///   - words: a row of a table, without the name.
    ///   - base: what it is built on.
    ///   - open: the types that any value may have.
    init(name: String, words: [String], base: FHIRType?, open: [String]) {
        self.name = name
        codes = nil
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
        for word in words.dropFirst() {
            let parts = word.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let element = String(parts[0])
            let cardinality = parts[1].last
            let isRequired = cardinality == "!" || cardinality == "+"
            // The star that stands alone is the open choice.
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
    }

    private static func kind(of type: String) -> FHIRElement.Kind {
        if type.hasPrefix("@"), let primitive = Primitive(rawValue: String(type.dropFirst())) {
            return .primitive(primitive, isAttribute: true)
        }
        if type == "ResourceContainer" { return .resource }
        return Primitive(rawValue: type).map { .primitive($0, isAttribute: false) } ?? .named(type)
    }

    /// The element of a member; nil if the type has none of that name.
    ///
    /// Names of elements are ASCII, so that as a `String` they are compared byte by byte.
    func element(of member: UTF8Text) -> FHIRElement? {
        member.utf8.allSatisfy { $0 < 0x80 } ? elements[member.description] : nil
    }
}
