/// A reason why the proof of a list cannot be checked: something in it that the table of sentences (WHO-P4) does not know. What cannot be
/// checked is never good.
package struct ListProblem: Sendable, Equatable {
    /// The kinds of reasons.
    package enum Kind: String, Sendable, CaseIterable {
        /// A member is missing, there is one more, or one is of another type (WHO-P1, WHO-P3).
        case members
        /// The contexts are not those of a list of version 2 (WHO-P2).
        case context
        /// A value has other characters, or another form (WHO-P3, WHO-P9).
        case value
        /// Two signs of the environment differ (WHO-E2).
        case environment
        /// Two different entries have one ID (WHO-P10).
        case duplicate
        /// The proof has another form (WHO-P7, WHO-P8).
        case form
    }

    /// The kind of the reason.
    package let kind: Kind
    /// Where it is, as reports write paths: `verificationMethod[3].domain`. Empty for the whole document.
    package let path: String
    /// What is wrong, in words that follow the path.
    package let words: String

    /// The reason in one line.
    package var description: String { path.isEmpty ? "it \(words)" : "\(path) \(words)" }
}
