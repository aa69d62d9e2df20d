import Credentials
import JSON
import SMARTHealthCards

/// The verifiers of all kinds of credential. `verify`, `records` and `batch` go through it.
///
/// There is one kind today. A second kind gets a property here, and `Examined` becomes an enumeration with a case for each kind.
/// Nothing else in this program knows what is in an examined credential.
final class CredentialVerifier {
    /// A credential after its form was examined.
    typealias Examined = ExaminedCard

    private let cards: Verifier

    /// - Parameters:
    ///   - precomputation: tables that the threads of a run share; nil to verify signatures with OpenSSL's EVP alone.
    ///   - totalPayloadSize: the largest size of all inflated payloads together, in bytes; nil for any size.
    init(
        policy: VerificationPolicy, precomputation: Precomputation? = nil, totalPayloadSize: Int? = nil
    ) throws(Verifier.OutOfMemory) {
        cards = try Verifier(policy: policy, precomputation: precomputation, totalPayloadSize: totalPayloadSize)
    }

    /// The moment for which credentials are verified.
    var now: NumericDate {
        get { cards.now }
        set { cards.now = newValue }
    }

    /// Whether to look for another key under which a credential verifies, to give a hint.
    var hintsAtOtherKeys: Bool {
        get { cards.hintsAtOtherKeys }
        set { cards.hintsAtOtherKeys = newValue }
    }

    /// How many credentials are best verified together.
    var bestCount: Int { cards.bestCount }

    func examine(_ credential: PresentedCredential) -> Examined { cards.examine(credential) }

    func verify(_ credential: Examined, with evidence: Evidence) -> Verifier.Step {
        cards.verify(credential, with: evidence)
    }

    func verify(_ credentials: [Examined], with evidence: Evidence) -> [Verifier.Step] {
        cards.verify(credentials, with: evidence)
    }
}

extension ExaminedCard {
    /// The size of the inflated payload in bytes. In memory, a card takes several times this size.
    var payloadSize: Int { decoded?.claims.payload.text.count ?? 0 }
}
