/// Which of several vaccinations of one kind on the card this one is, by date.
///
/// It says nothing about doses: a card does not say how many there were before it, or beside it.
public struct OrderOnCard: Sendable, Hashable, CustomStringConvertible {
    /// From 1.
    public let position: Int
    /// How many there are.
    public let count: Int

    /// `2 of 3`.
    public var description: String { "\(position) of \(count)" }
}
