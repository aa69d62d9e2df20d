import Containers
import Credentials
import Encodings
import HealthCertificates

extension Rule {
    /// The rules of health links in certificates. What is in the payload of the link has the rules of all links.
    static let hcertLinkRules: [Rule] = [
        hcertLinkClaimKey, hcertLinkKeyID, hcertLinkTime, hcertLinkArray, hcertLinkScheme, hcertLinkEncoding,
        hcertLinkKind,
    ]

    static let hcertLinkClaimKey = Rule(
        "hcert-link-error", "claim-key", "HCERT-L1",
        requirement: "The claims around a health link stand under numbers, as those of all certificates do.",
        remedy: "Encode the claims with integers as keys, not with texts such as \"6\".",
        check: .hcertPayload { payload in
            guard payload.link != nil, let claims = try? payload.claims.get() else { return [] }
            return claims.payload.textKeys.isEmpty
                ? [] : .found("claims stand under texts instead of numbers", path: "hcert")
        })

    static let hcertLinkKeyID = Rule(
        "hcert-link-error", "kid", "HCERT-L1",
        requirement: "`kid` (4) of the certificate around a health link is a byte string.",
        remedy: "Write the eight octets of the key ID, not their base64.",
        check: .cose { message in
            guard case .success((_, isText: true))? = message.reading.namedKey else { return [] }
            return .found("`kid` is a text in base64 instead of a byte string", path: "kid")
        })

    static let hcertLinkTime = Rule(
        "hcert-link-error", "time", "HCERT-L1",
        requirement: "`iat` and `exp` around a health link are there, and count seconds since 1970.",
        remedy: "Write both in seconds since 1970.",
        check: .hcertPayload { payload in
            guard payload.link != nil, let claims = try? payload.claims.get() else { return [] }
            var problems = claims.payload.namesInMilliseconds.map { name in
                Problem("`\(name)` is in milliseconds instead of seconds", path: name)
            }
            if case .failure(let failure) = claims.expires { problems += [Problem(failure.message, path: "exp")] }
            return problems
        })

    static let hcertLinkArray = Rule(
        "hcert-link-error", "array", "HCERT-L2",
        requirement: "A health link is a text under the key 5.",
        remedy: "Write {-260: {5: \"vhlink:/…\"}}.",
        check: .hcertPayload { payload in
            guard case .success(let link)? = payload.link, link.deviations.contains(.array) else { return [] }
            return .found("the health link is the member `u` of a map in an array, instead of a text", path: "hcert.5")
        })

    static let hcertLinkScheme = Rule(
        "hcert-link-error", "scheme", "HCERT-L2",
        requirement: "A health link begins with vhlink:/, in lower case and with one slash.",
        remedy: "Write vhlink:/ before the payload.",
        check: .hcertPayload { payload in
            switch payload.link {
            case .failure(let failure)?: .found(failure.message, path: "hcert.5")
            case .success(let link)? where link.deviations.contains(.form):
                .found("the scheme of the health link is in upper case, or two slashes follow it", path: "hcert.5")
            default: []
            }
        })

    static let hcertLinkEncoding = Rule(
        "hcert-link-error", "encoding", "HCERT-L2",
        requirement:
            "The payload of a health link is minified JSON in base64url without padding, and so is the key in it.",
        remedy: "Use a base64url encoder without padding, and minify the JSON.",
        check: .hcertPayload { payload in
            guard case .success(let link)? = payload.link else { return [] }
            let reading = LinkReading(inCertificate: link.text, scheme: link.scheme.rawValue)
            return reading.warnings.filter { $0.code == .linkEncoding }.map { Problem($0.message, path: "hcert.5") }
        })

    /// A warning: WHO's page has such links, and the model has others.
    static let hcertLinkKind = Rule(
        "hcert-link-error", "kind", "HCERT-L2", severity: .warning,
        requirement:
            "The link in a certificate is a verifiable health link (vhlink:/), not a SMART Health Link (shlink:/).",
        remedy: "Write vhlink:/ if only a registered receiver can fetch the link.",
        check: .hcertPayload { payload in
            guard case .success(let link)? = payload.link, link.scheme == .shlink else { return [] }
            return .found("the health link is a SMART Health Link (shlink:/)", path: "hcert.5")
        })
}
