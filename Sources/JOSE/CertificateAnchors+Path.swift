internal import COpenSSL

extension CertificateAnchors {
    /// OpenSSL's security level 2, 112 bits: neither RSA keys of less than 2048 bits nor SHA-1.
    private static let securityLevel: Int32 = 2

    private enum Outcome {
        /// The path, from the leaf to the anchor.
        case valid([Certificate])
        /// What is wrong, and the certificate that it is about.
        case invalid(CertificateError, Certificate?)
    }

    /// The path from a leaf to an anchor, over any of the other certificates, that is valid at a moment.
    ///
    /// OpenSSL takes the first certificate that could be the issuer's and does not go back. So where it fails on one of
    /// the others, that one is put aside and the rest tried: an authority may have been certified by several.
    ///
    /// - Throws: `CertificateError`, that of the first try.
    func path(
        from leaf: Certificate, over others: [Certificate], at moment: Int64
    ) throws(CertificateError) -> [Certificate] {
        // Where the leaf itself is an anchor the path ends there, whatever else a key set has.
        var rest = certificates.contains(where: leaf.isSame) ? [] : others
        var objection: CertificateError?
        while true {
            switch outcome(from: leaf, over: rest, at: moment) {
            case .valid(let path): return path
            case .invalid(let error, let certificate):
                let index = certificate.flatMap { rest.firstIndex(where: $0.isSame) }
                guard let index else { throw objection ?? error }
                objection = objection ?? error
                rest.remove(at: index)
            }
        }
    }

    private func outcome(from leaf: Certificate, over others: [Certificate], at moment: Int64) -> Outcome {
        let outOfMemory = Outcome.invalid(
            CertificateError(.failed, "OpenSSL has no memory to validate the path of certificates"), nil)
        defer { ERR_clear_error() }
        // Unsafe: the stack borrows certificates, which `others` keeps alive. It and the context are freed on every path,
        // the context first, as it points to the stack, the leaf and the store.
        defer { withExtendedLifetime((leaf, others, self)) {} }
        guard let untrusted = unsafe OPENSSL_sk_new_null() else { return outOfMemory }
        defer { unsafe OPENSSL_sk_free(untrusted) }
        for other in others {
            let count = unsafe other.withX509 { unsafe OPENSSL_sk_push(untrusted, UnsafeRawPointer($0)) }
            guard count > 0 else { return outOfMemory }
        }
        guard let context = unsafe X509_STORE_CTX_new() else { return outOfMemory }
        defer { unsafe X509_STORE_CTX_free(context) }
        let isReady = unsafe withStore { store in
            unsafe leaf.withX509 { unsafe X509_STORE_CTX_init(context, store, $0, untrusted) }
        }
        guard isReady == 1, unsafe configure(context, at: moment) else { return outOfMemory }

        let status = unsafe X509_verify_cert(context)
        let code = unsafe X509_STORE_CTX_get_error(context)
        // Only both together are success.
        guard status == 1, code == X509_V_OK else {
            // Unsafe: a null pointer or a certificate of the context's, which is shared before that is freed.
            let certificate = unsafe Certificate(sharing: X509_STORE_CTX_get_current_cert(context))
            let error = CertificateError(
                openSSL: code, certificate, depth: Int(unsafe X509_STORE_CTX_get_error_depth(context)), others: others,
                anchors: certificates)
            return .invalid(error, certificate)
        }
        // Unsafe: the path is the context's own; its certificates are shared before that is freed.
        let found = unsafe X509_STORE_CTX_get0_chain(context)
        let path = unsafe (0..<max(0, OPENSSL_sk_num(found))).map { index in
            unsafe Certificate(sharing: OPENSSL_sk_value(found, index).map { OpaquePointer($0) })
        }
        // That it ends at an anchor is OpenSSL's to say, and ours to see. No test has it otherwise.
        guard let anchor = path.last ?? nil, certificates.contains(where: anchor.isSame) else {
            return .invalid(CertificateError(.failed, "the path of certificates does not end at an anchor"), nil)
        }
        return .valid(path.compactMap(\.self))
    }

    /// Says what is asked of a path; false where there is no memory.
    ///
    /// Unsafe: takes a pointer to a context.
    @unsafe
    private func configure(_ context: OpaquePointer, at moment: Int64) -> Bool {
        // Unsafe: the parameters are the context's own and used while that lives. The policy is one of OpenSSL's
        // constants, which nobody frees.
        guard let parameters = unsafe X509_STORE_CTX_get0_param(context) else { return false }
        // PARTIAL_CHAIN: an anchor ends the path, whether or not it signed itself. X509_STRICT is not asked for: the
        // specification's own example has authorities without keyUsage, and leaves without key identifiers.
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
