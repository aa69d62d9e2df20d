/// An ES256 signature whose two numbers are in range (RFC 7518 §3.4).
package struct ES256Signature: Hashable, Sendable {
    /// r and s, 32 bytes each, big-endian.
    package let bytes: [UInt8]

    /// The length of each number in bytes.
    static let numberLength = 32

    var r: ArraySlice<UInt8> { bytes[..<ES256Signature.numberLength] }
    var s: ArraySlice<UInt8> { bytes[ES256Signature.numberLength...] }

    /// Reads a signature.
    ///
    /// - Parameter bytes: r and s, 32 bytes each, big-endian.
    /// - Throws: `ES256SignatureError`: `wrongLength` if there are not 64 bytes, `outOfRange` if one of the numbers is
    ///   not between 1 and n − 1. A value of s above n / 2 is accepted, since ES256 does not require the lower one.
    package init(_ bytes: [UInt8]) throws(ES256SignatureError) {
        guard bytes.count == 2 * ES256Signature.numberLength else {
            throw .wrongLength(count: bytes.count, looksLikeDER: ES256Signature.looksLikeDER(bytes))
        }
        self.bytes = bytes
        guard ES256Signature.isInRange(r), ES256Signature.isInRange(s) else { throw .outOfRange }
    }

    /// n, the order of P-256 (SP 800-186 §3.2.1.3).
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    private static func isInRange(_ number: ArraySlice<UInt8>) -> Bool {
        number.contains { $0 != 0 } && number.lexicographicallyPrecedes(order)
    }
}

/// The form of ECDSA signatures in X.509 and OpenSSL: a SEQUENCE of two INTEGERs (RFC 3279 §2.2.3) in DER.
extension ES256Signature {
    private static let sequenceTag: UInt8 = 0x30
    private static let integerTag: UInt8 = 0x02

    /// The signature in DER, at most 72 bytes.
    package var der: [UInt8] {
        var der: [UInt8] = []
        appendDER(to: &der)
        return der
    }

    /// Appends the signature in DER. With a free capacity of 72 bytes, this allocates nothing.
    func appendDER(to der: inout [UInt8]) {
        der.reserveCapacity(der.count + 72)
        der.append(ES256Signature.sequenceTag)
        let length = der.count
        der.append(0)
        ES256Signature.append(r, to: &der)
        ES256Signature.append(s, to: &der)
        der[length] = UInt8(der.count - length - 1)
    }

    /// Appends a positive INTEGER. It has no leading zeros, except one if the highest bit would make the number
    /// negative.
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
    /// - Throws: `ES256SignatureError`: `malformedDER` if the bytes are not the DER encoding of two numbers that are
    ///   not negative, `outOfRange` if one of the numbers is not between 1 and n − 1.
    package init(der: [UInt8]) throws(ES256SignatureError) {
        guard let (r, s) = ES256Signature.integers(inDER: der),
            let r = ES256Signature.magnitude(r), let s = ES256Signature.magnitude(s)
        else { throw .malformedDER }
        guard r.count <= ES256Signature.numberLength, s.count <= ES256Signature.numberLength else {
            throw .outOfRange
        }
        try self.init(ES256Signature.padded(r) + ES256Signature.padded(s))
    }

    /// Whether the bytes have the structure of a signature in DER, with any numbers. For hints in messages.
    static func looksLikeDER(_ bytes: [UInt8]) -> Bool { integers(inDER: bytes) != nil }

    /// The contents of the two INTEGERs in a SEQUENCE that fills the bytes. Nil if the structure is different. A length
    /// of 128 or more takes several bytes, does not occur with P-256, and is rejected.
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

    /// The bytes of a number without its sign. Nil if the number is negative or has extra zeros.
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

/// Why bytes are not an ES256 signature.
package enum ES256SignatureError: Error, Equatable, Sendable {
    /// There are not 64 bytes. Some issuers sign in DER, as OpenSSL does. That case is recognised for the message.
    case wrongLength(count: Int, looksLikeDER: Bool)
    /// One of the numbers is zero, or is not below the curve's order.
    case outOfRange
    /// The bytes are not the DER encoding of two numbers. Only for signatures that are expected in DER.
    case malformedDER
}

extension ES256SignatureError: CustomStringConvertible {
    /// The error in plain words.
    package var description: String {
        switch self {
        case .wrongLength(let count, true):
            "an ES256 signature must have 64 bytes (r and s), this has \(count) and is built like DER, which JWS does not use"
        case .wrongLength(let count, false):
            "an ES256 signature must have 64 bytes (r and s), this has \(count)"
                + (count < 64 ? "; was the text cut off?" : "")
        case .outOfRange: "the numbers in an ES256 signature must be between 1 and the order of P-256, these are not"
        case .malformedDER: "the signature is not the DER encoding of two numbers"
        }
    }
}
