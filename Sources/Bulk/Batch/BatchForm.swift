package import CredentialReports
package import Credentials

/// The form of the output of a batch. It is a class because it is read for every card, and a copy costs more than reading it.
package final class BatchForm: Sendable {
    /// The names of cards.
    package enum Names: Sendable {
        /// That of the input, with the number of the line.
        case byLine
        /// Those that the cards themselves have.
        case byCard
    }

    /// The name of the input.
    let source: String
    let names: Names
    let cards: CardJSON
    /// Whether no verdicts are printed.
    let isQuiet: Bool
    /// Whether the output goes to a terminal.
    let escapesUnprintable: Bool
    /// Is told of each verdict; nil if nobody is.
    let observer: (any VerdictObserver)?

    package init(
        source: String, names: Names = .byLine, cards: CardJSON, isQuiet: Bool, escapesUnprintable: Bool,
        observer: (any VerdictObserver)?
    ) {
        self.source = source
        self.names = names
        self.cards = cards
        self.isQuiet = isQuiet
        self.escapesUnprintable = escapesUnprintable
        self.observer = observer
    }
}

/// Is told of the verdicts of a batch, by several threads.
package protocol VerdictObserver: Sendable {
    func note(_ verdict: Verdict)
}
