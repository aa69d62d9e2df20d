import JOSE
import SMARTHealthCards

/// The key that cards of an input name.
struct NamedKey: Hashable {
    let source: String
    let issuer: Issuer
    let keyID: KeyID
}
