import Containers
import Credentials
import HealthCertificates

extension Rule {
    /// The rules of health links in certificates. What is in the payload of the link has the rules of all links.
    static let hcertLinkRules: [Rule] = [
        hcertLinkClaimKey, hcertLinkKeyID, hcertLinkTime, hcertLinkArray, hcertLinkScheme, hcertLinkEncoding,
        hcertLinkKind,
    ]

    static let hcertLinkClaimKey = Rule("hcert-link-error/claim-key", RuleCheck.hcertPayload) { payload in
        guard payload.link != nil, let claims = try? payload.claims.get() else { return [] }
        return claims.payload.textKeys.isEmpty
            ? [] : .found("claims stand under texts instead of numbers", path: "hcert")
    }

    static let hcertLinkKeyID = Rule("hcert-link-error/kid", RuleCheck.cose) { message in
        guard case .success((_, isText: true))? = message.reading.namedKey else { return [] }
        return .found("`kid` is a text in base64 instead of a byte string", path: "kid")
    }

    static let hcertLinkTime = Rule("hcert-link-error/time", RuleCheck.hcertPayload) { payload in
        guard payload.link != nil, let claims = try? payload.claims.get() else { return [] }
        var problems = claims.payload.namesInMilliseconds.map { name in
            Problem("`\(name)` is in milliseconds instead of seconds", path: name)
        }
        if case .failure(let failure) = claims.expires { problems += [Problem(failure.message, path: "exp")] }
        return problems
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
