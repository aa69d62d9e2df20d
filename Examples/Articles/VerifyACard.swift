import Credentials
import FHIR
import JOSE
import SMARTHealthCards

/// For each card of an input, how many persons and records it has if it verifies, or why it does not.
func summaries(of input: [UInt8], from issuer: String, with keySet: [UInt8], at now: Duration) throws -> [String] {
    let issuer = try Issuer(issuer)
    var policy = CardPolicy(now: NumericDate(sinceEpoch: now))
    policy.trustedIssuers.allow(issuer)
    policy.givenKeys.add(try JWKSet(keySet), for: issuer)
    policy.isOffline = true
    let verifier = try CardVerifier(policy: policy)
    return verifier.read(input, source: "upload").map { card in
        guard case .verdict(let verdict) = verifier.verify(card, with: Evidence()) else { return "not judged" }
        switch verdict.outcome {
        case .pass(let verified):
            let contents = verified.claims.contents(names: .builtIn, at: .now)
            return "\(contents?.subjects.count ?? 0) persons, \(contents?.records.count ?? 0) records"
        case .fail(let failure): return "refused: \(failure.code.rawValue)"
        case .undetermined(let failure): return "try again later: \(failure.code.rawValue)"
        }
    }
}
