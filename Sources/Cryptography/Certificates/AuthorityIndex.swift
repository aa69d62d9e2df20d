/// The certificates of one file by their issuers. It says which of them are those of authorities (CSCA) because they have signed
/// others. Files of certificates do not say which are which, and real signers' certificates may claim to be authorities as well.
///
/// The names that certificates give as their issuers decide which signatures are checked, and each key is asked once. Whoever makes a
/// file can still ask for many checks, so their number has a limit.
package struct AuthorityIndex: Sendable {
    /// A name with a public key, as they stand in certificates.
    private struct Authority: Hashable {
        let name: [UInt8]
        let key: [UInt8]
    }

    /// The most signatures that are checked for one file. If they do not suffice, a certificate that claims to be that of an authority
    /// is taken for one if another names it as its issuer. Real files need a few.
    package static let maximumChecks = 1024

    private var issued: [UInt: [Certificate]] = [:]
    private var known: [Authority: Bool] = [:]
    private var checksLeft: Int

    /// - Parameters:
    ///   - certificates: all certificates of the file.
    ///   - maximumChecks: the most signatures that are checked.
    package init(_ certificates: [Certificate], maximumChecks: Int = maximumChecks) {
        checksLeft = maximumChecks
        var seen: Set<[UInt8]> = []
        for certificate in certificates where certificate.isReadByOpenSSL && seen.insert(certificate.der).inserted {
            issued[certificate.issuerHash, default: []].append(certificate)
        }
    }

    /// Whether a certificate, which is not self-issued, has signed another one of the file.
    package mutating func hasIssued(_ certificate: Certificate) -> Bool {
        guard certificate.isReadByOpenSSL, let fields = certificate.fields else { return false }
        let authority = Authority(name: Array(fields.subject), key: Array(fields.publicKey))
        if let known = known[authority] { return known }
        var hasIssued = false
        for other in issued[certificate.subjectHash] ?? [] where other.namesAsIssuer(certificate) {
            checksLeft -= 1
            guard checksLeft >= 0, !other.isSigned(by: certificate) else {
                hasIssued = true
                break
            }
        }
        known[authority] = hasIssued
        return hasIssued
    }
}
