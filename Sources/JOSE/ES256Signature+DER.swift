/// The form that X.509 and OpenSSL have for ECDSA signatures: a SEQUENCE of two INTEGERs (RFC 3279 §2.2.3) in DER.
extension ES256Signature {
    private static let sequenceTag: UInt8 = 0x30
    private static let integerTag: UInt8 = 0x02

    /// The signature in DER, at most 72 bytes.
    var der: [UInt8] {
        var der: [UInt8] = []
        appendDER(to: &der)
        return der
    }

    /// Appends the signature in DER. Where there is room for 72 bytes, none is allocated.
    func appendDER(to der: inout [UInt8]) {
        der.reserveCapacity(der.count + 72)
        der.append(ES256Signature.sequenceTag)
        let length = der.count
        der.append(0)
        ES256Signature.append(r, to: &der)
        ES256Signature.append(s, to: &der)
        der[length] = UInt8(der.count - length - 1)
    }

    /// Appends a positive INTEGER: no leading zeros, save one where the highest bit would make the number negative.
    private static func append(_ number: ArraySlice<UInt8>, to der: inout [UInt8]) {
        let digits = number.drop { $0 == 0 }
        let needsSign = (digits.first ?? 0) >= 0x80
        der.append(integerTag)
        der.append(UInt8(digits.count + (needsSign ? 1 : 0)))
        if needsSign { der.append(0) }
        der.append(contentsOf: digits)
    }

    /// Reads a signature in DER.
    ///
    /// - Throws: `ES256SignatureError`: `malformedDER` unless it is the one encoding of two numbers that are not
    ///   negative, `outOfRange` unless these are between 1 and n − 1.
    package init(der: [UInt8]) throws(ES256SignatureError) {
        guard let (r, s) = ES256Signature.integers(inDER: der),
            let r = ES256Signature.magnitude(r), let s = ES256Signature.magnitude(s)
        else { throw .malformedDER }
        guard r.count <= ES256Signature.numberLength, s.count <= ES256Signature.numberLength else {
            throw .outOfRange
        }
        try self.init(ES256Signature.padded(r) + ES256Signature.padded(s))
    }

    /// Whether the bytes are built like a signature in DER, be its numbers what they may. For hints.
    static func looksLikeDER(_ bytes: [UInt8]) -> Bool { integers(inDER: bytes) != nil }

    /// The contents of the two INTEGERs in a SEQUENCE that fills the bytes; nil if they are built otherwise.
    /// Lengths of more than one byte, which begin at 128, are not needed for P-256 and so are not DER here.
    private static func integers(inDER bytes: [UInt8]) -> (r: ArraySlice<UInt8>, s: ArraySlice<UInt8>)? {
        guard let outer = element(sequenceTag, in: bytes[...]), outer.rest.isEmpty,
            let r = element(integerTag, in: outer.content),
            let s = element(integerTag, in: r.rest), s.rest.isEmpty
        else { return nil }
        return (r.content, s.content)
    }

    private static func element(
        _ tag: UInt8, in bytes: ArraySlice<UInt8>
    ) -> (content: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        guard bytes.count >= 2, bytes[bytes.startIndex] == tag else { return nil }
        let length = Int(bytes[bytes.startIndex + 1])
        let body = bytes.dropFirst(2)
        guard length < 0x80, length <= body.count else { return nil }
        return (body.prefix(length), body.dropFirst(length))
    }

    /// The bytes of a number that is not negative, without the sign; nil if it is, or has zeros to spare.
    private static func magnitude(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let first = content.first, first < 0x80 else { return nil }
        guard first == 0, content.count > 1 else { return content }
        let digits = content.dropFirst()
        return (digits.first ?? 0) < 0x80 ? nil : digits
    }

    private static func padded(_ number: ArraySlice<UInt8>) -> [UInt8] {
        [UInt8](repeating: 0, count: numberLength - number.count) + number
    }
}
