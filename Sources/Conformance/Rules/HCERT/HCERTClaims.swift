import Containers
import Credentials
import Encodings
import FHIR
import HealthCertificates

extension Rule {
    /// The rules of the payload's claims.
    static let hcertClaimRules: [Rule] = [
        claimsPayload, claimsForm, claimsIssuer, claimsIssued, claimsExpires, claimsNotBefore, claimsOrder,
        claimsNumber, claimsContent, unsupportedContent, hcertNotYetValid, hcertExpired, certificateCode,
    ]

    static let claimsPayload = Rule("hcert-claim-error/payload", RuleCheck.hcertPayload) { .unread($0.claims) }

    static let claimsForm = Rule("hcert-claim-error/form", RuleCheck.hcertPayload) { payload in
        guard let claims = payload.read else { return [] }
        // Texts around a health link have a rule of their own.
        let problem = claims.found?.kind.isLenient == false ? claims.payload.keyProblem : nil
        // Of a claim that is required, its own rule says it.
        let isRequired = claims.expires.failure != nil
        let nulls = claims.payload.nullClaims.filter { $0.number != CWTClaims.Claim.expires || !isRequired }
        return [problem].compactMap { $0.map { Problem($0, path: "hcert") } }
            + nulls.map { Problem("\($0.name) is null") }
    }

    static let claimsIssuer = Rule("hcert-claim-error/iss", RuleCheck.hcertPayload) { payload in
        switch payload.read?.issuer {
        case .failure(let failure)?: return .found(failure.message, path: "iss")
        case .success(let issuer?)?:
            // Other contents may have any issuer.
            guard payload.read?.found?.kind.isIssuedByCountry ?? true else { return [] }
            let isUpperCase = issuer.utf8.allSatisfy { (0x41...0x5A).contains($0) }
            guard !issuer.isCountry || !isUpperCase else { return [] }
            return .found(
                "`iss` (claim 1) is \(issuer.quoted(upTo: 80)), not a country as two capital letters", path: "iss",
                severity: issuer.isCountry ? .warning : nil)
        default: return []
        }
    }

    static let claimsIssued = Rule("hcert-claim-error/iat", RuleCheck.hcertPayload) { payload in
        .unread(payload.read?.issued, path: "iat")
    }

    static let claimsExpires = Rule("hcert-claim-error/exp", RuleCheck.hcertPayload) { payload in
        // That of a health link is judged with its other times.
        payload.link == nil ? .unread(payload.read?.expires, path: "exp") : []
    }

    static let claimsNotBefore = Rule("hcert-claim-error/nbf", RuleCheck.hcertPayload) { payload in
        .unread(payload.read?.notBefore, path: "nbf")
    }

    static let claimsOrder = Rule("hcert-claim-error/order", RuleCheck.hcertPayload) { payload in
        guard let claims = payload.read, let expires = payload.expires else { return [] }
        let begins: [(name: String, date: NumericDate?)] = [
            ("iat", payload.issued), ("nbf", (try? claims.notBefore.get()) ?? nil),
        ]
        return begins.compactMap { name, begin in
            guard let begin, expires < begin else { return nil }
            return Problem("`exp` is \(expires), which is before `\(name)`, \(begin)", path: "exp")
        }
    }

    /// A warning: verifiers accept floats.
    static let claimsNumber = Rule("hcert-claim-error/integer", RuleCheck.hcertPayload) { payload in
        guard let claims = payload.read else { return [] }
        let dates = [
            ("iat", CWTClaims.Claim.issued, payload.issued), ("exp", CWTClaims.Claim.expires, payload.expires),
        ]
        return dates.compactMap { name, number, date in
            guard date != nil, claims.map[number]?.float != nil else { return nil }
            return Problem("`\(name)` is a float and not an integer", path: name)
        }
    }

    static let claimsContent = Rule("hcert-claim-error/hcert", RuleCheck.hcertPayload) { payload in
        // WHO's DDCC has its members in the payload.
        guard let claims = payload.read, claims.unsupported == nil else { return [] }
        return .unread(claims.container, path: "hcert") + .unread(claims.content, path: "hcert")
    }

    static let unsupportedContent = Rule("unsupported-credential/content", RuleCheck.hcertPayload) { payload in
        guard let words = payload.read?.unsupported else { return [] }
        return .found(words, path: "hcert")
    }

    // MARK: Dates that depend on the day

    /// A warning, because it depends on the day.
    static let hcertNotYetValid = Rule("not-yet-valid/certificate", RuleCheck.hcertPayload) { payload in
        guard let claims = payload.read else { return [] }
        let now = payload.policy.now
        if let issued = payload.issued, issued > now {
            return .found(
                "the certificate is valid only from \(issued) (`iat`); it was checked for \(now)", path: "iat")
        }
        guard let begin = (try? claims.notBefore.get()) ?? nil, begin > now else { return [] }
        return .found("the certificate is valid only from \(begin) (`nbf`); it was checked for \(now)", path: "nbf")
    }

    /// A warning, because it depends on the day and no requirement is violated.
    static let hcertExpired = Rule("expiration-error/certificate", RuleCheck.hcertPayload) { payload in
        guard let expires = payload.expires, expires < payload.policy.now else { return [] }
        return .found(
            "the certificate expired at \(expires) (`exp`); it was checked for \(payload.policy.now)", path: "exp")
    }

    /// A warning: a code may be newer than the lists. Countries go by their form, since others than those of the EU's list take part.
    static let certificateCode = Rule("code-unknown/certificate", RuleCheck.hcertPayload) { payload in
        guard let (group, record) = payload.dcc?.record else { return [] }
        let sets: [(member: String, set: EUValueSet)] =
            switch group {
            case .vaccination: [("tg", .disease), ("vp", .prophylaxis), ("mp", .product), ("ma", .holder)]
            case .test: [("tg", .disease), ("tt", .testType), ("tr", .testResult), ("ma", .device)]
            case .recovery: [("tg", .disease)]
            }
        let path = { (member: String) in "hcert.1.\(group.rawValue)[0].\(member)" }
        let unknown = sets.compactMap { member, set -> Problem? in
            guard let code = record[member]?.plainText, payload.policy.codeNames.name(of: code, in: set) == nil else {
                return nil
            }
            return Problem("the code \(code.quoted(upTo: 40)) of `\(member)` is in no known list", path: path(member))
        }
        let isCapital = { (byte: UInt8) in (0x41...0x5A).contains(byte) }
        // Of a text without capital letters, the schema's rule says it.
        guard let country = record["co"]?.plainText, country.utf8.contains(where: isCapital),
            !(2...3).contains(country.utf8.count) || !country.utf8.allSatisfy(isCapital)
        else { return unknown }
        return unknown + [Problem("`co` is \(country.quoted(upTo: 40)), and no country code", path: path("co"))]
    }

    /// The rules of the content: the EU's JSON schema, and the identifier of the certificate.
    static let dccSchemaRules: [Rule] = [
        schema("version", .version), schema("record", .recordCount), schema("required", .missing),
        schema("type", .otherType), schema("name", .name), schema("date", .date), schema("value", .value),
        identifierCheck,
    ]

    /// The rule that the content does not violate the schema in one way.
    private static func schema(_ name: String, _ kind: DCCSchemaProblem.Kind) -> Rule {
        Rule("dcc-schema-error/\(name)", RuleCheck.dcc) { content in
            content.schema.problems.filter { $0.kind == kind }.map { Problem($0.message, path: $0.path) }
        }
    }

    /// A warning: verifiers do not look at it, and half of the real identifiers are wrong.
    static let identifierCheck = Rule("uvci-check-character/luhn", RuleCheck.dcc) { content in
        content.schema.records.compactMap { group, record in
            guard let identifier = record["ci"]?.text,
                let message = IdentifierCheck.problem(with: identifier)
            else { return nil }
            return Problem(message, path: "\(group.rawValue)[0].ci")
        }
    }

    /// The rules of WHO's vaccination certificates (ICVP): the logical model of 2025.
    static let icvpRules: [Rule] = [
        model("required", .missing, .count), model("type", .otherType, .null), model("date", .date),
        model("product", .product), model("issuer", .issuer),
        // A warning: all public certificates have a map, and verifiers read it.
        model("array", .notArray),
        // A warning: verifiers ignore such members.
        model("member", .unknownMember),
        // A warning: verifiers read both shapes.
        model("shape", .oldShape),
    ]

    /// The rule that the content does not violate the model in certain ways, which are reported in order.
    private static func model(_ name: String, _ kinds: ICVPProblem.Kind...) -> Rule {
        Rule("icvp-schema-error/\(name)", RuleCheck.icvp) { content in
            kinds.flatMap { kind in content.model.problems.filter { $0.kind == kind } }
                .map { Problem($0.message, path: $0.path) }
        }
    }

    /// The rules of health links in certificates. What is in the payload of the link has the rules of all links.
    static let hcertLinkRules: [Rule] = [
        hcertLinkClaimKey, hcertLinkKeyID, hcertLinkTime, hcertLinkArray, hcertLinkScheme, hcertLinkEncoding,
        hcertLinkKind,
    ]

    static let hcertLinkClaimKey = Rule("hcert-link-error/claim-key", RuleCheck.hcertPayload) { payload in
        guard payload.link != nil, let claims = payload.read else { return [] }
        return claims.payload.textKeys.isEmpty
            ? [] : .found("claims stand under texts instead of numbers", path: "hcert")
    }

    static let hcertLinkKeyID = Rule("hcert-link-error/kid", RuleCheck.cose) { message in
        guard case .success((_, isText: true))? = message.reading.namedKey else { return [] }
        return .found("`kid` is a text in base64 instead of a byte string", path: "kid")
    }

    static let hcertLinkTime = Rule("hcert-link-error/time", RuleCheck.hcertPayload) { payload in
        guard payload.link != nil, let claims = payload.read else { return [] }
        return claims.payload.namesInMilliseconds.map { name in
            Problem("`\(name)` is in milliseconds instead of seconds", path: name)
        } + .unread(claims.expires, path: "exp")
    }

    static let hcertLinkArray = Rule("hcert-link-error/array", RuleCheck.hcertPayload) { payload in
        guard case .success(let link)? = payload.link, link.deviations.contains(.array) else { return [] }
        return .found("the health link is the member `u` of a map in an array, instead of a text", path: "hcert.5")
    }

    static let hcertLinkScheme = Rule("hcert-link-error/scheme", RuleCheck.hcertPayload) { payload in
        switch payload.link {
        case .failure(let failure)?: .found(failure.message, path: "hcert.5")
        case .success(let link)? where link.deviations.contains(.form):
            .found("the scheme of the health link is in upper case, or two slashes follow it", path: "hcert.5")
        default: []
        }
    }

    static let hcertLinkEncoding = Rule("hcert-link-error/encoding", RuleCheck.hcertPayload) { payload in
        guard case .success(let link)? = payload.link else { return [] }
        let reading = HealthLink(inCertificate: link.text, scheme: link.scheme.rawValue)
        return reading.warnings.filter { $0.code == .linkEncoding }.map { Problem($0.message, path: "hcert.5") }
    }

    /// A warning: WHO's page has such links, and the model has others.
    static let hcertLinkKind = Rule("hcert-link-error/kind", RuleCheck.hcertPayload) { payload in
        guard case .success(let link)? = payload.link, link.scheme == .shlink else { return [] }
        return .found("the health link is a SMART Health Link (shlink:/)", path: "hcert.5")
    }
}

extension UTF8Text {
    /// Whether the text can be the code of a country: two letters, in upper or lower case.
    var isCountry: Bool { utf8.count == 2 && utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) } }
}

/// The check character of certificates' identifiers (UVCI): the Luhn algorithm modulo 38.
enum IdentifierCheck {
    private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/:".utf8)

    /// What is wrong with the check character of an identifier; nil if it is right, or if there is none.
    static func problem(with identifier: ArraySlice<UInt8>) -> String? {
        // Longer identifiers violate the schema.
        guard let sign = identifier.lastIndex(of: UInt8(ascii: "#")), identifier.count <= 1000 else { return nil }
        let check = identifier[(sign + 1)...]
        guard check.count == 1, let found = check.first else {
            return "the identifier has a #, after which there is not one check character but \(check.count) bytes"
        }
        guard let expected = character(for: identifier[..<sign]) else {
            return
                "the identifier has a check character, but also characters before # that have no value for it: only A to Z, 0 "
                + "to 9, / and : have one"
        }
        guard found != expected else { return nil }
        return "the check character of the identifier is wrong: it should be \(UnicodeScalar(expected))"
    }

    /// The check character for a text; nil if a character has no value.
    static func character(for text: ArraySlice<UInt8>) -> UInt8? {
        let count = characters.count
        var sum = 0
        var factor = 2
        for byte in text.reversed() {
            guard let value = characters.firstIndex(of: byte) else { return nil }
            let product = value * factor
            sum += product / count + product % count
            factor = 3 - factor
        }
        return characters[(count - sum % count) % count]
    }
}
