import JSON
import SMARTHealthCards

/// An input as it was given, before anything in it has been read.
struct InputSubject: Sendable {
    /// The input, its text being all of its bytes.
    let document: Document
    /// What it was taken for; nil if that could not be told.
    let kind: LintKind?
    /// The bytes without white space and byte-order marks around them, by position in the input.
    let content: Range<Int>
    /// Why it is not acceptable JSON, where it should be JSON.
    let jsonError: JSONError?
}
