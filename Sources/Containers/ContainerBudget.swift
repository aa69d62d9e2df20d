import Credentials

/// What the containers of one input may use together, with everything in them.
package struct ContainerBudget: Sendable {
    /// The credentials.
    package var cards: Int
    /// The bytes of items after decryption, and of the texts about them.
    package var size = FileOpener.totalSize
    /// The requests.
    package var requests = Bounds.containerRequests
    /// The time.
    package var time: Duration
    /// The time at first.
    let limit: Duration

    init(cards: Int = Bounds.cards, time: Duration = .zero) {
        self.cards = cards
        (self.time, limit) = (time, time)
    }

    /// The credentials in an item, and whether there are more of them than there is room for. Those that are read are subtracted.
    ///
    /// - Parameter read: reads the credentials. It may read one more than its argument says, to say that there are more.
    mutating func take(
        _ read: (_ most: Int) -> [PresentedCredential]
    ) -> (credentials: [PresentedCredential], isCut: Bool) {
        guard cards > 0 else { return ([], true) }
        let found = read(cards)
        defer { cards -= min(cards, found.count) }
        return (Array(found.prefix(cards)), found.count > cards)
    }
}
