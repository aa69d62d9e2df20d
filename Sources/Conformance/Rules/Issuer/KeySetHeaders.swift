import Directories
import Encodings

extension Rule {
    static let keySetCORS = Rule(
        "issuer-key-wellknown-endpoint-cors", "key-set", "SHC-K4",
        requirement: "The key set is served with Cross-Origin Resource Sharing (CORS) enabled.",
        remedy: #"Send "Access-Control-Allow-Origin: *" with the key set, and also with errors and redirects."#,
        check: .issuer { subject in
            guard let response = subject.published,
                let problem = corsProblem(in: response, origin: subject.answers.origin, of: "the key set")
            else { return [] }
            return [problem]
        })

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

    static let keySetVary = Rule(
        "issuer-key-wellknown-endpoint-cors", "vary", .rfc(9110, "12.5.5"), severity: .warning,
        requirement: "An answer that permits only the origin of its request says so to caches (Vary: Origin).",
        remedy:
            #"Send "Access-Control-Allow-Origin: *". Or add "Vary: Origin", so that caches do not send the answer to "#
            + "other origins.",
        check: .issuer { subject in
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
        })

    static let keySetContentType = Rule(
        "issuer-response-error", "content-type", .rfc(9110, "8.3"), severity: .warning,
        requirement: "The key set has the content type application/json or application/jwk-set+json.",
        remedy: #"Configure the server to send "Content-Type: application/json" with the key set."#,
        check: .issuer { subject in
            guard let headers = subject.published?.headers else { return [] }
            guard let field = headers["content-type"] else {
                return .found("the server sends the key set without Content-Type")
            }
            let type = field.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
            guard type != "application/json", type != "application/jwk-set+json" else { return [] }
            return .found(
                "Content-Type of the key set is \(field.quoted(upTo: 100)), neither application/json nor "
                    + "application/jwk-set+json")
        })

    static let keySetCaching = Rule(
        "issuer-response-error", "caching", .rfc(9111, "4.2"), severity: .warning,
        requirement: "The server says how long the key set may be kept, or how to ask whether it has changed.",
        remedy: "Send Cache-Control with a max-age of about an hour, and ETag or Last-Modified.",
        check: .issuer { subject in
            guard let headers = subject.published?.headers else { return [] }
            let names = ["cache-control", "expires", "etag", "last-modified"]
            guard names.allSatisfy({ headers[$0] == nil }) else { return [] }
            return .found(
                "the server sends the key set without Cache-Control, Expires, ETag and Last-Modified, so verifiers "
                    + "have to guess how long to keep it")
        })

    static let keySetFreshness = Rule(
        "issuer-response-error", "freshness", "SHC-R6", severity: .warning,
        requirement: "The key set may be kept for at most 24 hours, so that a withdrawn key is not used for long.",
        remedy: "Lower max-age (or Expires) to 86400 seconds or less.",
        check: .issuer { subject in
            guard let seconds = subject.published?.statedFreshness, seconds > 86_400 else { return [] }
            return .found(
                "the key set may be kept for \(seconds) seconds (about \(seconds / 3600) hours), and a withdrawn "
                    + "key with it")
        })
}
