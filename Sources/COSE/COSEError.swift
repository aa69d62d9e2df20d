/// Why bytes are not a COSE_Sign1 message that can be verified.
public struct COSEError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of problems.
    public enum Reason: Sendable, Hashable {
        /// The bytes are no COSE_Sign1 message, or its form is wrong.
        case malformed
        /// The algorithm is none of those that are supported (`SignatureAlgorithm`).
        case unsupportedAlgorithm
    }

    /// The kind of the problem.
    public let reason: Reason
    /// What is wrong, in plain words.
    public let description: String

    init(_ reason: Reason = .malformed, _ description: String) {
        self.reason = reason
        self.description = description
    }
}
