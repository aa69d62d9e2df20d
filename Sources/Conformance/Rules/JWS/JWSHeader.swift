import Cryptography
import Encodings
import SMARTHealthCards

extension Rule {
    static let headerJSON = Rule(
        "jws-header-error", "json", .rfc(7515, "4"),
        requirement: "The header is JSON in which no member occurs twice.",
        remedy: #"Write the header as {"zip":"DEF","alg":"ES256","kid":"…"}."#,
        check: .header { header in
            guard let error = header.json.error else { return [] }
            return .found("the JWS header is not acceptable JSON: \(error)", offset: error.offset)
        })

    static let headerObject = Rule(
        "jws-header-error", "object", .rfc(7515, "4"),
        requirement: "The header is a JSON object.",
        remedy: #"Write the header as {"zip":"DEF","alg":"ES256","kid":"…"}."#,
        check: .header { header in
            guard let value = header.value, value.kind != .object else { return [] }
            return .found("the JWS header is not a JSON object but \(value.described)", at: value)
        })

    static let headerAlgorithm = headerMember(
        "alg", "ES256", requirement: "The header has `alg` with the value ES256.",
        remedy: "Sign with ES256, and write ES256 into `alg` before you sign.")

    static let headerCompression = headerMember(
        "zip", "DEF", requirement: "The header has `zip` with the value DEF.",
        remedy: "Compress the payload with raw DEFLATE, and write DEF into `zip` before you sign.")

    /// The rule that the header has a member with one value.
    private static func headerMember(_ name: String, _ expected: String, requirement: String, remedy: String) -> Rule {
        Rule(
            "jws-header-error", name, "SHC-J1", requirement: requirement, remedy: remedy,
            check: .header { header in
                guard let value = header.value, value.kind == .object else { return [] }
                guard let found = value[name] else {
                    return .found("the JWS header has no `\(name)`", at: value, member: name)
                }
                return found.isString(expected)
                    ? [] : .found("`\(name)` in the JWS header is \(found.excerpt), not \"\(expected)\"", at: found)
            })
    }

    static let headerKeyID = Rule(
        "jws-header-error", "kid", "SHC-J1",
        requirement: "The header has `kid`, a string that names the key.",
        remedy: "Write the thumbprint of the key (RFC 7638) into `kid`, as in the published key set.",
        check: .header { header in
            guard let value = header.value, value.kind == .object else { return [] }
            guard let found = value["kid"] else {
                return .found("the JWS header has no `kid`", at: value, member: "kid")
            }
            guard let text = found.stringBytes else {
                return .found("`kid` in the JWS header is not a string but \(found.excerpt)", at: found)
            }
            return text.isEmpty ? .found("`kid` in the JWS header is empty", at: found) : []
        })

    static let headerKeyIDForm = Rule(
        "jws-header-error", "kid-form", "SHC-K2",
        requirement: "`kid` is the SHA-256 thumbprint of the key in base64url, which has 43 characters.",
        remedy: "Compute the thumbprint as in RFC 7638, and write it in base64url without padding.",
        check: .header { header in
            guard let found = header.value?["kid"], let text = found.stringBytes, !text.isEmpty else { return [] }
            let isThumbprint = text.count == 43 && text.allSatisfy(\.isOfBase64URL)
            return isThumbprint
                ? [] : .found("`kid` in the JWS header is not a thumbprint: \(found.excerpt)", at: found)
        })

    static let headerCritical = Rule(
        "jws-header-error", "crit", .rfc(7515, "4.1.11"),
        requirement: "The header has no `crit`: there are no extensions that a verifier must understand.",
        remedy: "Remove `crit`. Verifiers have to reject the card because of it.",
        check: .header { header in
            header.value?["crit"].map {
                [Problem("the JWS header has `crit`, so verifiers have to reject the card", at: $0)]
            } ?? []
        })

    static let headerKeys = Rule(
        "key-in-header", "key-members", "SHC-J1", severity: .warning,
        requirement: "The header contains neither a key nor the address of one. Keys come from the issuer's key set.",
        remedy: "Remove `jwk`, `jku`, `x5u` and `x5c`. Verifiers must not use them, and they make the card larger.",
        check: .header { header in
            ["jwk", "jku", "x5u", "x5c"].compactMap { name in
                header.value?[name].map {
                    Problem("the JWS header has `\(name)`, which verifiers must not use", at: $0)
                }
            }
        })
}

extension UInt8 {
    /// Whether the byte is a character of base64url.
    fileprivate var isOfBase64URL: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
