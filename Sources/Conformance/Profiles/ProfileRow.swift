import Encodings

/// What a rule of a profile says of elements of a resource: a line in the profile's file.
struct ProfileRow: Sendable {
    /// What is said of an element.
    enum Constraint: Sendable {
        /// The element is present in each element around it.
        case required
        /// The element is present, and so is all that leads to it.
        case wholePath
        /// The element does not repeat.
        case single
        /// The element has exactly one value.
        case one
        case prohibited
        /// A reference leads to an entry of the Bundle with a resource of this type.
        case refersTo(UTF8Text)
        /// A code is in a value set.
        case isFrom(CodeSet)
        /// The value is one of these, or is none of them.
        case isOneOf([String])
        case isNoneOf([String])
        case pattern(TextPattern)
        /// A text has fewer UTF-16 units than this.
        case shorter(Int)
        /// A text does not contain a word, in any case.
        case without([UInt8])
        /// The Bundle has as many resources of this type.
        case entries(ClosedRange<Int>, UTF8Text)
        /// The Bundle has resources of these types only.
        case only([UTF8Text])
    }

    /// Codes by their systems.
    typealias CodeSet = [UTF8Text: Set<UTF8Text>]

    /// The names of elements, from the resource inwards. A step may have several names, of which one is enough.
    typealias Path = [[String]]

    /// The ID of the rule.
    let rule: String
    /// The types of the resources; empty for all.
    let types: [UTF8Text]
    /// The row applies only if one of these elements of the resource is present, or only if none is.
    let condition: (names: [String], isPresent: Bool)?
    /// Whether one value that satisfies the constraint is enough.
    let needsOnlyOne: Bool
    /// The severity; nil for that of the rule.
    let severity: Severity?
    let constraint: Constraint
    let paths: [Path]
    /// The message, with placeholders in braces; nil for a usual one.
    let message: String?

    var isOfBundle: Bool { types == ["Bundle"] }

    /// The message about a departure.
    ///
    /// - Parameters:
    ///   - type: the type of the resource.
    ///   - path: the path of the element below the resource.
    ///   - value: what is shown of the value.
    ///   - count: the number of values or resources.
    func words(_ type: String, _ path: String, value: String = "", count: Int = 0) -> String {
        let whole = path.isEmpty ? type : "\(type).\(path)"
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
        return words
    }

    private func usualWords(_ element: String, value: String, count: Int) -> String {
        switch constraint {
        case .required, .wholePath: "\(element) is missing"
        case .single: "\(element) occurs \(count) times, more than once"
        case .one: "\(element) occurs \(count) times, not once"
        case .prohibited: "\(element) is present, but the profile does not allow it"
        case .refersTo(let type): "\(element) is no \(type) of the Bundle"
        case .isFrom: "\(element) has no code of the profile's value set"
        case .isOneOf(let values): "\(element) is \(value), not \(values.joined(separator: " or "))"
        case .isNoneOf: "\(element) is \(value)"
        case .pattern(let pattern): "\(element) is \(value), not of the form \(pattern.text)"
        case .shorter(let limit): "\(element) has \(limit) characters or more: \(value)"
        case .without: "\(element) contains a word that the profile does not allow: \(value)"
        case .entries(_, let type): "the number of resources of the type \(type) in the Bundle is \(count)"
        case .only: "a resource of the Bundle is of a type that the profile does not allow"
        }
    }
}

/// The form of a text: `#` stands for a digit, `@` for a letter, `?` for any byte, and `+` for more of the same. All else stands for itself.
struct TextPattern: Sendable {
    let text: String
    private let steps: [(byte: UInt8, repeats: Bool)]

    /// - Returns: nil for a pattern that is empty, has more than 60 steps, or begins with `+`.
    init?(_ text: ArraySlice<UInt8>) {
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
