import JOSE
import JSON
import SMARTHealthCards

extension KeySubject {
    /// The entries of the key that a card names, wherever they were had from.
    static func named(by card: CardSubject) -> [KeySubject] {
        guard let set = try? card.keys?.get() else { return [] }
        let entries = card.published.prefix(Bounds.certifiedEntries)
        let points = Set(entries.map { [$0.value["x"]?.stringBytes, $0.value["y"]?.stringBytes] })
        return entries.map { key in
            KeySubject(
                key, of: set,
                document: Document(
                    source: card.document.source, layer: .jwks, text: key.value.text, root: key.value.root),
                issuer: card.issuer, policy: card.policy, isForCards: true, sharesID: points.count > 1,
                hasTooManyNeighbours: false)
        }
    }
}
