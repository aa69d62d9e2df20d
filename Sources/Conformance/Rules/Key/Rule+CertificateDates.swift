import JOSE
import SMARTHealthCards

extension Rule {
    /// A warning, since it depends on the day. Cards of the key may outlive its certificate.
    static let certificateDates = Rule(
        "invalid-key-x5c", "dates", .k8, severity: .warning,
        requirement: "The certificates of a key are valid at the moment.",
        remedy: "Have the certificate renewed, and publish the new one in place of the old.",
        check: .key { key in
            guard let chain = key.chain else { return [] }
            let moment = key.policy.now.sinceEpoch.components.seconds
            return chain.certificates.enumerated().flatMap { depth, certificate in
                certificate.problems(at: moment, depth: depth)
            }.map { Problem($0.message, at: chain.value, severity: $0.reason == .malformed ? .error : nil) }
        })
}
