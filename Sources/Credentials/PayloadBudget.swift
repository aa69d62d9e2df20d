/// How many bytes the payloads of several credentials may still inflate to together.
///
/// The limit never makes a payload too large: what is begun may be as large as any, and what is not begun is not judged.
package struct PayloadBudget: Sendable {
    /// What is left of it, in bytes; nil for any number.
    private var left: Int?

    /// - Parameter size: the size of all inflated payloads together, in bytes; nil for any size.
    package init(_ size: Int?) { left = size }

    /// Whether no further credential may be inflated.
    package var isUsedUp: Bool { left.map { $0 <= 0 } ?? false }

    /// If the credentials before this one have used up the budget, the same one, saying so; nil if it may be inflated.
    package func refused(_ credential: PresentedCredential) -> PresentedCredential? {
        isUsedUp ? credential.notJudged : nil
    }

    /// Subtracts the size of a payload that was inflated, in bytes.
    package mutating func spend(_ size: Int) { left = left.map { max(0, $0 - size) } }
}

/// There is no memory for a verifier.
public struct OutOfMemory: Error, Sendable, CustomStringConvertible {
    /// The error in plain words.
    public var description: String { "there is no memory to inflate payloads" }

    /// Makes the error.
    package init() {}
}
