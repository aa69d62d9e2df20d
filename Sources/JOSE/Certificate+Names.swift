internal import COpenSSL

extension Certificate {
    /// The URIs and DNS names of the certificate's Subject Alternative Name, in their order.
    ///
    /// None where there is no such extension, or none that can be read.
    public var names: [SubjectAlternativeName] {
        defer { ERR_clear_error() }
        // Unsafe: a null pointer, or a list of names that is ours to free. No critical flag and no index are asked for,
        // so two such extensions are as good as none.
        let list = unsafe withX509 { unsafe X509_get_ext_d2i($0, NID_subject_alt_name, nil, nil) }
        guard let list = unsafe list.map({ OpaquePointer($0) }) else { return [] }
        defer { unsafe GENERAL_NAMES_free(list) }
        // Unsafe: the list holds GENERAL_NAMEs, which are its own and read while it lives.
        return unsafe (0..<OPENSSL_sk_num(list)).compactMap { index in
            guard let element = unsafe OPENSSL_sk_value(list, index) else { return nil }
            var kind: Int32 = 0
            let value = unsafe GENERAL_NAME_get0_value(element.assumingMemoryBound(to: GENERAL_NAME.self), &kind)
            switch kind {
            // Unsafe: names of these two kinds are IA5Strings.
            case GEN_URI: return unsafe .uri([UInt8](asn1: value?.assumingMemoryBound(to: ASN1_STRING.self)))
            case GEN_DNS: return unsafe .dns([UInt8](asn1: value?.assumingMemoryBound(to: ASN1_STRING.self)))
            default: return nil
            }
        }
    }

    /// Whether a URI of the Subject Alternative Name is this text, byte for byte (SHC-K8).
    public func names(_ issuer: String) -> Bool {
        let issuer = Array(issuer.utf8)
        return names.contains(.uri(issuer))
    }
}
