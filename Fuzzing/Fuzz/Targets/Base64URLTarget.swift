import CLibraries
import Encodings

/// Base64url, compared with OpenSSL's base64.
enum Base64URLTarget: FuzzTarget {
    static let name = "base64url"

    static func run(_ bytes: [UInt8]) {
        let encoded = Base64URL.encode(bytes)
        require(Array(encoded.utf8) == openSSLText(of: bytes), "OpenSSL encodes the same")
        require((try? Base64URL.decode(encoded.utf8)) == bytes, "encoded bytes decode to the same bytes")

        // OpenSSL also accepts texts that no encoder writes. So its result counts only if encoding it again gives the same text.
        let expected = openSSLBytes(of: bytes).flatMap { openSSLText(of: $0) == bytes ? $0 : nil }
        do throws(Base64URLError) {
            require(try Base64URL.decode(bytes) == expected, "OpenSSL decodes the same")
        } catch {
            require(expected == nil, "a text that OpenSSL writes is accepted")
            require((0...bytes.count).contains(error.offset), "the place of an error is within the text")
            require(!error.description.isEmpty, "an error has a description")
        }
        _ = Base64URL.decodeLeniently(bytes[...])
    }

    private static func openSSLText(of bytes: [UInt8]) -> [UInt8] {
        // OpenSSL adds a zero byte after the text.
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        text.removeLast(text.count - Int(EVP_EncodeBlock(&text, bytes, Int32(bytes.count))))
        return text.filter { $0 != UInt8(ascii: "=") }.map(urlCharacter)
    }

    private static func urlCharacter(_ character: UInt8) -> UInt8 {
        switch character {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: character
        }
    }

    private static func openSSLBytes(of text: [UInt8]) -> [UInt8]? {
        let fill = (4 - text.count % 4) % 4
        let padded =
            text.map { character in
                switch character {
                case UInt8(ascii: "-"): UInt8(ascii: "+")
                case UInt8(ascii: "_"): UInt8(ascii: "/")
                default: character
                }
            } + [UInt8](repeating: UInt8(ascii: "="), count: fill)
        var bytes = [UInt8](repeating: 0, count: padded.count / 4 * 3 + 1)
        let count = Int(EVP_DecodeBlock(&bytes, padded, Int32(padded.count)))
        guard fill < 3, count >= fill else { return nil }
        return Array(bytes.prefix(count - fill))
    }
}
