import JOSE

extension Rule {
    static let signatureRange = Rule(
        "signature-format-error", "range", .rfc(7518, "3.4"),
        requirement: "The numbers r and s of a signature are between 1 and the order of P-256 less 1.",
        remedy: "Sign with a library that makes ECDSA signatures on P-256.",
        check: .jws { jws in
            guard !jws.isCut, let signature = jws.signature, jws.parts[2].error == nil else { return [] }
            do throws(ES256SignatureError) {
                _ = try ES256Signature(signature)
                return []
            } catch {
                guard case .outOfRange = error else { return [] }
                return [Problem("\(error)", offset: jws.parts[2].range.lowerBound)]
            }
        })
}
