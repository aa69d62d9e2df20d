internal import COpenSSL

/// The certificates that a verifier trusts to say who an issuer is (SHC-K8).
///
/// Any certificate can be an anchor, since it is the verifier's own choice: a root, an intermediate authority, whose
/// own issuer is then not asked for, or the very certificate of an issuer. An anchor's validity, its being an
/// authority, its path length and its name constraints hold like those of any other certificate.
///
/// Making anchors costs time by their number; one object serves any number of validations, on any threads.
@safe
public final class CertificateAnchors: @unchecked Sendable {
    // Sendable: `certificates` and `store` never change after `init`. The store has no lookup methods, so that OpenSSL
    // adds nothing to it; what it does to search it (sort, count references) it does under a lock of the store's own.
    // It is freed once, when nobody holds this object.
    //
    // Safe: `store` is not null, is owned by this object alone, and is passed to OpenSSL only while the object lives.
    private let store: OpaquePointer

    /// The anchors, in the order they were given, and as often.
    public let certificates: [Certificate]

    /// Reads anchors.
    ///
    /// Whether they are valid at any moment is not looked at; that is part of each validation.
    ///
    /// - Parameter pem: certificates in PEM (RFC 7468), at least one. Other text and other things in PEM are passed over.
    /// - Throws: `CertificateFileError` if there is none, or one does not parse.
    public convenience init(pem: [UInt8]) throws(CertificateFileError) {
        try self.init(PEM.parsed(pem))
    }

    /// The anchors of several files together.
    ///
    /// - Parameter anchors: those of each file. Of none there are no anchors, and no path is valid.
    /// - Throws: `CertificateFileError` only if there is no memory.
    public convenience init(merging anchors: [CertificateAnchors]) throws(CertificateFileError) {
        try self.init(anchors.flatMap(\.certificates))
    }

    /// These certificates as anchors.
    ///
    /// That the last certificate of a key's own `x5c` is taken for one says whether a published chain holds together. It
    /// says nothing about whom to trust.
    ///
    /// - Throws: `CertificateFileError` only if there is no memory.
    public init(_ certificates: [Certificate]) throws(CertificateFileError) {
        defer { ERR_clear_error() }
        // Unsafe: a null pointer or a store whose ownership is now ours.
        guard let store = unsafe X509_STORE_new() else { throw CertificateAnchors.outOfMemory }
        for certificate in certificates {
            // Unsafe: the pointers are those of live objects; the store counts a reference of its own.
            guard unsafe certificate.withX509({ unsafe X509_STORE_add_cert(store, $0) }) == 1 else {
                // Memory has run out: that cannot be provoked in a test.
                unsafe X509_STORE_free(store)
                throw CertificateAnchors.outOfMemory
            }
        }
        unsafe self.store = store
        self.certificates = certificates
    }

    deinit {
        // Unsafe: the only free, of the store that `init` made.
        unsafe X509_STORE_free(store)
    }

    private static let outOfMemory = CertificateFileError(.failed, "OpenSSL cannot hold these certificates")

    /// Calls `body` with OpenSSL's store, which must not leave it.
    ///
    /// Unsafe: the pointer is valid only inside `body`.
    @unsafe
    func withStore<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        withExtendedLifetime(self) { unsafe body(store) }
    }
}
