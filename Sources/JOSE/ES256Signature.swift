/// An ES256 signature whose two numbers are in range (RFC 7518 §3.4). What it signs is not its own to say.
public struct ES256Signature: Hashable, Sendable {
    /// r and s, 32 bytes each, big-endian.
    public let bytes: [UInt8]

    /// How many bytes each number has.
    static let numberLength = 32

    var r: ArraySlice<UInt8> { bytes[..<ES256Signature.numberLength] }
    var s: ArraySlice<UInt8> { bytes[ES256Signature.numberLength...] }

    /// Reads a signature.
    ///
    /// - Parameter bytes: r and s, 32 bytes each, big-endian.
    /// - Throws: `ES256SignatureError`: `wrongLength` unless there are 64 bytes, `outOfRange` unless both numbers are
    ///   between 1 and n − 1. An s above n / 2 is as good as one below: ES256 does not ask for the lower one.
    public init(_ bytes: [UInt8]) throws(ES256SignatureError) {
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
