import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// A list is of the key it is published for.
    static let revocationListKey = Rule(
        "revocation-error", "list-key", .r2,
        requirement: "The kid of a revocation list is that of the key in its address.",
        remedy: "Publish each list under the kid that it names.",
        check: .issuer { subject in
            subject.lists.compactMap { list in
                guard let listed = list.listedKeyID, listed != list.keyID else { return nil }
                return Problem("\(list.name) says that it is of key \(listed.description.quoted(upTo: 64))")
            }
        })
}
