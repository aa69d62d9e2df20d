import JOSE
import SMARTHealthCards

extension Rule {
    /// A warning: an issuer that publishes the list first and the key set then is right, for a moment.
    static let cardListAhead = Rule(
        "revocation-error", "list-ahead", .r4, severity: .warning,
        requirement: "The \"crlVersion\" of a key is the counter (\"ctr\") of its revocation list.",
        remedy: "Raise crlVersion together with ctr: verifiers that hold an earlier list fetch this one only then.",
        check: .card { card in
            guard let newest = card.lists.compactMap(\.counter).max(), let wanted = card.listVersions.max(),
                wanted < newest
            else { return [] }
            return [
                Problem("the revocation list has version \(newest), and the key says that it has \(wanted)")
            ]
        })
}
