/// Why something is not what it should be, in plain words.
///
/// This is the error wherever nobody asks what exactly is wrong. The words may call the thing "it".
public struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let description: String

    /// Says what is wrong.
    package init(_ why: String) { description = why }
}

/// Why something is refused: a reason that callers tell apart, and what is wrong in plain words.
package struct Rejected<Kind: Hashable & Sendable>: Error, Hashable, Sendable, CustomStringConvertible {
    /// What callers tell apart.
    package typealias Reason = Kind

    package let reason: Reason
    /// What was expected and what was found. Quotations are shortened and safe to print.
    package let message: String

    package init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    /// The message.
    package var description: String { message }
}

extension Result {
    /// The error; nil if there is none.
    @inlinable package var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
