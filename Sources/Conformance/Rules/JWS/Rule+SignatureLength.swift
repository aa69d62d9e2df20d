import JOSE

extension Rule {
    static let signatureLength = Rule(
        "signature-format-error", "length", .j3,
        requirement: "The signature is the 64 bytes of r and s (RFC 7518 §3.4), not DER.",
        remedy: "Convert what OpenSSL and most libraries return (DER) to r and s of 32 bytes each, or ask for the "
            + "IEEE P1363 form.",
        check: .jws { jws in
            guard !jws.isCut, let signature = jws.signature, jws.parts[2].error == nil else { return [] }
            do throws(ES256SignatureError) {
                _ = try ES256Signature(signature)
                return []
            } catch {
                guard case .wrongLength = error else { return [] }
                return [Problem("\(error)", offset: jws.parts[2].range.lowerBound)]
            }
        })
}
