import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

extension Rule {
    /// The rules of the JWS, its header and its signature.
    static let jwsRules: [Rule] = [
        jwsParts, jwsEncoding, jwsLength, headerJSON, headerObject, headerCritical, headerAlgorithm, headerCompression,
        headerKeyID, headerKeyIDForm, headerKeys, rawDeflate, signatureLength, signatureRange,
    ]

    static let jwsParts = Rule("json-parse-error/jws-parts", RuleCheck.jws) { jws in
        guard jws.reading.partCount != 3, !jws.isCut || jws.reading.partCount > 3 else { return [] }
        let parts = jws.reading.partCount.counted("part")
        let guess =
            jws.reading.partCount == 5
            ? "; it may be a JWE" : jws.reading.partCount < 3 ? "; was the text cut off?" : ""
        return .found("the JWS has \(parts), not 3\(guess)")
    }

    /// The problem of a text with several JWS. No other rule can judge it.
    static let severalJWS = Problem(
        "the input is several JWS, each in a line of its own, as --lines takes them",
        remedy: "Lint each line as an input of its own: lint --lines FILE.")

    static let jwsEncoding = Rule("json-parse-error/jws-encoding", RuleCheck.jws) { jws in
        zip(["header", "payload", "signature"], jws.reading.parts).compactMap { name, part in
            guard let error = part.error, !(jws.isCut && part.range.upperBound == jws.document.text.count) else {
                return nil
            }
            let place = Base64Error(error.reason, at: part.range.lowerBound + error.offset)
            return Problem("the \(name) of the JWS is not base64url: \(place)", offset: place.offset)
        }
    }

    static let jwsLength = Rule("jws-too-long/single-code", RuleCheck.jws) { jws in
        let count = jws.document.text.count
        return count > Bounds.singleQRLength
            ? .found("the JWS has \(count) characters, too many for a single QR code") : []
    }

    static let rawDeflate = Rule("inflation-error/raw-deflate", RuleCheck.jwsContent) { jws in
        guard let error = jws.reading.compressionError, !(jws.isCut && jws.reading.parts.count < 3) else {
            return []
        }
        return .found(
            "the payload of the JWS is not compressed as required: \(error)",
            offset: jws.reading.parts[1].range.lowerBound)
    }

    // MARK: Signature

    static let signatureLength = Rule("signature-format-error/length", RuleCheck.jwsContent) { jws in
        guard let error = jws.signatureError, case .wrongLength = error else { return [] }
        return .found("\(error)", offset: jws.reading.parts[2].range.lowerBound)
    }

    static let signatureRange = Rule("signature-format-error/range", RuleCheck.jwsContent) { jws in
        guard let error = jws.signatureError, case .outOfRange = error else { return [] }
        return .found("\(error)", offset: jws.reading.parts[2].range.lowerBound)
    }

    // MARK: The header

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
        let isThumbprint = text.count == 43 && text.allSatisfy(RevocationID.isInAlphabet)
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

extension JWSSubject {
    /// Why the signature cannot be one of ES256; nil if it can, or if there is none to judge.
    fileprivate var signatureError: ES256SignatureError? {
        guard !isCut, let signature = reading.signature, reading.parts[2].error == nil else { return nil }
        return Result { () throws(ES256SignatureError) in try ES256Signature(signature) }.failure
    }
}
