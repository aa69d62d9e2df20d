import Foundation

/// Cards without a valid signature, with any payload.
package enum UnsignedCard {
    package static let header = #"{"alg":"ES256","zip":"DEF","kid":"x"}"#

    /// A JWS with this payload and a signature that cannot verify.
    package static func jws(header: String = header, payload: [UInt8]) -> [UInt8] {
        let parts = [Array(header.utf8), stored(payload), [UInt8](repeating: 1, count: 64)]
        return Array(parts.map(base64URL).joined(separator: ".").utf8)
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    /// Raw DEFLATE that does not compress (RFC 1951 §3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 0xFFFF) {
            let block = bytes[start..<min(start + 0xFFFF, bytes.count)]
            let length = UInt16(block.count)
            stream.append(start + block.count == bytes.count ? 1 : 0)
            for value in [length, ~length] { stream += [UInt8(value & 0xFF), UInt8(value >> 8)] }
            stream += block
        }
        return stream
    }
}
