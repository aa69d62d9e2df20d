internal import CLibraries
import Encodings

/// OpenSSL's setup for a whole process. A program calls it; a library must not.
package enum OpenSSLProcess {
    /// Stops OpenSSL from loading its error messages, which are never printed, and from cleaning up at exit. The system
    /// frees everything at exit, and other threads may still be verifying.
    ///
    /// OpenSSL's configuration is still read, so that an administrator's settings apply. A program calls this once,
    /// before anything else. A library leaves this to its program.
    package static func begin() {
        let options = UInt64(OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS) | UInt64(OPENSSL_INIT_NO_ATEXIT)
        // If this fails, OpenSSL only does more work than needed.
        _ = OPENSSL_init_crypto(options, nil)
    }

    /// The version of the OpenSSL that this process uses, as in "3.0.17 1 Jul 2025".
    package static var version: String {
        // Unsafe: the text is a constant of the library, and ends with a zero byte.
        let text = unsafe OpenSSL_version(OPENSSL_VERSION).map { unsafe String(cString: $0) } ?? ""
        return text.hasPrefix("OpenSSL ") ? String(text.dropFirst(8)) : text
    }

    /// Says why OpenSSL, as configured on this machine, cannot verify signatures. Nil if it can.
    ///
    /// A configuration can name providers that do not exist or lack an algorithm. OpenSSL then fails for each key, so
    /// each key would seem to be malformed.
    ///
    /// - Parameters:
    ///   - configuration: the path in the environment variable `OPENSSL_CONF`, or nil if it is not set.
    ///   - isFile: whether the path is a regular file, which can be read more than once.
    package static func problem(configuration: String?, isFile: Bool) -> String? {
        let file = configuration.map { "\(JSONWriter.quoted($0)) (OPENSSL_CONF)" } ?? "of the system"
        if isFile, let configuration, let line = lineOfError(in: configuration) {
            return "OpenSSL's configuration \(file) cannot be read: line \(line) is malformed"
        }
        guard !verifiesExample else { return nil }
        return "OpenSSL, as its configuration \(file) sets it up, cannot verify signatures (ES256)"
    }

    /// The line because of which a configuration cannot be read. OpenSSL itself ignores such a file, and with it all
    /// settings of the administrator. Nil if the file can be read or does not exist.
    private static func lineOfError(in path: String) -> Int? {
        // Unsafe: the configuration is not null and is freed on every path. The call reads the path and writes the
        // number, which both live during the call.
        guard let configuration = unsafe NCONF_new(nil) else { return nil }
        defer { unsafe NCONF_free(configuration) }
        var line = 0
        let isRead = unsafe NCONF_load(configuration, path, &line) > 0
        ERR_clear_error()
        return isRead || line <= 0 ? nil : line
    }

    /// Whether the example signature verifies, as it should.
    private static var verifiesExample: Bool {
        guard let example = SignatureClaim.example else { return false }
        return example.key.isValid(example.signature, for: example.message)
    }
}

extension SignatureClaim {
    /// The example of RFC 7515 §A.3, whose signature is good; nil if OpenSSL cannot import its key.
    static var example: SignatureClaim? {
        let input =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0"
            + "cnVlfQ"
        let signature = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        guard let x = try? Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU".utf8),
            let y = try? Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0".utf8),
            let key = try? P256PublicKey(x: x, y: y),
            let signature = try? ES256Signature(Base64URL.decode(signature.utf8))
        else { return nil }
        return SignatureClaim(signature: signature, key: key, message: Array(input.utf8)[...])
    }
}
