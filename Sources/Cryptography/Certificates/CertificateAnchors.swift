internal import CLibraries
public import Encodings

/// The certificates that a verifier trusts to identify issuers (SHC-K8).
///
/// Any certificate can be an anchor, because the verifier chooses it: a root, an intermediate authority (whose own
/// issuer is then not needed), or an issuer's own certificate. The anchor must also be valid itself. Its dates, path
/// length and name constraints apply, and it must be an authority if it signed another certificate.
///
/// One object serves any number of validations, on any thread.
public final class CertificateAnchors: Sendable {
    /// The anchors in the order in which they were given, including duplicates.
    package let certificates: [Certificate]

    /// The places of the anchors by the hash of their subjects. OpenSSL gets only the anchors that a path could end at: its
    /// own store is sorted again for each certificate that is added.
    private let places: [UInt: [Int]]

    /// Reads anchors.
    ///
    /// Their dates are not checked here, but in each validation.
    ///
    /// - Parameter pem: one or more certificates in PEM (RFC 7468). Other text and other PEM objects are skipped.
    /// - Throws: `Malformed` if there is no certificate, or if one cannot be parsed.
    public convenience init(pem: [UInt8]) throws(Malformed) {
        try self.init(PEM.parsed(pem))
    }

    /// Combines the anchors of several files.
    ///
    /// - Parameter anchors: the anchors of each file. Without any anchors, no path is valid.
    /// - Throws: `Malformed`: never, since the anchors have been read before.
    public convenience init(merging anchors: [CertificateAnchors]) throws(Malformed) {
        try self.init(anchors.flatMap(\.certificates))
    }

    /// Uses these certificates as anchors.
    ///
    /// With the last certificate of a key's own `x5c` as the anchor, a validation says whether the published chain is
    /// consistent. It says nothing about trust.
    ///
    /// - Throws: `Malformed` if OpenSSL cannot parse one of them.
    package init(_ certificates: [Certificate]) throws(Malformed) {
        if let index = certificates.firstIndex(where: { !$0.isReadByOpenSSL }) {
            throw Malformed("\(PEM.ordinal(index)) cannot be read by OpenSSL")
        }
        self.certificates = certificates
        places = Dictionary(grouping: certificates.indices) { certificates[$0].subjectHash }
    }

    /// Whether the certificate is one of the anchors.
    func contains(_ certificate: Certificate) -> Bool {
        places[certificate.subjectHash]?.contains { certificates[$0].isSame(as: certificate) } ?? false
    }

    /// The anchors whose subject the certificate names as its issuer, in their order.
    func issuers(of certificate: Certificate) -> [Certificate] {
        let found = places[certificate.issuerHash] ?? []
        return found.map { certificates[$0] }.filter(certificate.namesAsIssuer)
    }
}

extension Certificate {
    /// A hash of the subject. Names that are equal by RFC 5280 §7.1 have the same, and others may have it too.
    var subjectHash: UInt {
        defer { ERR_clear_error() }
        // Unsafe: the pointer is that of a live object.
        return isReadByOpenSSL ? unsafe withX509 { unsafe X509_subject_name_hash($0) } : 0
    }

    /// The same of the issuer.
    var issuerHash: UInt {
        defer { ERR_clear_error() }
        // Unsafe: the pointer is that of a live object.
        return isReadByOpenSSL ? unsafe withX509 { unsafe X509_issuer_name_hash($0) } : 0
    }
}

extension CertificateAnchors {
    /// The most certificates that `x5c` may have. Real ones have one to three.
    public static let maximumCount = 10

    /// Validates the path from a key's certificate to one of the anchors (SHC-K8, RFC 5280 §6).
    ///
    /// The leaf must have the issuer's key, be allowed to sign, and have a URI in its Subject Alternative Name that
    /// equals the issuer, byte for byte. A path must lead from the leaf to an anchor. On it, each signature must
    /// verify, each certificate must be valid at the moment, and each issuer must be a certificate authority. Path
    /// lengths, key usages, name constraints and certificate policies must be respected. The order of `x5c` after the
    /// leaf does not matter. Nothing is fetched: missing certificates are not looked up, and revocation of certificates
    /// is not checked.
    ///
    /// - Parameters:
    ///   - certificates: the key's certificates in DER, leaf first.
    ///   - key: the key. If a key set has several entries for one key, validate the certificates of each.
    ///   - issuer: the issuer's URL.
    ///   - moment: the time of validation, in seconds since 1970.
    ///   - isCompromised: whether the private half of a certificate's key is published, so that everyone can sign with it.
    /// - Returns: the path, as reports show it.
    /// - Throws: `CertificateError`: the first error that was found.
    package func validate(
        _ certificates: [[UInt8]], of key: P256PublicKey, for issuer: String, at moment: Int64,
        refusing isCompromised: (Certificate) -> Bool = { _ in false }
    ) throws(CertificateError) -> CertificatePath {
        guard !certificates.isEmpty else { throw .noCertificate }
        guard certificates.count <= CertificateAnchors.maximumCount else {
            throw CertificateError(
                .tooLarge,
                #""x5c" has \#(certificates.count) certificates, more than \#(CertificateAnchors.maximumCount)"#)
        }
        var parsed: [Certificate] = []
        for der in certificates {
            do {
                parsed.append(try Certificate(der: der))
            } catch {
                throw CertificateError(
                    error.reason, depth: parsed.count, #"element \#(parsed.count) of "x5c" cannot be used: \#(error)"#)
            }
        }
        let leaf = parsed[0]
        if let problem = leaf.problems(of: key, for: issuer).first { throw problem }
        let path = try path(from: leaf, over: Array(parsed.dropFirst()), at: moment)
        for (depth, certificate) in path.enumerated() where certificate.hasUnreadableExtension {
            throw CertificateError(unreadableExtensionOf: certificate, depth: depth)
        }
        for (depth, certificate) in path.enumerated() where isCompromised(certificate) {
            throw CertificateError(burntKeyOf: certificate, depth: depth)
        }
        try check(issuer, against: path)
        // A path was found, so OpenSSL could read the leaf's dates and the path is not empty. This never throws.
        guard let notAfter = leaf.notAfter, let anchor = path.last else {
            throw CertificateError(.failed, leaf, depth: 0, "has a validity that cannot be read")
        }
        return CertificatePath(
            leafSubject: leaf.subject, anchorSubject: anchor.subject, leafNotAfter: notAfter, count: path.count)
    }

    /// Rejects an issuer if the path has name constraints and OpenSSL may have compared them with the wrong host.
    private func check(_ issuer: String, against path: [Certificate]) throws(CertificateError) {
        guard let depth = path.indices.dropFirst().first(where: { path[$0].constrainsNames }),
            ConstrainedHost(in: issuer) == nil
        else { return }
        throw CertificateError(
            .nameConstraint, path[depth], depth: depth,
            "has name constraints that cannot be checked against the host in the issuer's URL")
    }
}

/// A validated path from a key's certificate to an anchor. Only `CertificateAnchors` can make one.
package struct CertificatePath: Equatable, Sendable {
    /// The subject of the key's certificate, in quotation marks, shortened and safe to print.
    package let leafSubject: String
    /// The subject of the anchor at the end of the path, in the same form.
    package let anchorSubject: String
    /// When the key's certificate expires, in seconds since 1970.
    package let leafNotAfter: Int64
    /// The number of certificates on the path, including leaf and anchor.
    package let count: Int
}

/// The host in a URL, if name constraints for URIs can be compared with it (RFC 5280 §4.2.1.10).
///
/// OpenSSL takes the text before the first colon as the host, or else the text before the first slash. So it reads the
/// host of `https://attacker.example/.clinic.example:` as one that ends in `.clinic.example`, and misreads the host of
/// `https://clinic.example/a:b`. It also does not recognise IP addresses, which the RFC excludes. If an authority is
/// limited to some names, an issuer under it must have a URL of none of these forms.
struct ConstrainedHost: Equatable {
    /// The host's name.
    let name: String

    /// - Returns: nil if the host is not a DNS name, or if OpenSSL would find another one.
    init?(in url: String) {
        let slash = UInt8(ascii: "/")
        let colon = UInt8(ascii: ":")
        guard let scheme = url.utf8.firstIndex(of: colon), url.utf8[scheme...].starts(with: "://".utf8) else {
            return nil
        }
        let rest = Array(url.utf8[scheme...].dropFirst(3))
        let authority = rest.prefix { $0 != slash }
        let host = authority.prefix { $0 != colon }
        // A port may follow the host. If there is none, no other colon may follow, because OpenSSL would use it.
        guard authority.dropFirst(host.count + 1).allSatisfy(ConstrainedHost.isDigit) else { return nil }
        guard authority.contains(colon) || !rest.contains(colon) else { return nil }
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            !label.isEmpty && label.allSatisfy(ConstrainedHost.isNameCharacter)
        }
        // A host whose last label is a number is an IP address.
        guard isName, let last = labels.last, !last.allSatisfy(ConstrainedHost.isDigit) else { return nil }
        name = String(decoding: host, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
