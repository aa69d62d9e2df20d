package import Credentials
package import Inputs

extension CredentialReader {
    /// Opens the containers among the inputs whose items are in them, and puts their cards in their places. Nothing is fetched for it.
    ///
    /// - Parameters:
    ///   - session: what the clinic knows of a check-in. Each input is judged by it.
    ///   - now: the moment at which a container must be valid.
    package mutating func openContainers(in session: CheckInSession, at now: NumericDate) {
        open(.checkIn) { presented, index in
            let checkIn = OpenedCheckIn(presented.text, in: session, index: index, source: presented.source, at: now)
                .checkIn
            return (checkIn, checkIn.artifacts.map(\.credentials))
        }
    }

    /// Opens the containers of a kind. What is in an item is read as the file that it is, so its cards get the verdicts that they would get
    /// from a file.
    ///
    /// - Parameter open: opens a container with its index. It gives the credentials in each item, each as an input of its own.
    private mutating func open(
        _ form: InputForm, _ open: (PresentedContainer, Int) -> (container: any Container, items: [[[UInt8]]])
    ) {
        var budgets: [Int: ContainerBudget] = [:]
        let opened = containers(form).enumerated().map { index, presented in
            let (container, items) = open(presented, index)
            var cards: [ContainedCredential] = []
            if container.reason == nil {
                var budget = budgets[presented.input] ?? ContainerBudget(room(for: form, of: presented.input))
                cards = Self.cards(in: items, within: &budget)
                budgets[presented.input] = budget
            }
            if cards.isEmpty { cards = [(Self.nothing(in: container), nil, [])] }
            // The warnings are about the container, so its first card has them.
            cards[0].warnings = presented.warnings + container.findings + container.warnings
            return (container, cards)
        }
        put(opened, as: form)
    }

    private static func cards(in items: [[[UInt8]]], within budget: inout ContainerBudget) -> [ContainedCredential] {
        var cards: [ContainedCredential] = []
        for (number, item) in items.enumerated() where !item.isEmpty {
            let (found, isCut) = budget.take { credentials(in: item, atMost: $0) }
            cards += found.map { ($0, number, []) }
            guard !isCut else {
                return cards + [(PresentedCredential(failure: restIsLeftOut, source: ""), number, [])]
            }
        }
        return cards
    }

    /// The card that stands for a container that could not be opened, or has no card. That it has none and no reason is nothing that happens.
    /// If it did, a run without any card would end with success.
    static func nothing(in container: any Container) -> PresentedCredential {
        let failure = VerificationFailure(
            .noSignedContent,
            "the \(container.inputForm.rawValue) holds no health card, so there is nothing to verify")
        return PresentedCredential(failure: container.reason ?? failure, source: "")
    }
}

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
