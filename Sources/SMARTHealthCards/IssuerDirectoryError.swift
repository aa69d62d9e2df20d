/// Why bytes are no directory of issuers.
public struct IssuerDirectoryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason in plain words, with "it" for the directory.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
