import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

extension Rule {
    /// The rules of key sets and keys.
    static let keyRules: [Rule] = [
        keySet, keySetMembers, keyMembers, keyType, keyAlgorithm, keyUse, keyCurve, keyID, keyCoordinates, keyPoint,
        keyOperations, keyPrivate, keyRepeats, keyCandidates, keyListVersion, certificateEncoding, certificateKey,
        certificateName, certificateDates, certificateChain, certificateAnchor,
    ]

    // MARK: The set

    static let keySet = Rule("invalid-key-schema/key-set", RuleCheck.keySet) { set in
        guard set.value.kind == .object else {
            return .found("the key set is not a JSON object but \(set.value.excerpt)", at: set.value)
        }
        guard let keys = set.value["keys"] else {
            let words =
                set.value["kty"] == nil
                ? "the key set has no member `keys`"
                : "this is a single key, not a key set with an array `keys`"
            return .found(words, at: set.value, member: "keys")
        }
        guard let elements = keys.elements else {
            return .found("`keys` of the key set is not an array but \(keys.excerpt)", at: keys)
        }
        guard elements.count > 0 else {
            return .found("the key set is empty, so no card can be verified", at: keys)
        }
        var problems = elements.lazy.filter { $0.kind != .object }.prefix(Bounds.problems)
            .map { Problem("a key of the set is not an object but \($0.excerpt)", at: $0) }
        if elements.count > Bounds.keysOfSet {
            problems.add(
                "the key set has \(elements.count) keys; only the first \(Bounds.keysOfSet) were checked", at: keys)
        }
        return problems
    }

    /// Nobody needs what is published beside the keys, and it may be something that should not be public.
    static let keySetMembers = Rule("invalid-key-schema/key-set-members", RuleCheck.keySet) { set in
        guard set.value["keys"] != nil, let members = set.value.members else { return [] }
        return members.compactMap { name, value in
            name == "keys"
                ? nil
                : Problem("the key set has the member \(name.quoted(upTo: 40)), which no verifier reads", at: value)
        }
    }

    static let keyRepeats = Rule("invalid-key-schema/repeats", RuleCheck.keySet) { set in
        var seen: Set<[[UInt8]?]> = []
        return set.keys.compactMap { key in
            guard let point = key.point else { return nil }
            let leaf = key.value["x5c"]?.elements?.first { _ in true }?.stringBytes
            guard !seen.insert([point.x, point.y, key.key.keyID?.bytes, leaf]).inserted else { return nil }
            return Problem(
                "an earlier entry of the set is the same key with the same `kid` and certificate", at: key.value)
        }
    }

    /// Verifiers try only some of the keys, so cards that are signed with the others are not accepted.
    static let keyCandidates = Rule("invalid-key-wrong-kid/candidates", RuleCheck.keySet) { set in
        var points: [KeyID: Set<[[UInt8]]>] = [:]
        var problems: [Problem] = []
        for key in set.keys {
            guard let keyID = key.key.keyID, let point = key.point,
                points[keyID, default: []].insert([point.x, point.y]).inserted,
                points[keyID]?.count == JWKSet.maximumCandidates + 1
            else { continue }
            problems.add(
                "more than \(JWKSet.maximumCandidates) keys of the set have the `kid` "
                    + "\(keyID.description.quoted()); of these, verifiers try only \(JWKSet.maximumCandidates)",
                at: key.value["kid"] ?? key.value)
        }
        return problems
    }

    // MARK: Members of any key

    /// Parsers may fail on these, whatever the key is for.
    static let keyMembers = Rule("invalid-key-schema/members", RuleCheck.key) { key in
        var problems: [Problem] = []
        for name in ["kty", "kid", "use", "alg", "crv", "x", "y", "x5u", "x5t", "x5t#S256"] {
            guard let member = key.value[name], member.kind != .string else { continue }
            problems.add("`\(name)` of the key is not a string but \(member.excerpt)", at: member)
        }
        if let operations = key.value["key_ops"] {
            if let element = operations.elements?.first(where: { $0.kind != .string }) {
                problems.add("`key_ops` of the key contains \(element.excerpt), which is not a string", at: element)
            } else if operations.kind != .array {
                problems.add("`key_ops` of the key is not an array but \(operations.excerpt)", at: operations)
            }
        }
        return problems
    }

    /// Applies to keys that are not for cards, too: a private key that was published is no longer secret.
    static let keyPrivate = Rule("invalid-key-private/private", RuleCheck.key) { key in
        if let secret = key.value["d"] {
            return .found(
                "the key is published with its private part (`d`), so anyone can sign cards with it; it has to "
                    + "be withdrawn", at: secret)
        }
        if key.value["kty"]?.isString("oct") == true, let secret = key.value["k"] {
            return .found("a symmetric key is published (`k`), so anyone can use it", at: secret)
        }
        if let name = JWK.privateMember(in: key.value), let secret = key.value[name] {
            return .found(
                "the key is published with a part of its private half (`\(name)`), so anyone can sign with it; it has to be "
                    + "withdrawn", at: secret)
        }
        return key.compromiseObjection.map { [Problem($0.message, at: key.value)] } ?? []
    }

    // MARK: Members of a key for cards

    /// Keys of other types may be in the set as well (SHC-K6).
    static let keyType = Rule("invalid-key-wrong-kty/kty", RuleCheck.key) { $0.violation(of: "kty", not: "EC") }

    /// Some verifiers ignore keys without it.
    static let keyAlgorithm = Rule("invalid-key-wrong-alg/alg", RuleCheck.key) { key in
        // For a key of another type or curve, a missing `alg` is not the problem.
        guard key.value["alg"] != nil || key.mayBeOnP256 else { return [] }
        return key.violation(of: "alg", not: "ES256")
    }

    /// Some verifiers ignore keys without it.
    static let keyUse = Rule("invalid-key-wrong-use/use", RuleCheck.key) { $0.violation(of: "use", not: "sig") }

    /// ES256 is defined only for this curve (RFC 7518 §3.4).
    static let keyCurve = Rule("invalid-key-wrong-crv/crv", RuleCheck.key) { $0.violation(of: "crv", not: "P-256") }

    /// A key for cards needs no `key_ops`, but some libraries write it.
    static let keyOperations = Rule("invalid-key-schema/key-ops", RuleCheck.key) { key in
        guard key.isForCards, let operations = key.value["key_ops"], let elements = operations.elements,
            elements.allSatisfy({ $0.kind == .string })
        else { return [] }
        guard elements.contains(where: { $0.isString("verify") }) else {
            return .found(
                "`key_ops` of the key does not contain \"verify\", so the key must not verify cards", at: operations
            )
        }
        if Set(elements.compactMap(\.stringBytes)).count < elements.count {
            return .found("`key_ops` of the key contains a value twice", at: operations)
        }
        if let other = elements.first(where: { !$0.isString("verify") }) {
            return .found(
                "`key_ops` of the key contains \(other.excerpt), but a public signing key can only verify",
                at: other, severity: .warning)
        }
        guard key.value["use"] != nil else { return [] }
        return .found("the key has both `use` and `key_ops`; `use` is enough", at: operations, severity: .warning)
    }

    /// Verifiers also read a string of digits.
    static let keyListVersion = Rule("invalid-key-schema/crl-version", RuleCheck.key) { key in
        guard key.isForCards else { return [] }
        guard let version = key.value["crlVersion"] else {
            guard let counter = key.value["ctr"] else { return [] }
            return .found(
                "the key has `ctr`, which is a member of revocation lists; in a key it is `crlVersion`",
                at: counter, severity: .warning)
        }
        return RevocationCounter.problems(with: version, "`crlVersion` of the key")
    }

    // MARK: The point, and the ID that is computed from it

    /// With thumbprints as ids, no two keys of any issuers have the same id.
    static let keyID = Rule("invalid-key-wrong-kid/thumbprint", RuleCheck.key) { key in
        guard key.isForCards else { return [] }
        guard let found = key.value["kid"] else {
            return .found("the key has no `kid`, so no card can name it", at: key.value, member: "kid")
        }
        guard let written = key.key.keyID, let point = key.point, key.value["kty"] != nil, key.value["crv"] != nil,
            written != point.thumbprint
        else { return [] }
        var words = "`kid` is \(found.excerpt), but the thumbprint of the key is \"\(point.thumbprint)\""
        if let hint = key.thumbprintHint { words += "; \(hint)" }
        if key.sharesID { words += "; another key of the set has the same `kid`" }
        return .found(words, at: found)
    }

    /// Libraries that use numbers drop leading zeros, which one key in 128 has.
    static let keyCoordinates = Rule("invalid-key-schema/coordinates", RuleCheck.key) { key in
        guard key.isForCards else { return [] }
        return [("x", key.x), ("y", key.y)].compactMap { name, coordinate in
            switch coordinate {
            case nil, .ofOtherType: return nil
            case .missing: return Problem("the key has no `\(name)`", at: key.value, member: name)
            case .notBase64URL(let error, _):
                return Problem("`\(name)` of the key is not base64url: \(error)", at: key.value[name])
            case .bytes(let bytes):
                guard bytes.count != P256Point.coordinateLength else { return nil }
                var words = "`\(name)` of the key has \(bytes.count) bytes, not 32"
                if bytes.count == P256Point.coordinateLength - 1, key.point != nil {
                    words += "; the leading zero is missing"
                }
                if bytes.count == P256Point.coordinateLength + 1, bytes.first == 0 {
                    words += "; there is one leading zero too many"
                }
                return Problem(words, at: key.value[name])
            }
        }
    }

    static let keyPoint = Rule("invalid-key-schema/point", RuleCheck.key) { key in
        guard key.isForCards, key.point == nil, let x = key.x?.padded, let y = key.y?.padded else { return [] }
        let isSwapped = (try? P256PublicKey(x: y, y: x)) != nil
        return .found(
            "`x` and `y` of the key are not a point on P-256" + (isSwapped ? "; they are exchanged" : ""),
            at: key.value)
    }

    /// This is the one place in JOSE that uses base64 instead of base64url.
    static let certificateEncoding = Rule("invalid-key-x5c/encoding", RuleCheck.key) { key in
        key.chain?.problem.map { [$0] } ?? []
    }

    /// Otherwise verifiers reject the key, even those that do not use certificates.
    static let certificateKey = Rule("invalid-key-x5c/leaf-key", RuleCheck.key) { key in
        guard let chain = key.chain, let leaf = chain.encoded.first, !chain.certificates.isEmpty,
            let point = key.point
        else { return [] }
        switch point.matches(certificate: leaf) {
        case .same: break
        case .different:
            let index = chain.encoded.firstIndex { point.matches(certificate: $0) == .same }
            let hint = index.map { "; element \($0) is for this key and has to be the first" } ?? ""
            return .found("the first certificate in `x5c` is for another key than `x` and `y`\(hint)", at: chain.value)
        case .unreadable:
            return .found("the public key of the first certificate in `x5c` cannot be read", at: chain.value)
        }
        let reasons: Set<CertificateError.Reason> = [.keyUsage, .malformed]
        return key.leafProblems.filter { reasons.contains($0.reason) }
            .map { Problem($0.message, at: chain.value) }
    }

    /// A host name (dNSName) is not enough: one host may serve several issuers, since the path is part of an issuer's
    /// URL.
    static let certificateName = Rule("invalid-key-x5c/issuer-name", RuleCheck.key) { key in
        guard let chain = key.chain, let leaf = chain.certificates.first else { return [] }
        let names = leaf.names
        let hasURI = names.contains { if case .uri = $0 { true } else { false } }
        guard hasURI else {
            let words = names.first.map { ", only \($0)" } ?? ""
            return .found(
                "the Subject Alternative Name of the first certificate in `x5c` has no URI\(words), so it does "
                    + "not name the issuer", at: chain.value)
        }
        guard key.issuer != nil else { return [] }
        return key.leafProblems.filter { $0.reason == .otherName }.map { Problem($0.message, at: chain.value) }
    }

    /// A warning, because it depends on the day. Cards may be in use longer than the certificate of their key is valid.
    static let certificateDates = Rule("invalid-key-x5c/dates", RuleCheck.key) { key in
        guard let chain = key.chain else { return [] }
        let moment = key.policy.now.sinceEpoch.components.seconds
        return chain.certificates.enumerated().flatMap { depth, certificate in
            certificate.problems(at: moment, depth: depth)
        }.map { Problem($0.message, at: chain.value, severity: $0.reason == .malformed ? .error : nil) }
    }

    /// Checks only whether the certificates belong together. Whether they are trusted is another rule's question.
    static let certificateChain = Rule("invalid-key-x5c/chain", RuleCheck.key) { key in
        guard let chain = key.chain, chain.certificates.count > 1 else { return [] }
        guard !chain.hasTooManyNeighbours else {
            return .found(
                "the chain in `x5c` was not checked, because more than \(Bounds.certifiedEntries) keys of the "
                    + "set have certificates", at: chain.value, severity: .warning)
        }
        let certificates = chain.certificates
        for index in certificates.indices.dropLast() {
            let certificate = certificates[index]
            let next = certificates[index + 1]
            let name = "the certificate \(certificate.subject) (element \(index) of `x5c`)"
            guard certificate.isSigned(by: next) else {
                var words = "\(name) is not signed by the next certificate"
                let signer = certificates.indices.first { certificate.isSigned(by: certificates[$0]) }
                if let signer {
                    words +=
                        signer == index
                        ? ": it is self-signed, so the certificates after it do not belong to it"
                        : " but by element \(signer): the chain is out of order"
                } else if certificate.namesAsIssuer(next) {
                    words += ", although it names that as its issuer"
                } else {
                    words += ": its issuer is \(certificate.issuer), but the next certificate is \(next.subject)"
                }
                return .found(words, at: chain.value)
            }
            guard next.isAuthority else {
                return .found(
                    "\(name) is signed by the next certificate, \(next.subject), which is not a certificate "
                        + "authority", at: chain.value)
            }
        }
        return []
    }

    /// Applies only with anchors (`--anchor`). It does not repeat what other rules say of the certificates.
    static let certificateAnchor = Rule("invalid-key-x5c/anchor", RuleCheck.key) { key in
        guard let chain = key.chain, !chain.hasTooManyNeighbours, let point = key.point,
            let anchors = key.policy.trustedIssuers.anchors, let leaf = chain.certificates.first
        else { return [] }
        // If the issuer is unknown, the URI in the certificate is taken for it.
        let named = leaf.names.lazy.compactMap { name -> String? in
            if case .uri(let bytes) = name { String(decoding: bytes, as: UTF8.self) } else { nil }
        }.first
        guard let issuer = key.issuer?.url ?? named else { return [] }
        do throws(CertificateError) {
            _ = try anchors.validate(
                chain.encoded, of: point, for: issuer, at: key.policy.now.sinceEpoch.components.seconds)
            return []
        } catch {
            switch error.reason {
            case .otherKey, .otherName, .malformed, .tooLarge, .noCertificate, .unusableKey: return []
            case .keyUsage where error.depth == 0: return []
            case .expired, .notYetValid: return .found(error.message, at: chain.value, severity: .warning)
            default: return .found(error.message, at: chain.value)
            }
        }
    }
}

extension RevocationCounter {
    /// What is wrong with the counter of a revocation list, or with what its key says of it.
    ///
    /// - Parameter name: what the value is called.
    static func problems(with value: JSONValue, _ name: String) -> [Problem] {
        guard let counter = RevocationCounter(value) else {
            return .found("\(name) is not a whole number but \(value.excerpt)", at: value)
        }
        if counter.description == "0" {
            return .found(
                "\(name) is 0; the counter begins with 1, and some verifiers take 0 for none", at: value,
                severity: .warning)
        }
        guard value.kind == .string else { return [] }
        return .found("\(name) is the string \(value.excerpt), not a number", at: value, severity: .warning)
    }
}

extension KeySubject {
    /// What the key's id is instead of the thumbprint; nil if that is unknown.
    fileprivate var thumbprintHint: String? {
        guard let keyID = key.keyID, let thumbprint = point?.thumbprint, keyID.bytes.count <= 128,
            let x = value["x"]?.string, let y = value["y"]?.string
        else { return nil }
        let digest = Base64URL.decodeLeniently(thumbprint.bytes[...])
        let letters = keyID.bytes.filter { $0 != UInt8(ascii: ":") }.map { (0x41...0x46).contains($0) ? $0 | 0x20 : $0 }
        if letters.elementsEqual(digest.hexadecimal.utf8) {
            return "`kid` is the thumbprint in hexadecimal, not in base64url"
        }
        if Base64URL.decodeLeniently(keyID.bytes[...]) == digest {
            return "`kid` is the thumbprint in base64 or with padding, not in base64url without padding"
        }
        let written = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        if keyID == KeyID(Base64URL.encode(SHA256.digest(Array(written.utf8)))) {
            return "`kid` was computed over coordinates in the wrong form"
        }
        return nil
    }
}
