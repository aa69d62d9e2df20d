import Credentials
import Cryptography
import Encodings
import HealthCertificates

extension Rule {
    /// The rules of the COSE message and its headers.
    static let coseRules: [Rule] = [
        coseStructure, coseAlgorithm, coseProtectedAlgorithm, coseKeyID, coseProtectedKeyID, coseCritical,
    ]

    static let coseStructure = Rule(
        "cose-header-error", "structure", "HCERT-C1",
        requirement:
            "The message is COSE_Sign1: an array of the protected header in a byte string, the unprotected header, the "
            + "payload and the signature, in CBOR without equal keys. It may have the tag 18, and 61 around it.",
        remedy: "Use a library for COSE_Sign1 (RFC 9052 §4.2), and change nothing in its result.",
        check: .cose { message in
            guard case .failure(let error) = message.reading.parts else { return [] }
            return .found(error.description)
        })

    static let coseAlgorithm = Rule(
        "cose-header-error", "alg", "HCERT-C2",
        requirement: "`alg` (1) is \(SignatureAlgorithm.choices), and no other algorithm is in the other header.",
        remedy: "Sign with ES256, and write -7 as `alg` into the protected header.",
        check: .cose { message in
            guard case .failure(let error)? = message.reading.algorithm else { return [] }
            return .found(error.description, path: "alg")
        })

    /// Verifiers accept this with a warning. Who changes a header that nobody has signed can make them use another algorithm.
    static let coseProtectedAlgorithm = Rule(
        "cose-header-error", "alg-protected", "HCERT-C2",
        requirement: "`alg` (1) is in the protected header, which is signed.",
        remedy: "Write `alg` into the protected header before signing.",
        check: .cose { message in
            let label = COSESign1.Label.algorithm
            guard message.protected(label) == nil, message.unprotected(label) != nil else { return [] }
            return .found("only the unprotected header names the algorithm, which nobody has signed there", path: "alg")
        })

    static let coseKeyID = Rule(
        "cose-header-error", "kid", "HCERT-C3",
        requirement: "`kid` (4) is a byte string that names the signer's key.",
        remedy:
            "Write the first eight bytes of the SHA-256 of the signer certificate (DER) as `kid` into the protected header.",
        check: .cose { message in
            guard case .failure(let error)? = message.keyID else { return [] }
            return .found(error.description, path: "kid")
        })

    /// A warning: the specification allows this if it is required.
    static let coseProtectedKeyID = Rule(
        "cose-header-error", "kid-protected", "HCERT-C3", severity: .warning,
        requirement: "`kid` (4) is in the protected header.",
        remedy: "Write `kid` into the protected header before signing.",
        check: .cose { message in
            let label = COSESign1.Label.keyID
            guard message.protected(label) == nil, message.unprotected(label) != nil else { return [] }
            return .found("only the unprotected header names the key, which nobody has signed there", path: "kid")
        })

    static let coseCritical = Rule(
        "cose-header-error", "crit", .rfc(9052, "3.1"),
        requirement: "The headers have no `crit` (2). No extension is defined that a verifier must understand.",
        remedy: "Leave out `crit` and the extensions that it names.",
        check: .cose { message in
            let label = COSESign1.Label.critical
            guard message.protected(label) != nil || message.unprotected(label) != nil else { return [] }
            return .found(
                "`crit` (2) names extensions that a reader must understand, and none is defined", path: "crit")
        })
}
