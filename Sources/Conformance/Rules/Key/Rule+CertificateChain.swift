import JOSE
import SMARTHealthCards

extension Rule {
    /// Whom to trust is another question: this one is whether what is published belongs together.
    static let certificateChain = Rule(
        "invalid-key-x5c", "chain", .rfc(7517, "4.7"),
        requirement: "Each certificate of \"x5c\" after the first is of the authority that signed the one before it.",
        remedy: "Publish the chain in order: the key's certificate, then its issuer's, and so on, and nothing else.",
        check: .key { key in
            guard let chain = key.chain, chain.certificates.count > 1 else { return [] }
            guard !chain.hasTooManyNeighbours else {
                return [
                    Problem(
                        "the chain was not checked, as the set has more than \(Bounds.certifiedEntries) keys with "
                            + "certificates",
                        at: chain.value, severity: .warning)
                ]
            }
            let certificates = chain.certificates
            for index in certificates.indices.dropLast() {
                let certificate = certificates[index]
                let next = certificates[index + 1]
                let name = "the certificate \(certificate.subject) (element \(index) of \"x5c\")"
                guard certificate.isSigned(by: next) else {
                    var words = "\(name) is not signed by the next"
                    let signer = certificates.indices.first { certificate.isSigned(by: certificates[$0]) }
                    if let signer {
                        words +=
                            signer == index
                            ? ": it signed itself, and what follows does not belong to it"
                            : " but by element \(signer): the chain is out of order"
                    } else if certificate.namesAsIssuer(next) {
                        words += ", although it names that as its issuer"
                    } else {
                        words += ": its issuer is \(certificate.issuer), and the next is of \(next.subject)"
                    }
                    return [Problem(words, at: chain.value)]
                }
                guard next.isAuthority else {
                    return [
                        Problem(
                            "\(name) is signed by the next, \(next.subject), which is not a certificate authority's",
                            at: chain.value)
                    ]
                }
            }
            return []
        })
}
