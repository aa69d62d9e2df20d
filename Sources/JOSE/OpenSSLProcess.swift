internal import COpenSSL
import JSON

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

    /// What keeps OpenSSL, as it is configured on this machine, from verifying signatures; nil if nothing does.
    ///
    /// A configuration can name providers that are not there, or that lack what is needed. OpenSSL says so of every single
    /// key then, and each of them would seem to be malformed.
    ///
    /// - Parameters:
    ///   - configuration: the path that the environment gives as `OPENSSL_CONF`; nil for none.
    ///   - isFile: whether it is a file, which can be read more than once.
    package static func problem(configuration: String?, isFile: Bool) -> String? {
        let file = configuration.map { "\(JSONWriter.quoted($0)) (OPENSSL_CONF)" } ?? "of the system"
        if isFile, let configuration, let line = lineOfError(in: configuration) {
            return "OpenSSL's configuration \(file) cannot be read: line \(line) is not of its form"
        }
        guard !verifiesExample else { return nil }
        return "OpenSSL, as its configuration \(file) sets it up, cannot verify signatures (ES256)"
    }

    /// The line that keeps a configuration from being read. OpenSSL itself passes over such a file, and over all that an
    /// administrator may have demanded in it. Nil for one that can be read, or that is not there.
    private static func lineOfError(in path: String) -> Int? {
        // Unsafe: the configuration is not null and freed on every path. The call reads the path and writes the number, both
        // of which live for it.
        guard let configuration = unsafe NCONF_new(nil) else { return nil }
        defer { unsafe NCONF_free(configuration) }
        var line = 0
        let isRead = unsafe NCONF_load(configuration, path, &line) > 0
        ERR_clear_error()
        return isRead || line <= 0 ? nil : line
    }

    /// Whether the example of RFC 7515 §A.3 verifies, which it does.
    private static var verifiesExample: Bool {
        let input =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0"
            + "cnVlfQ"
        let signature = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        guard let x = try? Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU".utf8),
            let y = try? Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0".utf8),
            let key = try? P256PublicKey(x: x, y: y),
            let signature = try? ES256Signature(Base64URL.decode(signature.utf8))
        else { return false }
        return key.isValid(signature, for: Array(input.utf8)[...])
    }
}
