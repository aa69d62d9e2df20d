import Credentials
import Cryptography
import Encodings
import HealthCertificates

extension Rule {
    /// The rules of the COSE message and its headers.
    static let coseRules: [Rule] = [
        coseStructure, coseAlgorithm, coseProtectedAlgorithm, coseKeyID, coseProtectedKeyID, coseCritical,
    ]

    static let coseStructure = Rule("cose-header-error/structure", RuleCheck.cose) { message in
        guard case .failure(let error) = message.reading.parts else { return [] }
        return .found(error.description)
    }

    static let coseAlgorithm = Rule("cose-header-error/alg", RuleCheck.cose) { message in
        guard case .failure(let error)? = message.reading.algorithm else { return [] }
        return .found(error.description, path: "alg")
    }

    /// Verifiers accept this with a warning. Whoever changes an unsigned header can make them use another algorithm.
    static let coseProtectedAlgorithm = Rule("cose-header-error/alg-protected", RuleCheck.cose) { message in
        let label = COSESign1.Label.algorithm
        guard message.protected(label) == nil, message.unprotected(label) != nil else { return [] }
        return .found("only the unprotected header names the algorithm, which nobody has signed there", path: "alg")
    }

    static let coseKeyID = Rule("cose-header-error/kid", RuleCheck.cose) { message in
        guard case .failure(let error)? = message.keyID else { return [] }
        return .found(error.description, path: "kid")
    }

    /// A warning: the specification allows this if it is required.
    static let coseProtectedKeyID = Rule("cose-header-error/kid-protected", RuleCheck.cose) { message in
        let label = COSESign1.Label.keyID
        guard message.protected(label) == nil, message.unprotected(label) != nil else { return [] }
        return .found("only the unprotected header names the key, which nobody has signed there", path: "kid")
    }

    static let coseCritical = Rule("cose-header-error/crit", RuleCheck.cose) { message in
        let label = COSESign1.Label.critical
        guard message.protected(label) != nil || message.unprotected(label) != nil else { return [] }
        return .found("`crit` (2) names extensions that a reader must understand, and none is defined", path: "crit")
    }
}
