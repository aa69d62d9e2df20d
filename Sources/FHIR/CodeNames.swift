/// Names for codes, from lists that do not come with the card.
///
/// Codes that mean the same (`Code.canonical`) have one name.
public struct CodeNames: Sendable {
    private var names: [Code: CodeName] = [:]

    /// No names: records are called what the issuer calls them, or nothing.
    public init() {}

    /// - Parameter names: the names; of several for one code, the last.
    public init(_ names: some Sequence<(key: Code, value: CodeName)>) {
        for (code, name) in names { add(name, for: code) }
    }

    /// Names a code, in place of the name it may have had.
    public mutating func add(_ name: CodeName, for code: Code) {
        names[code.canonical] = name
    }

    /// The name of a code; nil where the lists do not have it.
    public subscript(code: Code) -> CodeName? {
        names.isEmpty ? nil : names[code.canonical]
    }
}
