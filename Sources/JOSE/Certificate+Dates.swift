extension Certificate {
    /// The first moment of its validity, and the first one after it, in seconds since 1970.
    fileprivate var dates: [Int64] { [notBefore, notAfter].compactMap(\.self) }
}

extension JWK {
    /// The moments from which something else may be true of the key's certificates (`x5c`), in seconds since 1970. Before,
    /// between and after them what `certificateProblems(for:at:)` and `CertificateAnchors` say does not change.
    package var certificateDates: [Int64] {
        guard let chain = try? boundedCertificates() else { return [] }
        return chain.compactMap { try? Certificate(der: $0) }.flatMap(\.dates)
    }
}

extension CertificateAnchors {
    /// The same of the anchors.
    package var dates: [Int64] { certificates.flatMap(\.dates) }
}
