import Credentials
import FHIR
import HealthCertificates

/// The policies for certificates: signers of the test vectors, and a fixed day.
enum FixedHCERTPolicy {
    /// The signers of lists of all forms.
    static let signersGiven: HCERTPolicy = {
        guard let now = NumericDate(text: "2022-06-01T00:00:00Z") else { fatalError("the day is a date") }
        var policy = HCERTPolicy(now: now)
        for name in ["signers.pem", "gdhcn-v2.did.json", "gateway-twins.json", "german.json", "gateway-label.json"] {
            guard let list = try? SignerList(FixedPolicy.vector("hcert/trust/\(name)")) else {
                fatalError("\(name) is a list of signers")
            }
            guard let admitted = try? TrustListRules().admit(list) else { fatalError("\(name) is admitted") }
            policy.signers.add(admitted)
        }
        guard let keys = try? SignerList(keySet: FixedPolicy.vector("hcert/trust/set.jwks.json")) else {
            fatalError("set.jwks.json is a key set")
        }
        guard let admitted = AdmittedList(keys: keys) else { fatalError("set.jwks.json has keys") }
        policy.signers.add(admitted)
        return policy
    }()

    /// The signers, and everything else that a policy can ask for.
    static let strict: HCERTPolicy = {
        var policy = signersGiven
        for name in ["uci-other", "country-other", "signature-s", "uci-unknown-kid"] {
            if let batch = try? RevocationBatch(FixedPolicy.vector("hcert/revocation/\(name).json")) {
                policy.revocations.append(batch)
            }
        }
        policy.recordQuery = try? RecordQuery(recordTypes: ["immunization", "laboratory"], since: "2000")
        return policy
    }()

    /// What was signed: the protected header and the payload of each message, in base64. Found by another implementation
    /// (seeds.py).
    static let signed = FixedPolicy.lines(of: "signed-hcert.txt")
}
