import JOSE
import JSON

/// Strings as SARIF 2.1.0 wants them.
enum SARIFText {
    /// A message that says just this: braces are doubled, lest they be taken for placeholders (§3.11.5), and what looks like
    /// an embedded link (§3.11.6) is none.
    static func message(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "{", "}": result.append(contentsOf: [scalar, scalar])
            case "(" where result.last == "]": result.append(contentsOf: [" ", scalar])
            default: result.append(scalar.isUnprintable ? "\u{FFFD}" : scalar)
            }
        }
        return String(result)
    }

    /// A source as a URI reference: relative where the path is (§3.4.3). That of a live issuer is a URI already.
    static func uri(_ source: String) -> String {
        if source.hasPrefix("https://") { return encoded(source, keeping: ":@!$&'()*+,;=?") }
        return (source.hasPrefix("/") ? "file://" : "") + encoded(source, keeping: "")
    }

    /// Percent-encoded but for what RFC 3986 §2.3 calls unreserved, and slashes.
    private static func encoded(_ text: String, keeping kept: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where kept.utf8.contains(byte): result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// What stays the same from run to run, for programs that compare runs: a hash.
    static func fingerprint(_ parts: [String]) -> String {
        SHA256.digest(Array(parts.joined(separator: "\u{0}").utf8)).prefix(16)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
