internal import COpenSSL

extension [UInt8] {
    /// The bytes of a string of ASN.1, zeros in it included; none for no string.
    ///
    /// Unsafe: takes a null pointer or that of a live ASN1_STRING.
    @unsafe
    init(asn1 string: UnsafePointer<ASN1_STRING>?) {
        // Unsafe: the data is the string's own, of that length, and is copied here.
        guard let string = unsafe string, let data = unsafe ASN1_STRING_get0_data(string) else {
            // No string: what OpenSSL has parsed has all of its own, so this takes a parser that fails without saying so.
            self = []
            return
        }
        unsafe self.init(UnsafeBufferPointer(start: data, count: Int(ASN1_STRING_length(string))))
    }
}
