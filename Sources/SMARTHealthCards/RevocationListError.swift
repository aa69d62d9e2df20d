/// Why bytes are no card revocation list.
public struct RevocationListError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason in plain words, with "it" for the list.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// A list that was asked for as one key's, and is another's.
    package static let otherKey = RevocationListError("it is for another key than the one it was asked for")
}
