import CLibraries
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

    /// OpenSSL's security level 2, or 112 bits: no RSA keys under 2048 bits, no SHA-1.
    private static let securityLevel: Int32 = 2

    private enum Outcome {
        /// The path, from the leaf to the anchor.
        case valid([Certificate])
        /// The error, and the certificate that it is about.
        case invalid(CertificateError, Certificate?)
    }

    /// The most anchors that OpenSSL gets at once. It sorts them again for each one that is added.
    private static let together = 32

    /// Finds a path from a leaf to an anchor that is valid at a moment. The path may use any of the other certificates.
    ///
    /// OpenSSL takes the first anchor that has the issuer's name and does not go back. So if there are several, each is
    /// also tried alone: an authority may have several keys, and the order of the anchors makes no difference.
    ///
    /// - Throws: `CertificateError`: the error of the first attempt.
    func path(
        from leaf: Certificate, over others: [Certificate], at moment: Int64
    ) throws(CertificateError) -> [Certificate] {
        // If the leaf itself is an anchor, the path ends there, even if the key set has more certificates.
        let isAnchor = contains(leaf)
        let others = isAnchor ? [] : others
        var candidates = isAnchor ? [leaf] : []
        var known: Set<[UInt8]> = []
        for certificate in [leaf] + others {
            candidates += issuers(of: certificate).filter { known.insert($0.der).inserted }
        }
        do throws(CertificateError) {
            return try path(from: leaf, over: others, to: Array(candidates.prefix(Self.together)), at: moment)
        } catch {
            guard candidates.count > 1 else { throw error }
            for candidate in candidates
            where leaf.isSame(as: candidate) || ([leaf] + others).contains(where: { $0.isSigned(by: candidate) }) {
                if let path = try? path(from: leaf, over: others, to: [candidate], at: moment) { return path }
            }
            throw error
        }
    }

    /// Finds a path from a leaf to one of some anchors.
    ///
    /// OpenSSL takes the first certificate that could be the issuer's and does not go back. So if one of the others
    /// fails, it is removed and the path is searched again: an authority may have several certificates.
    private func path(
        from leaf: Certificate, over others: [Certificate], to anchors: [Certificate], at moment: Int64
    ) throws(CertificateError) -> [Certificate] {
        var rest = others
        var objection: CertificateError?
        while true {
            switch outcome(from: leaf, over: rest, to: anchors, at: moment) {
            case .valid(let path): return path
            case .invalid(let error, let certificate):
                let index = certificate.flatMap { rest.firstIndex(where: $0.isSame) }
                guard let index else { throw objection ?? error }
                objection = objection ?? error
                rest.remove(at: index)
            }
        }
    }

    private func outcome(
        from leaf: Certificate, over others: [Certificate], to anchors: [Certificate], at moment: Int64
    ) -> Outcome {
        let outOfMemory = Outcome.invalid(
            CertificateError(.failed, "OpenSSL has no memory to validate the path of certificates"), nil)
        defer { ERR_clear_error() }
        // Unsafe: the stack borrows certificates that `others` keeps alive, and the store adds its own references. Store,
        // stack and context are freed on every path. The context is freed first, because it points to the others.
        defer { withExtendedLifetime((leaf, others, anchors)) {} }
        guard let store = unsafe X509_STORE_new() else { return outOfMemory }
        defer { unsafe X509_STORE_free(store) }
        for anchor in anchors {
            guard unsafe anchor.withX509({ unsafe X509_STORE_add_cert(store, $0) }) == 1 else { return outOfMemory }
        }
        guard let untrusted = unsafe OPENSSL_sk_new_null() else { return outOfMemory }
        defer { unsafe OPENSSL_sk_free(untrusted) }
        for other in others {
            let count = unsafe other.withX509 { unsafe OPENSSL_sk_push(untrusted, UnsafeRawPointer($0)) }
            guard count > 0 else { return outOfMemory }
        }
        guard let context = unsafe X509_STORE_CTX_new() else { return outOfMemory }
        defer { unsafe X509_STORE_CTX_free(context) }
        let isReady = unsafe leaf.withX509 { unsafe X509_STORE_CTX_init(context, store, $0, untrusted) }
        guard isReady == 1, unsafe configure(context, at: moment) else { return outOfMemory }

        let status = unsafe X509_verify_cert(context)
        let code = unsafe X509_STORE_CTX_get_error(context)
        // The path is valid only if both say so.
        guard status == 1, code == X509_V_OK else {
            // Unsafe: a null pointer or a certificate of the context, which gets a reference before the context is
            // freed.
            let certificate = unsafe Certificate(sharing: X509_STORE_CTX_get_current_cert(context))
            let error = CertificateError(
                openSSL: code, certificate, depth: Int(unsafe X509_STORE_CTX_get_error_depth(context)), others: others,
                anchors: anchors)
            return .invalid(error, certificate)
        }
        // Unsafe: the path belongs to the context. Its certificates get a reference before the context is freed.
        let found = unsafe X509_STORE_CTX_get0_chain(context)
        let path = unsafe (0..<max(0, OPENSSL_sk_num(found))).map { index in
            unsafe Certificate(sharing: OPENSSL_sk_value(found, index).map { OpaquePointer($0) })
        }
        // OpenSSL should only return paths that end at an anchor. This checks it again. No test reaches the error.
        guard let anchor = path.last ?? nil, anchors.contains(where: anchor.isSame) else {
            return .invalid(CertificateError(.failed, "the path of certificates does not end at an anchor"), nil)
        }
        return .valid(path.compactMap(\.self))
    }

    /// Sets what a valid path must fulfil. False if there is no memory.
    ///
    /// Unsafe: takes a pointer to a context.
    @unsafe
    private func configure(_ context: OpaquePointer, at moment: Int64) -> Bool {
        // Unsafe: the parameters belong to the context and are used while it lives. The policy is a constant of OpenSSL
        // that is never freed.
        guard let parameters = unsafe X509_STORE_CTX_get0_param(context) else { return false }
        // PARTIAL_CHAIN: an anchor ends the path even if it is not self-signed. X509_STRICT is not set, because the
        // example in the specification has authorities without keyUsage and leaves without key identifiers.
        let flags = UInt(X509_V_FLAG_PARTIAL_CHAIN) | UInt(X509_V_FLAG_POLICY_CHECK)
        guard unsafe X509_VERIFY_PARAM_set_flags(parameters, flags) == 1,
            unsafe X509_VERIFY_PARAM_add0_policy(parameters, OBJ_nid2obj(NID_any_policy)) == 1
        else { return false }
        unsafe X509_VERIFY_PARAM_set_time(parameters, time_t(clamping: moment))
        unsafe X509_VERIFY_PARAM_set_depth(parameters, Int32(CertificateAnchors.maximumCount))
        unsafe X509_VERIFY_PARAM_set_auth_level(parameters, CertificateAnchors.securityLevel)
        return true
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

/// The certificates of one file by their issuers. It says which of them are those of authorities (CSCA) because they have signed
/// others. Files of certificates do not say which are which, and real signers' certificates may claim to be authorities as well.
///
/// The names that certificates give as their issuers decide which signatures are checked, and each key is asked once. Anyone who makes a
/// file can still ask for many checks, so their number has a limit.
package struct AuthorityIndex: Sendable {
    /// A name with a public key, as certificates have them.
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
