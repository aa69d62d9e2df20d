import JSON

extension JWK {
    /// The certificates in `x5c`, leaf first, in DER (RFC 7517 §4.7, SHC-K7); none where there is no `x5c`.
    ///
    /// Only their encoding has been looked at. They may be expired, of another key, or no certificates at all.
    ///
    /// Throws `JWKError` with the reason `malformedCertificates` where `x5c` is not an array of strings in
    /// base64, at least one.
    public var certificates: [[UInt8]] {
        get throws(JWKError) {
            guard let chain = value.optional("x5c") else { return [] }
            guard let elements = chain.elements, elements.count > 0 else {
                throw JWKError(.malformedCertificates, #"the key's "x5c" is not an array of certificates"#)
            }
            var certificates: [[UInt8]] = []
            for element in elements { certificates.append(try certificate(element, at: certificates.count)) }
            return certificates
        }
    }

    private func certificate(_ element: JSONValue, at index: Int) throws(JWKError) -> [UInt8] {
        guard let text = element.stringBytes else {
            throw JWKError(
                .malformedCertificates, #"the key's "x5c" holds strings, element \#(index) is \#(element.excerpt)"#)
        }
        do {
            return try Base64.decode(text)
        } catch {
            throw JWKError(.malformedCertificates, #"element \#(index) of the key's "x5c" is not base64: \#(error)"#)
        }
    }
}
