import JOSE
import SMARTHealthCards

extension Rule {
    /// Only with anchors (`--anchor`), as every verifier has its own. What other rules say of the certificate is not said
    /// again.
    static let certificateAnchor = Rule(
        "invalid-key-x5c", "anchor", .k8,
        requirement: "A path of valid certificates leads from the key's own to one of the verifier's anchors.",
        remedy: "Publish the intermediate certificates as well, and check that the anchor is the authority's root.",
        check: .key { key in
            guard let chain = key.chain, !chain.hasTooManyNeighbours, let point = key.point,
                let anchors = key.policy.trustedIssuers.anchors, let leaf = chain.certificates.first
            else { return [] }
            // Where nobody says whose key it is, the certificate's own word is taken.
            let named = leaf.names.lazy.compactMap { name -> String? in
                if case .uri(let bytes) = name { String(decoding: bytes, as: UTF8.self) } else { nil }
            }.first
            guard let issuer = key.issuer?.url ?? named else { return [] }
            do throws(CertificateError) {
                _ = try anchors.validate(
                    chain.encoded, of: point, for: issuer, at: key.policy.now.sinceEpoch.components.seconds)
                return []
            } catch {
                switch error.reason {
                case .otherKey, .otherName, .malformed, .tooLarge, .noCertificate, .unusableKey: return []
                case .keyUsage where error.depth == 0: return []
                case .expired, .notYetValid: return [Problem(error.message, at: chain.value, severity: .warning)]
                default: return [Problem(error.message, at: chain.value)]
                }
            }
        })
}
