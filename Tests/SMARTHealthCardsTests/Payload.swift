import Cryptography
import Encodings

/// Payloads of cards, and JWS with them that have no valid signature.
enum Payload {
    /// A valid payload with changes.
    ///
    /// - Parameter changes: the JSON for a member by its path, or nil to remove the member.
    static func text(_ changes: [String: String?] = [:]) -> String {
        func member(_ path: String, _ usual: String?) -> (String, String)? {
            let json = if let change = changes[path] { change } else { usual }
            return json.map { (String(path.split(separator: ".").last!), $0) }
        }
        func object(_ members: (String, String)?...) -> String {
            "{" + members.compactMap { $0 }.map { #""\#($0.0)":\#($0.1)"# }.joined(separator: ",") + "}"
        }
        let subject = object(
            member("vc.credentialSubject.fhirVersion", #""4.0.1""#),
            member("vc.credentialSubject.fhirBundle", #"{"resourceType":"Bundle"}"#))
        let credential = object(
            member("vc.type", #"["https://smarthealth.cards#health-card"]"#), member("vc.rid", nil),
            member("vc.credentialSubject", subject))
        return object(
            member("iss", #""https://issuer-a.example/cards""#), member("nbf", "1750000000"), member("exp", nil),
            member("vc", credential))
    }

    static let header = #"{"zip":"DEF","alg":"ES256","kid":"ot01SiUGLVqI7DwMxi3uihZCE8cXsxYaX-0g5jfICKo"}"#

    /// A well-formed JWS without a valid signature.
    static func jws(_ payload: String, header: String = header, signature: [UInt8] = .init(repeating: 1, count: 64))
        -> [UInt8]
    {
        let parts = [Array(header.utf8), deflated(Array(payload.utf8)), signature].map { Base64URL.encode($0) }
        return Array(parts.joined(separator: ".").utf8)
    }

    /// A raw DEFLATE stream of stored blocks (RFC 1951 §3.2.4), which needs no compressor.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            for number in [length, ~length] { stream += [UInt8(number & 0xFF), UInt8(number >> 8)] }
            stream += block
        } while !rest.isEmpty
        return stream
    }

    /// A JSON string with as few escapes as possible, so that the JSON itself contains hostile characters.
    static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": "\\" + String(scalar)
            case _ where scalar.value < 0x20:
                #"\u00"# + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}
