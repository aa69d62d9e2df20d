import JSON
import SMARTHealthCards

/// One walk through a Bundle, which finds for every rule at once what departs from the structure of FHIR R4 and from
/// what cards leave out.
///
/// What cannot be typed (another version of FHIR, an unknown resource, an unknown member) is walked by the names of its
/// members: B1 to B7 and empty values are the same in every version. Each value is seen once, so the work grows with the
/// Bundle; the depth is bounded by the JSON's.
struct BundleWalk {
    /// The problems, in the order of the text.
    private(set) var problems: [StructureProblem] = []
    private var counts: [StructureProblem.Kind: Int] = [:]
    var types = FHIRTypes()
    /// The entries' addresses that are short.
    private var addresses: Set<String> = []
    /// Whether the resource that is walked is contained in another.
    var isContained = false

    /// Problems of one kind that are kept.
    static let problemsOfKind = 1000

    /// - Parameter fhirVersion: the version that the payload claims; nil for none, which is taken for R4.
    init(_ bundle: JSONValue, fhirVersion: UTF8Text?) {
        guard bundle.kind == .object else { return }
        readEntries(of: bundle)
        if Self.isR4(fhirVersion) {
            walkResource(bundle)
        } else {
            walkByNames(bundle)
        }
    }

    /// Whether the rules of R4 apply: 4.0.x, and whatever is no version at all, since then R4 is the likely one.
    static func isR4(_ version: UTF8Text?) -> Bool {
        guard let parts = version?.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false),
            parts.count > 1, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } })
        else { return true }
        return parts[0].elementsEqual("4".utf8) && parts[1].elementsEqual("0".utf8)
    }

    // MARK: Problems

    /// Keeps a problem, unless there are enough of its kind already.
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

    /// Looks at the addresses of the entries, which references lead to.
    private mutating func readEntries(of bundle: JSONValue) {
        guard let entries = bundle["entry"]?.elements else { return }
        var seen: Set<[UInt8]> = []
        for entry in entries where entry.kind == .object {
            guard let address = entry["fullUrl"] else {
                add(
                    .fullURL, "the entry has no fullUrl; it would be resource:0, resource:1, …", at: entry,
                    member: "fullUrl")
                continue
            }
            guard let text = address.stringBytes, !text.isEmpty else { continue }
            if let number = Self.number(ofShort: text) {
                addresses.insert(number)
            } else {
                add(.fullURL, "\(address.shown) is not of the form resource:0", at: address)
            }
            if !seen.insert(text).inserted {
                add(.repeatedFullURL, "an earlier entry has the fullUrl \(address.shown) as well", at: address)
            }
        }
    }

    /// Looks at where a Reference leads.
    mutating func checkReference(_ reference: JSONValue) {
        guard let text = reference.stringBytes, !text.isEmpty else { return }
        guard let number = Self.number(ofShort: text) else {
            return add(.longReference, "the reference \(reference.shown) is not of the form resource:0", at: reference)
        }
        if !addresses.contains(number) {
            add(.openReference, "no entry has the fullUrl \(reference.shown)", at: reference)
        }
    }

    /// The digits of `resource:12`; nil if a text is not of that form. They have no leading zeros.
    private static func number(ofShort text: [UInt8]) -> String? {
        guard text.starts(with: "resource:".utf8) else { return nil }
        let digits = text.dropFirst(9)
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.count == 1 || digits.first != UInt8(ascii: "0")
        else { return nil }
        return String(decoding: digits, as: UTF8.self)
    }

    // MARK: Resources

    /// Looks at what is the same in every version: what a resource leaves out on a card.
    mutating func checkSmallness(of resource: JSONValue, hasNarrative: Bool) {
        if let id = resource["id"] {
            add(.resourceID, "the resource has the id \(id.shown)", at: id)
        }
        if let members = resource["meta"]?.members {
            for (name, value) in members where name != "security" {
                add(.resourceMeta, "meta has \(name.quoted(upTo: 40)), not security alone", at: value)
            }
        }
        if hasNarrative, let text = resource["text"] {
            add(.resourceText, "the resource has a narrative", at: text)
        }
    }

    /// Walks what has no known type.
    mutating func walkByNames(_ value: JSONValue) {
        if let members = value.members {
            if members.count == 0 { add(.empty, "an empty object", at: value) }
            walkObjectByNames(value)
            for (_, member) in members {
                if member.isNull { add(.empty, "null", at: member) }
                walkByNames(member)
            }
        } else if let elements = value.elements {
            if elements.count == 0 { add(.empty, "an empty array", at: value) }
            // null may stand among primitives, for one that has extensions alone.
            for element in elements { walkByNames(element) }
        } else if value.isEmptyString {
            add(.empty, "an empty string", at: value)
        }
    }

    private mutating func walkObjectByNames(_ object: JSONValue) {
        if let type = object["resourceType"] {
            let isBare = type.isString("Bundle") || type.isString("Binary") || type.isString("Parameters")
            checkSmallness(of: object, hasNarrative: !isBare)
        }
        if let codings = object["coding"]?.elements {
            if let text = object["text"] { add(.conceptText, "the concept has the text \(text.shown)", at: text) }
            for coding in codings {
                if let display = coding["display"] {
                    add(.codingDisplay, "the coding has the display \(display.shown)", at: display)
                }
            }
        }
        if let reference = object["reference"], object.isReference { checkReference(reference) }
    }
}

extension JSONValue {
    /// What a message shows of it.
    var shown: String { kind == .string ? (string ?? "").quoted(upTo: 40) : described }

    /// What kind of value it is, with an article.
    var described: String {
        switch kind {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .boolean: "a boolean"
        case .null: "null"
        }
    }

    var isEmptyString: Bool { byteRange.count == 2 && kind == .string }

    /// Whether an object of no known type is a Reference: every member of it is one of a Reference's.
    fileprivate var isReference: Bool {
        guard let members, members.count <= 8 else { return false }
        let names: [StaticString] = ["reference", "display", "identifier", "type", "id", "extension"]
        return members.allSatisfy { name, _ in
            let name = name.utf8.first == UInt8(ascii: "_") ? name.utf8.dropFirst() : name.utf8[...]
            return names.contains { String(describing: $0).utf8.elementsEqual(name) }
        }
    }
}
