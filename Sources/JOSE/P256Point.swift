/// The affine coordinates that a P-256 key was published with, 32 bytes each. They need not lie on the curve.
struct P256Point: Hashable, Sendable {
    /// How many bytes a coordinate has (RFC 7518 §6.2.1.2).
    static let coordinateLength = 32

    let x: [UInt8]
    let y: [UInt8]

    /// The point as OpenSSL takes it: uncompressed (SEC 1 §2.3.3).
    var uncompressed: [UInt8] { [0x04] + x + y }
}
