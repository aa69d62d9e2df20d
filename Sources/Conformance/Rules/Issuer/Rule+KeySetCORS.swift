import JSON
import SMARTHealthCards

extension Rule {
    /// Pages of every origin may read the key set.
    static let keySetCORS = Rule(
        "issuer-key-wellknown-endpoint-cors", "key-set", .k4,
        requirement: "The key set is served with Cross-Origin Resource Sharing (CORS) enabled.",
        remedy: "Send \"Access-Control-Allow-Origin: *\" with the key set, with errors and redirects too.",
        check: .issuer { subject in
            guard let response = subject.published,
                let problem = corsProblem(in: response, origin: subject.answers.origin, of: "the key set")
            else { return [] }
            return [problem]
        })

    /// Why a page of another origin may not read an answer (Fetch Standard, "CORS check"); nil if it may.
    static func corsProblem(in response: PublishedAnswer.Response, origin: String, of what: String) -> Problem? {
        let asked = "a request that names an origin (\(origin))"
        guard let allowed = response.headers["access-control-allow-origin"] else {
            return Problem("\(what) has no Access-Control-Allow-Origin in the answer to \(asked)")
        }
        guard !allowed.utf8.elementsEqual("*".utf8), !allowed.utf8.elementsEqual(origin.utf8) else { return nil }
        return Problem(
            "Access-Control-Allow-Origin of \(what) is \(allowed.quoted(upTo: 100)), neither \"*\" nor what the request "
                + "named (\(origin))")
    }
}
