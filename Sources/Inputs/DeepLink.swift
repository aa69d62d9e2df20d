import Credentials
package import Encodings

/// A URL with the JSON of a card file as its fragment, percent-encoded or not.
package struct DeepLink: Sendable {
    /// Why the fragment cannot be read as JSON.
    package enum Defect: Error, Sendable, CustomStringConvertible {
        /// A "%" is not followed by two hexadecimal digits.
        case percentEncoding
        /// The JSON has more than `Bounds.inputValues` values, and was not parsed.
        case tooManyValues
        /// The text is not acceptable JSON.
        case json(JSONError)

        package var description: String {
            switch self {
            case .percentEncoding: "its percent-encoding is invalid"
            case .tooManyValues: "the JSON contains more than \(Bounds.inputValues) values, the limit for an input"
            case .json(let error): "\(error)"
            }
        }
    }

    /// The part of the URL before the fragment.
    package let address: ArraySlice<UInt8>
    /// The fragment; nil if the URL has none.
    package let fragment: ArraySlice<UInt8>?
    /// Whether the fragment is percent-encoded.
    package let isEncoded: Bool
    /// Why the fragment is not JSON as it stands, although it begins with a brace, if decoding it makes it JSON; nil otherwise.
    package let partialEncoding: Defect?
    /// The JSON of the card file, or why it cannot be read; nil if there is no fragment, or an empty one.
    package let file: Result<JSONValue, Defect>?

    /// Reads a URL.
    package init(_ url: ArraySlice<UInt8>) {
        let hash = url.firstIndex(of: UInt8(ascii: "#"))
        address = hash.map { url[..<$0] } ?? url
        fragment = hash.map { url[($0 + 1)...] }
        guard let fragment, !fragment.isEmpty else {
            (isEncoded, partialEncoding, file) = (false, nil, nil)
            return
        }
        guard fragment.first == UInt8(ascii: "{") else {
            (isEncoded, partialEncoding, file) = (true, nil, Self.decoded(fragment))
            return
        }
        // Some issuers encode all characters except the braces.
        let plain = Self.parsed(Array(fragment))
        isEncoded = false
        if case .failure(.json(let error)) = plain, case .success(let value) = Self.decoded(fragment) {
            (partialEncoding, file) = (.json(error), .success(value))
        } else {
            (partialEncoding, file) = (nil, plain)
        }
    }

    private static func decoded(_ fragment: ArraySlice<UInt8>) -> Result<JSONValue, Defect> {
        PercentEncoding.decode(fragment).map { parsed($0) } ?? .failure(.percentEncoding)
    }

    /// Parses JSON, within the limits for an input.
    package static func parsed(
        _ text: [UInt8], mostValues: Int = Bounds.inputValues
    ) -> Result<JSONValue, Defect> {
        guard !text.holdsMoreJSONValues(than: mostValues) else { return .failure(.tooManyValues) }
        return Result { () throws(JSONError) in try JSONDocument.parse(text, maximumDepth: Bounds.nesting) }
            .mapError(Defect.json)
    }
}

/// The cards in a FHIR `Parameters` resource, the answer of `$health-cards-issue`:
/// `{"parameter": [{"name": "verifiableCredential", "valueString": JWS}, …]}`.
///
/// Nothing that may be a card is skipped: parts of parameters, and `Parameters` in other resources, are looked at too. What another
/// program could read differently gives no card, but the reason. So does everything named `verifiableCredential` that is no parameter.
package struct CardParameters {
    /// Something that is named like a card.
    package enum Parameter {
        /// A parameter with the name of cards, and its `valueString`; nil if it has none.
        case card(JSONValue?, in: JSONValue)
        /// A parameter whose card is not read, with the reason in words that follow "a parameter named verifiableCredential".
        case ambiguous(JSONValue, String)
        /// A value that is named like cards in a place that has no parameters, and its path, such as `contained[0].verifiableCredential`.
        case misplaced(JSONValue, at: String)
    }

    /// The parameters, in the order of the text.
    package private(set) var parameters: [Parameter] = []
    /// The parameters that are a part of another, or in another resource, in the order of the text.
    package private(set) var nested: [JSONValue] = []

    /// The name of cards, as a member of a card file and as the name of a parameter.
    static let name = "verifiableCredential"

    /// Finds the cards in a `Parameters` resource.
    package init(_ resource: JSONValue) {
        search(resource, as: .other, isExact: true)
    }

    /// Finds what is named like cards in the members of a card file beside its list. There should be nothing.
    package init(beside file: JSONValue) {
        for member in file.members.map({ Array($0) }) ?? [] where !Self.isSame(member.name, Self.name) {
            path.steps = [.member(member.name)]
            search(member.value, as: Self.isSame(member.name, "parameter") ? .list : .other, isExact: false)
        }
    }

    /// Whether something in a JSON text is named like a card, whatever the text is.
    package static func namesCards(_ value: JSONValue) -> Bool { !CardParameters(value).parameters.isEmpty }

    // MARK: Search

    /// What a value should be at its place.
    private enum Role {
        /// An array of parameters.
        case list
        /// A parameter.
        case parameter
        case other
    }

    /// Where the search is now.
    private var path = JSONPlace()

    /// The members that lead to parameters. They are looked into in any case.
    private static let ways = ["parameter", "part", "resource", "contained", "entry"]

    /// - Parameter isExact: whether the members that led here have their names in the case of the specification.
    private mutating func search(_ value: JSONValue, as role: Role, isExact: Bool) {
        if let elements = value.elements {
            for (index, element) in elements.enumerated() {
                path.steps.append(.element(index))
                search(element, as: role == .list ? .parameter : .other, isExact: isExact)
                path.steps.removeLast()
            }
        }
        guard let members = value.members.map({ Array($0) }) else { return }
        let hasName = members.contains { member in
            Self.isSame(member.name, "name") && (member.value.string.map { Self.isSame($0, Self.name) } ?? false)
        }
        if hasName, role != .parameter { return misplaced(value) }
        let isResource = role != .parameter && value["resourceType"]?.isString("Parameters") == true
        if hasName { add(value, members, isExact: isExact) }
        for member in members {
            // The content of a card, which was added.
            if hasName, Self.isValue(member.name) { continue }
            path.steps.append(.member(member.name))
            if Self.isSame(member.name, Self.name) {
                misplaced(member.value)
            } else {
                let way = Self.ways.first { Self.isSame(member.name, $0) }
                let isList = isResource && way == "parameter" || role == .parameter && way == "part"
                search(
                    member.value, as: isList ? .list : .other,
                    isExact: isExact && (way == nil || way.map { UTF8Text($0) } == member.name))
            }
            path.steps.removeLast()
        }
    }

    /// Adds a parameter with the name of cards.
    private mutating func add(_ parameter: JSONValue, _ members: [JSONValue.Members.Element], isExact: Bool) {
        // The list of the resource itself, and a place in it.
        if path.steps.count > 2 { nested.append(parameter) }
        guard isExact, members.count(where: { Self.isSame($0.name, "name") }) == 1,
            parameter["name"]?.isString(Self.name) == true
        else {
            return parameters.append(
                .ambiguous(parameter, "has a name, or is in a member, with other upper and lower case"))
        }
        guard members.count(where: { Self.isValue($0.name) }) <= 1 else {
            return parameters.append(.ambiguous(parameter, "has more than one value"))
        }
        parameters.append(.card(parameter["valueString"], in: parameter))
    }

    private mutating func misplaced(_ value: JSONValue) {
        // An input with so many is refused as a whole, so nobody reads the path.
        parameters.append(.misplaced(value, at: parameters.count > Bounds.cards ? "" : path.words))
    }

    /// Whether a member holds the content of a parameter: `value[x]`, `resource` or `part`.
    private static func isValue(_ name: UTF8Text) -> Bool {
        isSame(name, "resource") || isSame(name, "part")
            || name.utf8.prefix(5).map { $0 | 0x20 }.elementsEqual("value".utf8)
    }

    /// Whether two names differ at most in the case of their letters.
    private static func isSame(_ name: UTF8Text, _ other: String) -> Bool {
        name.utf8.count == other.utf8.count && name.asciiLowercased == UTF8Text(other).asciiLowercased
    }
}
