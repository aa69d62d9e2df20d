package import Credentials
package import Inputs
package import SMARTHealthCheckIns
import StrictJSON

extension CredentialReader {
    /// Opens the check-ins among the inputs, and puts their cards in their places. Nothing is fetched for it.
    ///
    /// - Parameters:
    ///   - session: what the clinic knows of the check-in. Each input is judged by it.
    ///   - now: the moment at which a check-in must be valid.
    package mutating func openCheckIns(in session: CheckInSession, at now: NumericDate) {
        for (index, presented) in checkIns.enumerated() {
            let checkIn = OpenedCheckIn(
                presented.text, in: session, index: index, source: presented.source, at: now
            ).checkIn
            replace(checkIn: index, by: checkIn, cards: Self.cards(of: checkIn))
        }
    }

    /// The cards of a check-in: the check-in itself if it could not be opened or holds no card, else the cards of its artifacts.
    ///
    /// An artifact is read as the file that it is, so its cards get the verdicts that they would get from a file.
    private static func cards(of checkIn: CheckIn) -> [(credential: PresentedCredential, artifact: UTF8Text?)] {
        if let reason = checkIn.reason { return [(PresentedCredential(failure: reason, source: ""), nil)] }
        var cards: [(credential: PresentedCredential, artifact: UTF8Text?)] = []
        for artifact in checkIn.artifacts where artifact.disregarded == nil && artifact.kind == .healthCard {
            guard cards.count < Bounds.cards else {
                cards.append((PresentedCredential(failure: restIsLeftOut, source: ""), artifact.id))
                break
            }
            var reader = CredentialReader()
            reader.add(artifact.value, source: "artifact")
            cards += reader.cards().prefix(Bounds.cards).map { ($0, artifact.id) }
        }
        guard cards.isEmpty else { return cards }
        // Nothing leads here. If something did, a run without any card would end with success.
        let failure = VerificationFailure(
            .noSignedContent, "the check-in holds no health card, so there is nothing to verify")
        return [(PresentedCredential(failure: failure, source: ""), nil)]
    }
}
