import Encodings

extension Rule {
    static let headerJSON = Rule("jws-header-error/json", RuleCheck.header) { header in
        guard let error = header.json.error else { return [] }
        return .found("the JWS header is not acceptable JSON: \(error)", offset: error.offset)
    }

    static let headerObject = Rule("jws-header-error/object", RuleCheck.header) { header in
        guard let value = header.value, value.kind != .object else { return [] }
        return .found("the JWS header is not a JSON object but \(value.described)", at: value)
    }

    static let headerAlgorithm = headerMember("alg", "ES256")

    static let headerCompression = headerMember("zip", "DEF")

    /// The rule that the header has a member with one value.
    private static func headerMember(_ name: String, _ expected: String) -> Rule {
        Rule("jws-header-error/\(name)", RuleCheck.header) { header in
            guard let value = header.value, value.kind == .object else { return [] }
            guard let found = value[name] else {
                return .found("the JWS header has no `\(name)`", at: value, member: name)
            }
            return found.isString(expected)
                ? [] : .found("`\(name)` in the JWS header is \(found.excerpt), not \"\(expected)\"", at: found)
        }
    }

    static let headerKeyID = Rule("jws-header-error/kid", RuleCheck.header) { header in
        guard let value = header.value, value.kind == .object else { return [] }
        guard let found = value["kid"] else {
            return .found("the JWS header has no `kid`", at: value, member: "kid")
        }
        guard let text = found.stringBytes else {
            return .found("`kid` in the JWS header is not a string but \(found.excerpt)", at: found)
        }
        return text.isEmpty ? .found("`kid` in the JWS header is empty", at: found) : []
    }

    static let headerKeyIDForm = Rule("jws-header-error/kid-form", RuleCheck.header) { header in
        guard let found = header.value?["kid"], let text = found.stringBytes, !text.isEmpty else { return [] }
        let isThumbprint = text.count == 43 && text.allSatisfy(\.isOfBase64URL)
        return isThumbprint
            ? [] : .found("`kid` in the JWS header is not a thumbprint: \(found.excerpt)", at: found)
    }

    static let headerCritical = Rule("jws-header-error/crit", RuleCheck.header) { header in
        header.value?["crit"].map {
            [Problem("the JWS header has `crit`, so verifiers have to reject the card", at: $0)]
        } ?? []
    }

    static let headerKeys = Rule("key-in-header/key-members", RuleCheck.header) { header in
        ["jwk", "jku", "x5u", "x5c"].compactMap { name in
            header.value?[name].map {
                Problem("the JWS header has `\(name)`, which verifiers must not use", at: $0)
            }
        }
    }
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
