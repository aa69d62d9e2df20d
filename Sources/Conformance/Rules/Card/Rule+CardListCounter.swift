import JOSE
import SMARTHealthCards

extension Rule {
    /// The list may be ahead: the key's number is a reason to fetch, the list's own is the truth.
    static let cardListCounter = Rule(
        "revocation-error", "list-behind", .r4,
        requirement: "The counter of the revocation list is not behind the \"crlVersion\" of its key.",
        remedy: "Publish the list before the key set that announces it.",
        check: .card { card in
            guard let newest = card.answers.compactMap(\.counter).max(), let wanted = card.listVersions.max(),
                newest < wanted
            else { return [] }
            return [
                Problem("the key says that its revocation list has version \(wanted), and the list has \(newest)")
            ]
        })
}
