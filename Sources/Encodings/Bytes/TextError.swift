/// Why text does not encode bytes, and where.
package struct TextError<Kind: TextProblem>: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of errors.
    package typealias Reason = Kind

    /// The kind of error.
    package let reason: Reason
    /// The offset in bytes from the start of the text.
    package let offset: Int

    /// Makes an error for a byte offset in the text.
    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The error in plain words, with the offset, which counts from 0. Safe to print.
    package var description: String { reason.words(at: offset) }
}

/// What is wrong with a text that should encode bytes.
package protocol TextProblem: Equatable, Sendable {
    /// The error in plain words, with its offset.
    func words(at offset: Int) -> String
}
