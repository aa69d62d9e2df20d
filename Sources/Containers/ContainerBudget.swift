package import Credentials

/// What the containers of one input may use together, with everything in them.
package struct ContainerBudget: Sendable {
    /// The credentials.
    package var cards: Int
    /// The bytes of items after decryption, of the codes and attachments of documents among them, and of the texts about them.
    package var size: Int
    /// The requests.
    package var requests = Bounds.containerRequests
    /// The time.
    package var time: Duration
    /// The time at first.
    let limit: Duration

    /// - Parameter room: the cards and bytes that they may have together.
    package init(
        _ room: (cards: Int, size: Int) = (Bounds.cards, Bounds.containerSize), time: Duration = .zero
    ) {
        (cards, size) = room
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

    /// Counts bytes that are kept.
    ///
    /// - Throws: `VerificationFailure` with `payload-too-large` if there is no room for them.
    package mutating func spend(_ bytes: Int) throws(VerificationFailure) {
        guard bytes <= size else {
            throw VerificationFailure(
                .payloadTooLarge,
                "the files of the links of this input are larger than \(Bounds.containerSize >> 20) MiB together")
        }
        size -= bytes
    }
}
