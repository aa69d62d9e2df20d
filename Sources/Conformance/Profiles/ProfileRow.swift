import Encodings

/// What a rule of a profile says of elements of a resource: a line in the profile's file.
struct ProfileRow: Sendable {
    /// What is said of an element.
    enum Constraint: Sendable {
        /// The element is present in each element around it.
        case required
        /// The element is present, and so is all that leads to it.
        case wholePath
        /// The element does not repeat, and at most one name of a choice is there.
        case single
        /// The element has exactly one value, and exactly one name of a choice is there.
        case one
        /// The element is not present. If it is, nothing else is said of it.
        case prohibited
        /// The element should not be present.
        case unwanted
        /// A reference leads to an entry of the Bundle with a resource of this type.
        case refersTo(UTF8Text)
        /// A reference does not lead to a resource of another type than this.
        case mayReferTo(UTF8Text)
        /// A code is in a value set.
        case isFrom(CodeSet)
        /// A Coding of a code system of a value set has a code of it.
        case codedBy(CodeSet)
        /// The value is one of these, or is none of them.
        case isOneOf([String])
        case isNoneOf([String])
        case pattern(TextPattern)
        /// A text has fewer UTF-16 units than this.
        case shorter(Int)
        /// A text does not contain a word, in any case.
        case without([UInt8])
        /// What rows cannot say.
        case obeys(ProfileJudge)
        /// The Bundle has as many resources of this type.
        case entries(ClosedRange<Int>, UTF8Text)
        /// The Bundle has resources of these types only.
        case only([UTF8Text])

        /// What the walk has to look at.
        enum Role {
            /// What is in the element around.
            case presence
            /// The number of values: too many are found where the element is, and none in the element around.
            case limit, number
            case prohibition
            /// Each value, which is right or wrong.
            case value
            /// Each value, for which there may be any number of violations.
            case remark
            /// The whole resource, or the entries of the Bundle.
            case resource, entries
        }

        var role: Role {
            switch self {
            case .required: .presence
            case .single: .limit
            case .one: .number
            case .prohibited: .prohibition
            case .unwanted, .obeys: .remark
            case .wholePath: .resource
            case .entries, .only: .entries
            default: .value
            }
        }

        /// Whether a text is compared byte by byte.
        var readsText: Bool {
            switch self {
            case .pattern, .without: true
            default: false
            }
        }
    }

    /// A step of a path.
    struct Step: Sendable {
        /// The names of the element, of which one is enough.
        let names: [String]
        /// The name in messages: the first, or that of a choice of types.
        let label: String
        /// The codes of the elements that are meant, if only some are.
        let slice: (name: String, codes: CodeSet)?
    }

    /// The ID of the rule.
    let rule: String
    /// The names of the profiles that the row is of; empty for all in the file.
    let profiles: [LintPolicy.Profile]
    /// The types of the resources; empty for all.
    let types: [UTF8Text]
    /// The row applies only if one of these elements of the resource is present, or only if none is.
    let condition: (names: [String], isPresent: Bool)?
    /// Whether one value that satisfies the constraint is enough.
    let needsOnlyOne: Bool
    /// Whether the row applies only if the profile was asked for.
    let isForAsked: Bool
    let severity: Severity
    let constraint: Constraint
    /// The paths, from the resource inwards. An empty one is the resource itself.
    let paths: [[Step]]
    /// The message, with placeholders in braces; nil for a usual one.
    let message: String?

    /// How many elements the row is about, up to some number. Rows for all types are part of what is said of each.
    var size: Int {
        let most = 1_000_000
        let elements = paths.map { $0.reduce(1) { min($0 * max($1.names.count, 1), most) } }
        return elements.reduce(0) { min($0 + $1, most) } * (types.isEmpty ? 20 : types.count)
    }

    /// The words that messages may have in braces.
    static let placeholders = ["type", "path", "element", "value", "count"]

    /// The message about a violation.
    ///
    /// - Parameters:
    ///   - type: the type of the resource.
    ///   - path: the path of the element below the resource.
    ///   - value: what is shown of the value.
    ///   - count: the number of values or resources.
    ///   - isTooLong: whether the value is too long to compare.
    func words(
        _ type: String, _ path: String, value: String = "", count: Int = 0, isTooLong: Bool = false
    ) -> String {
        let whole = path.isEmpty ? type : "\(type).\(path)"
        if isTooLong { return "`\(whole)` is too long to compare: more than \(Self.longestText) bytes" }
        guard let message else { return usualWords("`\(whole)`", value: value, count: count) }
        var words = ""
        for (place, part) in message.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
            guard place > 0, let end = part.firstIndex(of: "}") else {
                words += part
                continue
            }
            switch part[..<end] {
            case "type": words += type
            case "path": words += whole
            case "element": words += path
            case "value": words += value
            default: words += String(count)
            }
            words += part[part.index(after: end)...]
        }
        return Self.beginning(of: words, upTo: 4096)
    }

    /// The longest text that is compared with a pattern or a word.
    static let longestText = 4096

    /// A text, cut to a number of bytes.
    private static func beginning(of text: String, upTo size: Int) -> String {
        guard text.utf8.count > size else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: size - 3)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return "\(text[..<end])…"
    }

    private func usualWords(_ element: String, value: String, count: Int) -> String {
        switch constraint {
        case .required, .wholePath: "\(element) is missing"
        case .single: "\(element) occurs \(count) times, more than once"
        case .one: "\(element) occurs \(count) times, not once"
        case .prohibited: "\(element) is present, but the profile does not allow it"
        case .unwanted: "\(element) is present, but should be left out"
        case .refersTo(let type): "\(element) is no \(type) of the Bundle"
        case .mayReferTo(let type): "\(element) refers to a resource of the type \(value), not \(type)"
        case .isFrom, .codedBy: "\(element) has no code of the profile's value set"
        case .isOneOf(let values):
            "\(element) is \(value), not \(Self.beginning(of: values.joined(separator: " or "), upTo: 200))"
        case .isNoneOf: "\(element) is \(value)"
        case .pattern(let pattern): "\(element) is \(value), not of the form \(pattern.text)"
        case .shorter(let limit): "\(element) has \(limit) characters or more: \(value)"
        case .without: "\(element) contains a word that the profile does not allow: \(value)"
        case .obeys: "\(element.dropLast())\(value)"
        case .entries(_, let type): "the number of resources of the type \(type) in the Bundle is \(count)"
        case .only: "a resource of the Bundle is of a type that the profile does not allow"
        }
    }
}

/// A check that rows cannot say. It finds what is wrong with a value, in words that follow the path of the value.
struct ProfileJudge: Sendable {
    struct Violation {
        let words: String
        let value: JSONValue
        /// Whether it cannot be told that it is one.
        var isOpen = false
    }

    let violations: @Sendable (_ value: JSONValue, _ context: ProfileWalk.Context) -> [Violation]
}

/// Whether a text has the form of a code.
typealias CodeForm = @Sendable (UTF8Text) -> Bool

/// Codes by their systems: a value set.
struct CodeSet: Sendable {
    /// The codes of a system. There are several for a system that is too large to list.
    struct Part: Sendable {
        let system: UTF8Text
        var codes: Set<UTF8Text> = []
        /// Codes that are not meant, though they have the form.
        var others: Set<UTF8Text> = []
        var form: CodeForm?
        /// Whether upper and lower case are told apart.
        var hasCase = true

        func holds(_ code: UTF8Text) -> Bool {
            codes.contains(hasCase ? code : code.asciiLowercased) || form?(code) == true && !others.contains(code)
        }
    }

    var parts: [Part] = []

    /// Whether a value has a code of the set: a code, a Coding, or a CodeableConcept with one such Coding.
    func holds(_ value: JSONValue?) -> Bool {
        guard let value else { return false }
        if let code = value.string { return parts.contains { $0.holds(code) } }
        if let codings = value["coding"]?.elements { return codings.contains { holds($0) } }
        guard let system = value["system"], let code = value["code"]?.string else { return false }
        return parts.contains { system.isString($0.system) && $0.holds(code) }
    }

    /// Whether a Coding is of a code system of the set.
    func isOfSystem(_ coding: JSONValue) -> Bool {
        guard let system = coding["system"] else { return false }
        return parts.contains { system.isString($0.system) }
    }
}

/// The form of a text: `#` stands for a digit, `@` for a letter, `?` for any byte, and `+` for more of the same. All else stands for itself.
struct TextPattern: Sendable {
    let text: String
    private let steps: [(byte: UInt8, repeats: Bool)]

    /// - Returns: nil for a pattern that is empty, has more than 60 steps or 120 bytes, or begins with `+`.
    init?(_ text: ArraySlice<UInt8>) {
        guard text.count <= 120 else { return nil }
        var steps: [(byte: UInt8, repeats: Bool)] = []
        for byte in text {
            if byte == UInt8(ascii: "+") {
                guard !steps.isEmpty else { return nil }
                steps[steps.count - 1].repeats = true
            } else {
                steps.append((byte, false))
            }
        }
        guard (1...60).contains(steps.count) else { return nil }
        self.steps = steps
        self.text = String(decoding: text, as: UTF8.self)
    }

    /// Whether the whole of a text has this form. All ways to read it are followed at once, so that the work grows with the text.
    func matches(_ text: some Sequence<UInt8>) -> Bool {
        // Bit n: the steps before n have been read.
        var states: UInt64 = 1
        for byte in text {
            var next: UInt64 = 0
            for (place, step) in steps.enumerated() where Self.isMatch(byte, step.byte) {
                if states & (1 << place) != 0 { next |= 1 << (place + 1) }
                if step.repeats, states & (1 << (place + 1)) != 0 { next |= 1 << (place + 1) }
            }
            guard next != 0 else { return false }
            states = next
        }
        return states & (1 << steps.count) != 0
    }

    private static func isMatch(_ byte: UInt8, _ step: UInt8) -> Bool {
        switch step {
        case UInt8(ascii: "#"): (0x30...0x39).contains(byte)
        case UInt8(ascii: "@"): (0x61...0x7A).contains(byte | 0x20)
        case UInt8(ascii: "?"): true
        default: byte == step
        }
    }
}
