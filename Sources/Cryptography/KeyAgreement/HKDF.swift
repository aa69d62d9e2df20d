internal import CLibraries
import Encodings

/// The two steps of HKDF with SHA-256 (RFC 5869 §2).
enum HKDF {
    /// Draws a key from a secret.
    ///
    /// - Parameter salt: may be empty.
    /// - Returns: 32 bytes; nil if OpenSSL cannot compute them.
    static func extract(salt: SecretBytes?, _ secret: SecretBytes) -> SecretBytes? {
        var empty: [UInt8] = []
        return derive("EXTRACT_ONLY", key: secret, "salt", salt ?? SecretBytes(&empty), length: SHA256.digestLength)
    }

    /// Derives bytes from a key.
    ///
    /// - Parameters:
    ///   - key: what `extract` gave.
    ///   - info: what the bytes are for.
    ///   - length: how many bytes, 1 to 8160.
    /// - Returns: nil if OpenSSL cannot compute them.
    static func expand(_ key: SecretBytes, info: [UInt8], length: Int) -> SecretBytes? {
        var info = info
        return derive("EXPAND_ONLY", key: key, "info", SecretBytes(&info), length: length)
    }

    /// - Parameters:
    ///   - mode: the step, as OpenSSL names it.
    ///   - name: the name of the parameter `value`.
    private static func derive(
        _ mode: String, key: SecretBytes, _ name: StaticString, _ value: SecretBytes, length: Int
    ) -> SecretBytes? {
        defer { ERR_clear_error() }
        // Unsafe: null pointers, or objects that are freed on every path. The context has a reference to the function.
        guard let function = unsafe EVP_KDF_fetch(nil, "HKDF", nil) else { return nil }
        defer { unsafe EVP_KDF_free(function) }
        guard let context = unsafe EVP_KDF_CTX_new(function) else { return nil }
        defer { unsafe EVP_KDF_CTX_free(context) }
        var (mode, digest) = (Array(mode.utf8CString), Array("SHA256".utf8CString))
        var derived = [UInt8](repeating: 0, count: length)
        // Unsafe: the parameters point to names that live as long as the program, and into arrays and secrets that live until the
        // inner closure returns. OpenSSL only reads them, although it takes pointers to what can be changed.
        let status = key.withBytes { key in
            value.withBytes { value in
                unsafe key.withUnsafeBufferPointer { key in
                    unsafe value.withUnsafeBufferPointer { value in
                        unsafe mode.withUnsafeMutableBufferPointer { mode in
                            unsafe digest.withUnsafeMutableBufferPointer { digest in
                                var parameters = unsafe [
                                    OSSL_PARAM_construct_utf8_string(pointer(to: "mode"), mode.baseAddress, 0),
                                    OSSL_PARAM_construct_utf8_string(pointer(to: "digest"), digest.baseAddress, 0),
                                    OSSL_PARAM_construct_octet_string(
                                        pointer(to: "key"), UnsafeMutablePointer(mutating: key.baseAddress), key.count),
                                ]
                                // Without a salt, HKDF takes zeros (RFC 5869 §2.2). OpenSSL wants no empty one.
                                if !value.isEmpty {
                                    unsafe parameters.append(
                                        OSSL_PARAM_construct_octet_string(
                                            pointer(to: name), UnsafeMutablePointer(mutating: value.baseAddress),
                                            value.count))
                                }
                                unsafe parameters.append(OSSL_PARAM_construct_end())
                                return unsafe EVP_KDF_derive(context, &derived, length, &parameters)
                            }
                        }
                    }
                }
            }
        }
        let secret = SecretBytes(&derived)
        return status == 1 ? secret : nil
    }

    /// The name of a parameter as a C string. A literal ends with a zero and is never freed, so OpenSSL may keep the pointer.
    ///
    /// Unsafe: returns a pointer.
    @unsafe
    private static func pointer(to name: StaticString) -> UnsafePointer<CChar> {
        // Unsafe: both types have one byte, and every bit pattern is valid for both.
        unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
