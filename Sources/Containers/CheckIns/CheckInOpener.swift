package import Credentials
package import Inputs

extension CredentialReader {
    /// Opens the check-ins among the inputs, and puts their cards in their places. Nothing is fetched for it.
    ///
    /// - Parameters:
    ///   - session: what the clinic knows of the check-in. Each input is judged by it.
    ///   - now: the moment at which a check-in must be valid.
    package mutating func openCheckIns(in session: CheckInSession, at now: NumericDate) {
        let opened = containers(.checkIn).enumerated().map { index, presented in
            let checkIn = OpenedCheckIn(presented.text, in: session, index: index, source: presented.source, at: now)
                .checkIn
            // The warnings are about the check-in, so its first card has them.
            let warnings = presented.warnings + checkIn.findings + checkIn.warnings
            let cards = Self.cards(of: checkIn).enumerated().map { ($1.credential, $1.item, $0 == 0 ? warnings : []) }
            return (checkIn as any Container, cards)
        }
        put(opened, as: .checkIn)
    }

    /// The cards of a check-in: the check-in itself if it could not be opened or holds no card, else the cards of its artifacts.
    ///
    /// What is in an artifact is read as the file that it is, so its cards get the verdicts that they would get from a file.
    private static func cards(of checkIn: CheckIn) -> [(credential: PresentedCredential, item: Int?)] {
        if let reason = checkIn.reason { return [(PresentedCredential(failure: reason, source: ""), nil)] }
        var cards: [(credential: PresentedCredential, item: Int?)] = []
        for (number, artifact) in checkIn.artifacts.enumerated() {
            let room = Bounds.cards - cards.count
            let found = credentials(in: artifact.credentials, atMost: room)
            cards += found.prefix(room).map { ($0, number) }
            if found.count > room {
                cards.append((PresentedCredential(failure: restIsLeftOut, source: ""), number))
                break
            }
        }
        return cards.isEmpty ? [(nothing(in: checkIn), nil)] : cards
    }

    /// The card of a container that could be opened and has none. Nothing leads here. If something did, a run without any card would end
    /// with success.
    static func nothing(in container: any Container) -> PresentedCredential {
        let name = container.inputForm.rawValue
        return PresentedCredential(
            failure: VerificationFailure(
                .noSignedContent, "the \(name) holds no health card, so there is nothing to verify"), source: "")
    }
}
