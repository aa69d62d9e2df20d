internal import COpenSSL

/// What OpenSSL does at the beginning and the end of a process that is ours alone.
package enum OpenSSLProcess {
    /// Keeps OpenSSL from making the table of its error messages, which nothing here prints, and from taking itself down at
    /// the end, when the system takes back everything at once and other threads may still be verifying.
    ///
    /// Its configuration is read all the same, so that what an administrator demands there applies. Called once, by a
    /// program and before all else: a library leaves this to the process that it is in.
    package static func begin() {
        let options = UInt64(OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS) | UInt64(OPENSSL_INIT_NO_ATEXIT)
        // Where it fails, OpenSSL does more than it has to.
        _ = OPENSSL_init_crypto(options, nil)
    }
}
