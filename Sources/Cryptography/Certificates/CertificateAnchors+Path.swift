internal import CLibraries

extension CertificateAnchors {
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
