import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// The key that the card names, and no other.
    static let cardKey = Rule(
        "jws-verification-error", "key-missing", .k6,
        requirement: "The header's \"kid\" is that of a key in the issuer's set that may verify cards.",
        remedy: "Write the kid that the key has in the set into the header; leave keys in the set while cards of "
            + "them are in use.",
        check: .card { card in
            guard case .success(let set) = card.keys else { return [] }
            guard let keyID = card.keyID else {
                return [Problem("the header names no key, so nobody can verify the card")]
            }
            switch set.resolve(keyID) {
            case .found: return []
            case .absent:
                return [
                    Problem(
                        "the issuer's key set has no key of the id \(keyID.description.quoted()) that the card "
                            + "names; it has "
                            + (set.keys.count == 1 ? "one other key" : "\(set.keys.count) other keys"))
                ]
            case .unusable(let error):
                return [Problem("the key \(keyID.description.quoted()) cannot verify the card: \(error.message)")]
            }
        })
}
