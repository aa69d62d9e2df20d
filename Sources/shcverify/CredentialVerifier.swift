import Credentials
import FHIR
import HealthCertificates
import JOSE
import JSON
import SMARTHealthCards

/// The rules by which credentials of all kinds are verified.
struct CredentialPolicy: Sendable {
    /// The rules for SMART Health Cards.
    var cards: VerificationPolicy
    /// The rules for EU Digital COVID Certificates.
    var certificates: CertificatePolicy

    init(now: NumericDate) {
        cards = VerificationPolicy(now: now)
        certificates = CertificatePolicy(now: now)
    }

    /// The moment for which credentials are verified.
    var now: NumericDate { cards.now }

    /// The same policy, in which each kind of credential knows what was found out about keys in the files of the other kinds.
    fileprivate var withSharedEvidence: CredentialPolicy {
        var policy = self
        policy.cards.burntElsewhere.formUnion(certificates.signers.burnt)
        policy.certificates.burntElsewhere.formUnion(cards.burntKeys)
        return policy
    }

    /// Names for codes.
    var codeNames: CodeNames {
        get { cards.codeNames }
        set {
            cards.codeNames = newValue
            certificates.codeNames = newValue
        }
    }

    /// The records that a credential must contain; nil if any records will do.
    var recordQuery: RecordQuery? {
        get { cards.recordQuery }
        set {
            cards.recordQuery = newValue
            certificates.recordQuery = newValue
        }
    }
}

/// The verifiers of all kinds of credential. `verify`, `records` and `batch` go through it.
///
/// A further kind gets a property here, and a case in `Examined`. Nothing else in this program knows what is in an examined
/// credential.
final class CredentialVerifier {
    /// A credential after its form was examined.
    enum Examined: Sendable {
        case card(ExaminedCard)
        case certificate(ExaminedCertificate)

        /// The size of the inflated payload in bytes. In memory, a credential takes several times this size.
        var payloadSize: Int {
            switch self {
            case .card(let card): card.decoded?.claims.payload.text.count ?? 0
            case .certificate(let certificate): certificate.size
            }
        }
    }

    private let cards: Verifier
    private let certificates: CertificateVerifier

    /// There is no memory for a verifier.
    struct OutOfMemory: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameters:
    ///   - precomputation: tables that the threads of a run share; nil to verify signatures with OpenSSL's EVP alone.
    ///   - totalPayloadSize: the largest size of all inflated payloads of a kind together, in bytes; nil for any size.
    init(
        policy: CredentialPolicy, precomputation: Precomputation? = nil, totalPayloadSize: Int? = nil
    ) throws(OutOfMemory) {
        let policy = policy.withSharedEvidence
        do {
            cards = try Verifier(
                policy: policy.cards, precomputation: precomputation, totalPayloadSize: totalPayloadSize)
            certificates = try CertificateVerifier(
                policy: policy.certificates, tables: precomputation?.tables, totalSize: totalPayloadSize)
        } catch {
            throw OutOfMemory(description: "\(error)")
        }
    }

    /// The moment for which credentials are verified.
    var now: NumericDate {
        get { cards.now }
        set {
            cards.now = newValue
            certificates.now = newValue
        }
    }

    /// Whether to look for another key under which a credential verifies, to give a hint.
    var hintsAtOtherKeys: Bool {
        get { cards.hintsAtOtherKeys }
        set { cards.hintsAtOtherKeys = newValue }
    }

    /// How many credentials are best verified together.
    var bestCount: Int { cards.bestCount }

    func examine(_ credential: PresentedCredential) -> Examined {
        switch credential.kind {
        case .smartHealthCard: .card(cards.examine(credential))
        case .healthCertificate: .certificate(certificates.examine(credential))
        }
    }

    /// Decodes a credential as far as possible. Nothing is verified.
    func inspect(_ credential: PresentedCredential) -> CredentialInspection {
        switch credential.kind {
        case .smartHealthCard: cards.inspect(credential)
        case .healthCertificate: certificates.inspect(credential)
        }
    }

    func verify(_ credential: Examined, with evidence: Evidence) -> Verifier.Step {
        switch credential {
        case .card(let card): cards.verify(card, with: evidence)
        case .certificate(let certificate): .verdict(certificates.verify(certificate))
        }
    }

    func verify(_ credentials: [Examined], with evidence: Evidence) -> [Verifier.Step] {
        var cards: [ExaminedCard] = []
        var certificates: [ExaminedCertificate] = []
        cards.reserveCapacity(credentials.count)
        for credential in credentials {
            switch credential {
            case .card(let card): cards.append(card)
            case .certificate(let certificate): certificates.append(certificate)
            }
        }
        let steps = cards.isEmpty ? [] : self.cards.verify(cards, with: evidence)
        guard !certificates.isEmpty else { return steps }
        var rest = (cards: steps[...], certificates: self.certificates.verify(certificates)[...])
        return credentials.map { credential in
            switch credential {
            case .card: rest.cards.removeFirst()
            case .certificate: .verdict(rest.certificates.removeFirst())
            }
        }
    }
}
