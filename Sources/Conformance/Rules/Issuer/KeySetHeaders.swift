import Directories
import Encodings

extension Rule {
    static let keySetCORS = Rule("issuer-key-wellknown-endpoint-cors/key-set", RuleCheck.issuer) { subject in
        guard let response = subject.published,
            let problem = corsProblem(in: response, origin: subject.answers.origin, of: "the key set")
        else { return [] }
        return [problem]
    }

    /// Why a page of another origin may not read an answer (Fetch Standard, "CORS check"); nil if it may.
    static func corsProblem(in response: PublishedAnswer.Response, origin: String, of what: String) -> Problem? {
        guard let allowed = response.headers["access-control-allow-origin"] else {
            return Problem(
                "the server sends \(what) without Access-Control-Allow-Origin, although the request has an Origin "
                    + "(\(origin))")
        }
        guard !allowed.utf8.elementsEqual("*".utf8), !allowed.utf8.elementsEqual(origin.utf8) else { return nil }
        return Problem(
            "Access-Control-Allow-Origin of \(what) is \(allowed.quoted(upTo: 100)), neither \"*\" nor the Origin of "
                + "the request (\(origin))")
    }

    static let keySetVary = Rule("issuer-key-wellknown-endpoint-cors/vary", RuleCheck.issuer) { subject in
        guard let headers = subject.published?.headers, let allowed = headers["access-control-allow-origin"],
            allowed.utf8.elementsEqual(subject.answers.origin.utf8)
        else { return [] }
        let names = (headers["vary"] ?? "").split(separator: ",").map { field in
            String(field.filter { $0 != " " && $0 != "\t" }).lowercased()
        }
        guard !names.contains("origin"), !names.contains("*") else { return [] }
        return .found(
            "Access-Control-Allow-Origin of the key set repeats the Origin of the request, but Vary does not "
                + "contain Origin")
    }

    static let keySetContentType = Rule("issuer-response-error/content-type", RuleCheck.issuer) { subject in
        guard let headers = subject.published?.headers else { return [] }
        guard let field = headers["content-type"] else {
            return .found("the server sends the key set without Content-Type")
        }
        let type = field.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        guard type != "application/json", type != "application/jwk-set+json" else { return [] }
        return .found(
            "Content-Type of the key set is \(field.quoted(upTo: 100)), neither application/json nor "
                + "application/jwk-set+json")
    }

    static let keySetCaching = Rule("issuer-response-error/caching", RuleCheck.issuer) { subject in
        guard let headers = subject.published?.headers else { return [] }
        let names = ["cache-control", "expires", "etag", "last-modified"]
        guard names.allSatisfy({ headers[$0] == nil }) else { return [] }
        return .found(
            "the server sends the key set without Cache-Control, Expires, ETag and Last-Modified, so verifiers "
                + "have to guess how long to keep it")
    }

    static let keySetFreshness = Rule("issuer-response-error/freshness", RuleCheck.issuer) { subject in
        guard let seconds = subject.published?.statedFreshness, seconds > 86_400 else { return [] }
        return .found(
            "the key set may be kept for \(seconds) seconds (about \(seconds / 3600) hours), and a withdrawn "
                + "key with it")
    }
}
