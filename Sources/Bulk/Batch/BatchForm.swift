package import CredentialReports
package import Credentials

/// The form of the output of a batch. It is a class because it is read for every card, and a copy costs more than reading it.
package final class BatchForm: Sendable {
    /// The name of the input.
    let source: String
    /// Whether cards have names of their own. If not, their name is that of the input, with the number of the line.
    let hasNamedCards: Bool
    let cards: CardJSON
    /// Whether no verdicts are printed.
    let isQuiet: Bool
    /// Whether the output goes to a terminal.
    let escapesUnprintable: Bool
    /// Is told of each verdict, by several threads; nil if nobody is.
    let observer: (@Sendable (Verdict) -> Void)?

    package init(
        source: String, hasNamedCards: Bool = false, cards: CardJSON, isQuiet: Bool, escapesUnprintable: Bool,
        observer: (@Sendable (Verdict) -> Void)?
    ) {
        self.source = source
        self.hasNamedCards = hasNamedCards
        self.cards = cards
        self.isQuiet = isQuiet
        self.escapesUnprintable = escapesUnprintable
        self.observer = observer
    }
}
