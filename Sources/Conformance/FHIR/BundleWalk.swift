import Encodings

/// One walk through a Bundle that finds, for all rules at once, violations of the structure of FHIR R4 and elements
/// that cards leave out.
///
/// Values of unknown type (in another version of FHIR, an unknown resource or an unknown member) are checked by the
/// names of their members: SHC-B1 to B7 and empty values are the same in every version. Each value is visited once, so
/// the work grows with the size of the Bundle. The depth is limited by that of the JSON.
struct BundleWalk {
    /// The problems, in the order of the text.
    private(set) var problems: [StructureProblem] = []
    private var counts: [StructureProblem.Kind: Int] = [:]
    var types = FHIRTypes()
    /// The entries' addresses.
    private var addresses: Set<UTF8Text> = []
    /// Whether the current resource is contained in another.
    var isContained = false

    /// The number of problems of one kind that are kept.
    static let problemsOfKind = 1000

    /// Whether `meta.lastUpdated` and `meta.profile` are allowed, since a profile requires them.
    private let allowsProfileInMeta: Bool

    /// - Parameters:
    ///   - fhirVersion: the version in the payload; nil for none, which counts as R4.
    ///   - allowsProfileInMeta: whether `meta.lastUpdated` and `meta.profile` are allowed.
    init(_ bundle: JSONValue, fhirVersion: UTF8Text?, allowsProfileInMeta: Bool = false) {
        self.allowsProfileInMeta = allowsProfileInMeta
        guard bundle.kind == .object else { return }
        readEntries(of: bundle)
        // Without a type, it is a Bundle in no version.
        if Self.isR4(fhirVersion) || bundle["resourceType"] == nil {
            walkResource(bundle)
        } else {
            walkByNames(bundle)
        }
    }

    /// Whether the rules of R4 apply: to 4.0.x, and to what is not a version at all, because R4 is most likely then.
    static func isR4(_ version: UTF8Text?) -> Bool {
        // Nearly all cards.
        if version == "4.0.1" { return true }
        guard let parts = version?.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false),
            parts.count > 1, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } })
        else { return true }
        return parts[0].elementsEqual("4".utf8) && parts[1].elementsEqual("0".utf8)
    }

    // MARK: Problems

    /// Adds a problem, unless there are already too many of its kind.
    mutating func add(
        _ kind: StructureProblem.Kind, _ message: @autoclosure () -> String, at value: JSONValue, member: String? = nil,
        isAdvice: Bool = false
    ) {
        let count = counts[kind, default: 0]
        guard count < Self.problemsOfKind else { return }
        counts[kind] = count + 1
        problems.append(
            StructureProblem(kind: kind, message: message(), value: value, member: member, isAdvice: isAdvice))
    }

    // MARK: Entries and references

    /// Checks the addresses of the entries, and collects them for references.
    private mutating func readEntries(of bundle: JSONValue) {
        guard let entries = bundle["entry"]?.elements else { return }
        addresses.reserveCapacity(min(entries.count, 64))
        for entry in entries where entry.kind == .object {
            guard let address = entry["fullUrl"] else {
                add(
                    .fullURL, "an entry of the Bundle has no `fullUrl`; it should be resource:0, resource:1, …",
                    at: entry, member: "fullUrl")
                continue
            }
            guard let text = address.string, !text.isEmpty else { continue }
            if !Self.isShort(text) {
                add(.fullURL, "`fullUrl` of an entry is \(address.shown), not of the form resource:0", at: address)
            }
            if !addresses.insert(text).inserted {
                add(
                    .repeatedFullURL, "an earlier entry of the Bundle also has the `fullUrl` \(address.shown)",
                    at: address)
            }
        }
    }

    /// Checks the target of a Reference.
    mutating func checkReference(_ reference: JSONValue) {
        guard let text = reference.string, !text.isEmpty else { return }
        guard Self.isShort(text) else {
            return add(.longReference, "`reference` is \(reference.shown), not of the form resource:0", at: reference)
        }
        if !addresses.contains(text) {
            add(.openReference, "`reference` is \(reference.shown), but no entry has this `fullUrl`", at: reference)
        }
    }

    /// Whether a text has the form `resource:12`, without leading zeros.
    private static func isShort(_ address: UTF8Text) -> Bool {
        let text = address.utf8.span
        guard text.count > 9, text.extracting(first: 9).hasSameBytes(as: "resource:".utf8.span) else { return false }
        let digits = text.extracting(droppingFirst: 9)
        for index in digits.indices where !(0x30...0x39).contains(digits[index]) { return false }
        return digits.count == 1 || digits[0] != UInt8(ascii: "0")
    }

    // MARK: Resources

    /// Checks what a resource on a card leaves out, which is the same in every version.
    mutating func checkSmallness(of resource: JSONValue, hasNarrative: Bool) {
        if let id = resource["id"] {
            add(.resourceID, "a resource has the `id` \(id.shown); health cards leave it out", at: id)
        }
        let meta = resource["meta"]
        if let members = meta?.members {
            for (name, value) in members where name != "security" {
                if allowsProfileInMeta, name == "lastUpdated" || name == "profile" { continue }
                add(
                    .resourceMeta,
                    "`meta` of a resource has the member \(name.quoted(upTo: 40)); health cards allow only `security`",
                    at: value)
            }
        }
        if let security = meta?["security"] { check(security, of: resource) }
        if hasNarrative, let text = resource["text"] {
            add(.resourceText, "a resource has a narrative in `text`; health cards leave it out", at: text)
        }
    }

    /// Checks `meta.security`, which tells how surely the person was identified.
    private mutating func check(_ security: JSONValue, of resource: JSONValue) {
        if resource["resourceType"]?.isString("Bundle") == true {
            return add(
                .assuranceLevel,
                "the Bundle itself has `meta.security`; an identity assurance level belongs in the records that it is about",
                at: security)
        }
        let levels = "https://smarthealth.cards/ial"
        for label in security.elements.map(Array.init) ?? [] where label.kind == .object {
            let isLevel = label["code"]?.string.map { Self.assuranceLevels.contains($0.asciiLowercased) } ?? false
            if let system = label["system"] {
                let isOfLevels = system.isString(levels)
                guard isOfLevels != isLevel else { continue }
                let code = label["code"]?.shown ?? "no code"
                add(
                    .assuranceLevel,
                    isOfLevels
                        ? "`meta.security` has \(code) of \(levels), which has only IAL1, IAL1.2, IAL1.4, IAL2 and IAL3"
                        : "`meta.security` has the identity assurance level \(code) of the system \(system.shown), not of \(levels)",
                    at: label)
            } else {
                add(
                    .assuranceLevel,
                    "`meta.security` has a code without a `system`; the system of identity assurance levels is \(levels)",
                    at: label, member: "system")
            }
        }
    }

    /// The codes of https://smarthealth.cards/ial, which have no case.
    private static let assuranceLevels: Set<UTF8Text> = ["ial1", "ial1.2", "ial1.4", "ial2", "ial3"]

    /// Walks a value of unknown type.
    mutating func walkByNames(_ value: JSONValue) {
        if let members = value.members {
            if members.count == 0 { add(.empty, "an object in the Bundle is empty", at: value) }
            walkObjectByNames(value)
            for (name, member) in members {
                if member.isNull { add(.empty, "the member \(name.quoted(upTo: 40)) is null", at: member) }
                walkByNames(member)
            }
        } else if let elements = value.elements {
            if elements.count == 0 { add(.empty, "an array in the Bundle is empty", at: value) }
            // Among primitives, null stands for one that has only extensions.
            for element in elements { walkByNames(element) }
        } else if value.isEmptyString {
            add(.empty, "a string in the Bundle is empty", at: value)
        } else if value.stringBytes?.allSatisfy(Primitive.isWhiteSpace) == true {
            add(.format, "a string in the Bundle is only white space", at: value, isAdvice: true)
        }
    }

    mutating func addConceptText(_ text: JSONValue) {
        add(.conceptText, "a CodeableConcept has the `text` \(text.shown); health cards leave it out", at: text)
    }

    mutating func addCodingDisplay(_ display: JSONValue) {
        add(.codingDisplay, "a Coding has the `display` \(display.shown); health cards leave it out", at: display)
    }

    private mutating func walkObjectByNames(_ object: JSONValue) {
        if let type = object["resourceType"] {
            let isBare = type.isString("Bundle") || type.isString("Binary") || type.isString("Parameters")
            checkSmallness(of: object, hasNarrative: !isBare)
        }
        if let codings = object["coding"]?.elements {
            if let text = object["text"] { addConceptText(text) }
            for coding in codings {
                if let display = coding["display"] { addCodingDisplay(display) }
            }
        }
        if let reference = object["reference"], object.isReference { checkReference(reference) }
    }
}

extension JSONValue {
    /// What a message shows of the value.
    var shown: String { kind == .string ? (string ?? "").quoted(upTo: 40) : described }

    /// The kind of the value, with an article.
    var described: String { kind.described }

    var isEmptyString: Bool { byteRange.count == 2 && kind == .string }

    /// Whether an object of unknown type is a Reference: all of its members are members of a Reference.
    fileprivate var isReference: Bool {
        guard let members, members.count <= 8 else { return false }
        let names: [StaticString] = ["reference", "display", "identifier", "type", "id", "extension"]
        return members.allSatisfy { name, _ in
            let name = name.utf8.first == UInt8(ascii: "_") ? name.utf8.dropFirst() : name.utf8[...]
            return names.contains { String(describing: $0).utf8.elementsEqual(name) }
        }
    }
}

extension JSONValue.Kind {
    /// The kind with an article.
    var described: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .boolean: "a boolean"
        case .null: "null"
        }
    }
}

/// A violation that the walk of a Bundle found.
struct StructureProblem: Sendable {
    /// The kinds of violations, in the order of reports. There is a rule for each, which has its name.
    enum Kind: String, Sendable, CaseIterable {
        /// A missing or unknown `resourceType`.
        case resourceType = "resource-type"
        /// A member that the type does not have.
        case unknownElement = "unknown-element"
        /// A value of another JSON kind than its type has.
        case jsonType = "json-type"
        /// An array instead of one value, or one value instead of an array.
        case cardinality = "array"
        /// A missing element that is required.
        case missingElement = "missing-element"
        /// A choice with more than one type.
        case choice = "choice-of-types"
        /// A primitive that does not have the format of its type.
        case format
        /// A code that is not in the list that it is bound to.
        case code
        /// An empty string, array or object, or `null`.
        case empty
        /// A member `_name` that does not extend a primitive, or does so in the wrong way.
        case primitiveExtension = "primitive-extension"
        /// An extension with both a value and extensions, or with neither.
        case `extension`
        /// A resource that is contained in a contained resource.
        case contained
        /// A narrative's `div`.
        case narrative

        /// `Resource.id`.
        case resourceID = "resource-id"
        /// `Resource.meta` with other members than `security`.
        case resourceMeta = "resource-meta"
        /// `Resource.meta.security` that is not an identity assurance level, or in the wrong place.
        case assuranceLevel = "assurance-level"
        /// `DomainResource.text`.
        case resourceText = "resource-text"
        /// `CodeableConcept.text`.
        case conceptText = "concept-text"
        /// `Coding.display`.
        case codingDisplay = "coding-display"
        /// `Bundle.entry.fullUrl` that is missing or not of the form `resource:0`.
        case fullURL = "full-url"
        /// `Bundle.entry.fullUrl` that an earlier entry also has.
        case repeatedFullURL = "repeated-full-url"
        /// `Reference.reference` that is not of the form `resource:0`.
        case longReference = "long-reference"
        /// `Reference.reference` that is not the address of an entry.
        case openReference = "open-reference"
    }

    let kind: Kind
    /// What was found. It has to be clear without other findings.
    let message: String
    /// The value with the violation.
    let value: JSONValue
    /// The member that the value lacks; nil if no member is missing.
    let member: String?
    /// Whether FHIR says should not, rather than shall not.
    let isAdvice: Bool

    var problem: Problem { Problem(message, at: value, member: member, severity: isAdvice ? .warning : nil) }
}
